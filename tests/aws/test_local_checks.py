"""What this machine has, by programs that answer as they were told."""

import json
from pathlib import Path

import pytest

from primavoce.aws.commands import LocalCommands
from primavoce.aws.findings import Finding
from primavoce.aws.local_checks import (
    BIDIRECTIONAL_LABEL,
    IN_CHECKOUT,
    checkout_finding,
    docker_findings,
    find_checkout,
    label_finding,
    local_findings,
)

IMAGE = "primavoce-speech:built"
LABELLED = json.dumps({BIDIRECTIONAL_LABEL: "true"})


def by_name(findings: list[Finding]) -> dict[str, Finding]:
    return {each.name: each for each in findings}


def test_everything_that_is_there_and_new_enough_is_ok(programs, tmp_path: Path) -> None:
    programs.add("uv", ("--version", 0, "uv 0.9.13"))
    programs.add("node", ("--version", 0, "v24.19.0"))
    programs.add("cdk", ("--version", 0, "2.1148.1 (build 4ff77cc)"))
    programs.add(
        "docker",
        ("--version", 0, "Docker version 28.2.2, build e6534b4"),
        ("version --format {{.Server.Version}}", 0, "28.2.2"),
        ("buildx inspect --bootstrap", 0, "Platforms: linux/amd64, linux/arm64"),
        ("inspect --type image", 0, LABELLED),
    )

    found = by_name(list(local_findings(LocalCommands(), checkout=tmp_path, image=IMAGE)))

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

    found = by_name(list(local_findings(LocalCommands(), checkout=tmp_path, image=IMAGE)))[name]

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

    found = by_name(list(local_findings(Without(), checkout=tmp_path, image=IMAGE)))["CDK CLI"]

    assert (found.state, found.blocks) == ("missing", True)
    assert "npm install --global aws-cdk" in found.remedy


def test_an_engine_that_doesnt_run_is_missing_though_the_client_is_there(programs) -> None:
    programs.add(
        "docker",
        ("--version", 0, "Docker version 28.2.2"),
        ("version --format {{.Server.Version}}", 1, "Cannot connect to the Docker daemon. Is it running?"),
    )

    found = by_name(list(docker_findings(LocalCommands(), image=IMAGE)))

    assert found["Docker client"].state == "ok"
    assert found["Docker engine"].state == "missing"
    assert "Cannot connect" in found["Docker engine"].detail
    assert (found["image's label"].state, found["image's label"].blocks) == ("unknown", False)


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

    found = label_finding(LocalCommands(), IMAGE)

    assert (found.state, found.blocks) == (state, blocks)


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
