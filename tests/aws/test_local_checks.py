"""What this machine has, by programs that answer as they were told."""

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from primavoce.aws.commands import LocalCommands
from primavoce.aws.findings import Finding, version_in
from primavoce.aws.local_checks import (
    BIDIRECTIONAL_LABEL,
    IN_CHECKOUT,
    MINIMUM_NODE,
    checkout_finding,
    docker_findings,
    find_checkout,
    label_finding,
    local_findings,
)
from primavoce.aws.names import Names
from primavoce.aws.packages import PACKAGES, Package, package_findings

NAMES = Names()
ROOT = Path(__file__).parents[2]
LABELLED = json.dumps({BIDIRECTIONAL_LABEL: "true"})


def docker_told(*, client: str = "28.2.2", engine: str | None = None) -> str:
    """Return what `docker version` says to programs."""
    return json.dumps({"Client": {"Version": client}, "Server": None if engine is None else {"Version": engine}})


def by_name(findings: list[Finding]) -> dict[str, Finding]:
    return {each.name: each for each in findings}


def test_everything_that_is_there_and_new_enough_is_ok(programs, tmp_path: Path) -> None:
    programs.add("uv", ("--version", 0, "uv 0.9.13"))
    programs.add("node", ("--version", 0, "v24.19.0"))
    programs.add("cdk", ("--version", 0, "2.1148.1 (build 4ff77cc)"))
    programs.add(
        "docker",
        ("version --format", 0, docker_told(engine="28.2.2")),
        ("buildx inspect --bootstrap", 0, "Platforms: linux/amd64, linux/arm64"),
        ("inspect --type image", 0, LABELLED),
    )

    found = by_name(list(local_findings(LocalCommands(), NAMES, checkout=tmp_path)))

    needed = {"Python", "uv", "Node", "CDK CLI", "Docker client", "Docker engine", "Docker buildx", "image's label"}
    assert needed <= found.keys()
    assert {name: found[name].state for name in needed} == dict.fromkeys(needed, "ok")


@pytest.mark.parametrize(
    ("program", "answer", "name"),
    [("node", "v16.20.2", "Node"), ("cdk", "2.99.0 (build x)", "CDK CLI"), ("uv", "uv 0.4.30", "uv")],
)
def test_what_is_too_old_is_missing_and_says_what_to_do(
    programs, tmp_path: Path, program: str, answer: str, name: str
) -> None:
    programs.add(program, ("--version", 0, answer))

    found = by_name(list(local_findings(LocalCommands(), NAMES, checkout=tmp_path)))[name]

    assert found.state == "missing"
    assert found.blocks
    assert "install" in found.remedy


def test_a_program_that_isnt_there_is_missing(programs, tmp_path: Path) -> None:
    only = LocalCommands(environ={"PATH": str(programs.folder)})

    class Without:
        def run(self, argv, **more):
            if argv[0] == "cdk":
                raise FileNotFoundError
            return only.run(argv, **more)

    found = by_name(list(local_findings(Without(), NAMES, checkout=tmp_path)))["CDK CLI"]

    assert (found.state, found.blocks) == ("missing", True)
    assert "npm install --global aws-cdk" in found.remedy


def test_an_engine_that_doesnt_run_is_missing_though_the_client_is_there(programs) -> None:
    programs.add(
        "docker",
        ("version --format", 1, f"{docker_told()}\nCannot connect to the Docker daemon. Is it running?"),
    )

    found = by_name(list(docker_findings(LocalCommands(), NAMES)))

    assert found["Docker client"].state == "ok"
    assert found["Docker engine"].state == "missing"
    assert "Cannot connect" in found["Docker engine"].detail
    assert (found["image's label"].state, found["image's label"].blocks) == ("unknown", False)


@pytest.mark.parametrize(
    ("output", "client", "engine"),
    [
        (docker_told(engine="20.10.0"), "ok", "ok"),
        (docker_told(engine="19.03.15"), "ok", "missing"),
        (docker_told(client="19.03.15", engine="28.2.2"), "missing", "ok"),
        (docker_told(engine="of my own"), "ok", "unknown"),
        (f"a warning first\n{docker_told(engine='28.2.2')}", "ok", "ok"),
        ("{}", "unknown", "missing"),
        ("nonsense that isn't an answer", "unknown", "missing"),
    ],
)
def test_client_and_engine_are_each_as_new_as_they_have_to_be_and_asked_once(
    programs, output: str, client: str, engine: str
) -> None:
    programs.add("docker", ("version --format", 0, output))

    found = by_name(list(docker_findings(LocalCommands(), NAMES)))

    assert (found["Docker client"].state, found["Docker engine"].state) == (client, engine)
    assert len([each for each in programs.calls("docker") if "version" in each["argv"][0]]) == 1


@pytest.mark.parametrize(
    ("status", "output", "state", "blocks"),
    [
        (0, LABELLED, "ok", False),
        (0, "{}", "missing", True),
        (0, "null", "missing", True),
        (0, json.dumps({BIDIRECTIONAL_LABEL: "false"}), "missing", True),
        (0, "nonsense", "unknown", False),
        (1, "Error: No such image", "unknown", False),
    ],
)
def test_an_image_without_its_label_would_get_no_session(
    programs, status: int, output: str, state: str, *, blocks: bool
) -> None:
    programs.add("docker", ("inspect --type image", status, output))

    found = label_finding(LocalCommands(), NAMES)

    assert (found.state, found.blocks) == (state, blocks)


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("Error: No such image: primavoce-speech:built", "there is no image primavoce-speech:built here yet"),
        ("error during connect: the daemon is gone", "the daemon is gone"),
    ],
)
def test_an_image_that_isnt_there_is_told_from_one_that_docker_cant_look_at(programs, output: str, told: str) -> None:
    programs.add("docker", ("inspect --type image", 1, output))

    found = label_finding(LocalCommands(), NAMES)

    assert told in found.detail
    assert ("builds it" in found.remedy) == ("yet" in told)


def test_a_checkout_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    for name in IN_CHECKOUT:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "src" / "deep").mkdir(parents=True)

    assert find_checkout(tmp_path / "src" / "deep") == tmp_path
    assert find_checkout(tmp_path.parent) is None
    assert checkout_finding(None).blocks
    assert checkout_finding(tmp_path).state == "ok"


def test_this_projects_own_folder_is_a_checkout() -> None:
    assert find_checkout(Path(__file__).parent) == Path(__file__).parents[2]


INSTALLED = {
    **{each.name: ".".join(map(str, each.least)) for each in PACKAGES},
    "awscrt": "0.36.0",
}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is installed here, to be changed."""
    there = dict(INSTALLED)

    def version(name: str) -> str:
        if name not in there:
            raise metadata.PackageNotFoundError(name)
        return there[name]

    monkeypatch.setattr(metadata, "version", version)
    return there


def test_what_is_installed_is_at_least_what_is_checked() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = {re.split(r"[\[=><]", each)[0]: (extra, each) for extra in ("aws", "agent") for each in extras[extra]}

    for package in PACKAGES:
        extra, requirement = told[package.name]
        sign = "==" if package.exactly else ">="
        wanted = version_in(requirement.partition(sign)[2])
        assert (extra, wanted) == (package.extra, package.least[: len(wanted)])


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("boto3", "aws"),
        ("aws-sdk-sagemaker-runtime-http2", "aws"),
        ("bedrock-agentcore", "agent"),
        ("strands-agents", "agent"),
    ],
)
def test_each_package_that_an_extra_brings_has_a_line(installed: dict[str, str], name: str, extra: str) -> None:
    assert {each.name: each.state for each in package_findings()} == dict.fromkeys(INSTALLED.keys() - {"awscrt"}, "ok")
    del installed[name]

    found = by_name(list(package_findings()))[name]

    # Without Strands there is no agent on this machine to be measured, and a deployment all the same.
    assert (found.state, found.blocks) == ("missing", name != "strands-agents")
    assert f"primavoce[{extra}]" in found.remedy
    assert "uv sync --extra aws --extra agent" in found.remedy


def test_the_sdk_of_sessions_has_to_be_exactly_the_one_that_is_written_for_and_to_have_its_transport(
    installed: dict[str, str],
) -> None:
    name = "aws-sdk-sagemaker-runtime-http2"
    installed[name] = "99.0.0"
    newer = by_name(list(package_findings()))[name]
    installed[name] = INSTALLED[name]
    del installed["awscrt"]
    bare = by_name(list(package_findings()))[name]

    assert (newer.blocks, newer.detail) == (True, f"99.0.0, and exactly {INSTALLED[name]} is needed")
    assert (bare.blocks, bare.detail) == (True, "awscrt, which it needs, isn't installed")


@pytest.mark.parametrize("package", PACKAGES, ids=lambda each: each.name)
def test_the_page_says_which_package_is_needed_and_what_brings_it(package: Package) -> None:
    wanted = ".".join(map(str, package.least)) + (", and no other" if package.exactly else "")

    row = f"| {package.name} | {wanted} | comes with the extra `{package.extra}`"
    assert row in (ROOT / "docs/aws.md").read_text()


def test_every_page_says_the_same_of_node_as_is_checked() -> None:
    (least,) = MINIMUM_NODE
    row = re.search(r"(?m)^\| Node \| ([^|]+) \|", (ROOT / "docs/aws.md").read_text())
    line = re.search(r"needs Node \(([^)]+)\)", (ROOT / "infra/README.md").read_text())

    assert row
    assert line
    assert row[1] == f"{least}"
    assert line[1] == f"{least} or newer"


@pytest.mark.parametrize(("answer", "state"), [("v20.20.2", "missing"), ("v22.0.0", "ok"), ("v24.19.0", "ok")])
def test_node_is_as_new_as_the_pinned_cdk_supports(programs, tmp_path: Path, answer: str, state: str) -> None:
    programs.add("node", ("--version", 0, answer))

    found = by_name(list(local_findings(LocalCommands(), NAMES, checkout=tmp_path)))["Node"]

    assert (found.state, "22 or newer" in found.remedy) == (state, state == "missing")
