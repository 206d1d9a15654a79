from pathlib import Path

import pytest

from primavoce.assets.locations import AssetLocations, default_cache_dir


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"HOME": "/home/ada"}, "/home/ada/.cache/primavoce"),
        ("linux", {"HOME": "/home/ada", "XDG_CACHE_HOME": "/var/fast"}, "/var/fast/primavoce"),
        ("linux", {"HOME": "/home/ada", "XDG_CACHE_HOME": "not/absolute"}, "/home/ada/.cache/primavoce"),
        ("linux", {"HOME": "/home/ada", "XDG_CACHE_HOME": ""}, "/home/ada/.cache/primavoce"),
        ("darwin", {"HOME": "/home/ada"}, "/home/ada/Library/Caches/primavoce"),
        ("win32", {"LOCALAPPDATA": "/ada/Local"}, "/ada/Local/primavoce"),
        ("win32", {"HOME": "/ada"}, "/ada/AppData/Local/primavoce"),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(platform: str, environ: dict[str, str], expected: str) -> None:
    assert default_cache_dir(environ, platform=platform) == Path(expected)


def test_an_unknown_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown asset sources: torrents"):
        AssetLocations(tmp_path, sources=("packages", "torrents"))
