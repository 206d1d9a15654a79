"""The source ``hub``: assets in one repository of the model hub, at one commit, through the hub's own library.

The library obeys its own environment variables: proxies, certificates, credentials.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from primavoce.assets.manifest import AssetFile, HubRepository
from primavoce.assets.sources import DISK_FULL, Delivery, SourceFailed

TRIES = 2
"""How often each file is asked for: over dozens of files, one answer that is lost should not undo the fetch."""

_REFUSED = "the hub refused {file} (status {status}); check the access token that the hub library uses"
_STATUS_REASONS = {
    401: _REFUSED,
    403: _REFUSED,
    404: "the hub has no {file} at the pinned revision; if a mirror is set, it may lack this repository",
}
_UNREACHABLE = "the hub can't be reached, or broke off; check the network and the proxy settings, and try again"
_REASONS = {
    "OfflineModeIsEnabled": "the hub library is set to work offline; unset HF_HUB_OFFLINE, or use another source",
    "FileMetadataError": "what answered is no hub; check the mirror's address and the proxy settings",
    "TimeoutException": "the hub did not answer in time; check the network and try again",
    "TransportError": _UNREACHABLE,
    "ConnectionError": _UNREACHABLE,
}
"""What went wrong and what to do, by the name of a kind of error of the library, its transport or Python."""


class HubSource:
    """Assets in a repository of the hub.

    Args:
        repository: Which, at which commit.
        endpoint: Address of a mirror; `None` for the library's own choice.
    """

    name = "hub"
    copies = 1

    def __init__(self, repository: HubRepository, *, endpoint: str | None = None) -> None:
        self._repository = repository
        self._endpoint = endpoint

    def offers(self, asset: AssetFile) -> bool:
        """Say whether the repository has ``asset``."""
        return asset.hub_file is not None

    def deliver(self, assets: Sequence[AssetFile], workspace: Path) -> Iterator[Delivery]:
        """Fetch ``assets`` one by one, yielding each when it is here.

        Raises:
            SourceFailed: the library is absent, or the hub can't be reached or has no such file.
            OSError: the workspace can't be written.
        """
        for asset in assets:
            if asset.hub_file is not None:
                with _quiet():
                    place = self._download(asset.hub_file, workspace)
                yield Delivery(asset, (place,))

    def _download(self, file: str, workspace: Path) -> Path:
        try:
            from huggingface_hub import hf_hub_download

            # What every error of the library's transport is; which transport that is depends on the version.
            from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]
        except ImportError as error:
            raise SourceFailed("huggingface_hub is not installed: pip install 'primavoce[engine]'") from error
        for left in reversed(range(TRIES)):
            try:
                # force_download: the workspace is fresh; without it a hub that can't be reached is tried for minutes.
                place = hf_hub_download(
                    self._repository.repository,
                    file,
                    revision=self._repository.revision,
                    endpoint=self._endpoint,
                    local_dir=workspace,
                    force_download=True,
                )
            except (HTTPError, OSError, ValueError, RuntimeError) as error:
                if getattr(error, "errno", None) in DISK_FULL:
                    raise
                if not left or _is_final(error):
                    raise SourceFailed(_reason(error, file)) from error
            else:
                return Path(place)
        raise AssertionError("unreachable: the last try returns or raises")


def _statuses(error: BaseException) -> list[int]:
    """Return the HTTP statuses in an error and its causes."""
    found = (getattr(getattr(each, "response", None), "status_code", None) for each in _chain(error))
    return [status for status in found if isinstance(status, int)]


def _is_final(error: BaseException) -> bool:
    return any(400 <= status < 500 and status not in {408, 429} for status in _statuses(error))


def _reason(error: BaseException, file: str) -> str:
    """Say in one clause what went wrong and what to do, in words of our own: the library's hold addresses."""
    for status in _statuses(error):
        known = _STATUS_REASONS.get(status, "the hub answered with status {status}; try again later")
        return known.format(file=file, status=status)
    kinds = {kind.__name__ for each in _chain(error) for kind in type(each).__mro__}
    for kind, reason in _REASONS.items():
        if kind in kinds:
            return reason
    return f"the download of {file} failed ({type(error).__name__}); try again"


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or each.__context__


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's progress bars and warnings, which name addresses, off the terminal."""
    try:
        from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars
    except ImportError:  # said where the library is used
        yield
        return
    log = logging.getLogger("huggingface_hub")
    level, had_bars = log.level, not are_progress_bars_disabled()
    log.setLevel(logging.CRITICAL)
    if had_bars:
        disable_progress_bars()
    try:
        yield
    finally:
        log.setLevel(level)
        if had_bars:
            enable_progress_bars()
