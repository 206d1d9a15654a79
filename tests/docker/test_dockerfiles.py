"""What the Dockerfiles promise, as they stand; scripts/image-check carries them out."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
NAMES = ("speech", "agent")


def script(name: str) -> ModuleType:
    """Return a module of scripts/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


dockerfile = script("dockerfile")


def read(name: str, **arguments: str) -> Any:
    return dockerfile.Dockerfile((DOCKER / f"{name}.Dockerfile").read_text(), arguments)


def runs(file: Any) -> list[str]:
    return [each.value for stage in file.needed() for each in stage.instructions if each.name == "RUN"]


def copied(file: Any) -> list[str]:
    """Return what comes from the project's folder."""
    return [
        dockerfile.substituted(word, seen)
        for stage in file.needed()
        for each, _, seen in file.variables(stage)
        if each.name == "COPY" and "from" not in each.flags
        for word in each.words[:-1]
    ]


def pinned(lock: str) -> dict[str, str]:
    return dict(re.findall(r"(?m)^([\w.-]+)==([^\s;\\]+)", (DOCKER / f"{lock}.lock").read_text()))


def test_sagemaker_routes_sockets_to_the_speech_image() -> None:
    labels = read("speech").image().labels

    assert labels["com.amazonaws.sagemaker.capabilities.bidirectional-streaming"] == "true"


@pytest.mark.parametrize(("name", "word"), [("speech", "serve"), ("agent", "agent")])
def test_an_image_starts_primavoce_itself_without_a_shell(name: str, word: str) -> None:
    last = read(name).last.instructions
    forms = {each.name: each.value for each in last if each.name in {"ENTRYPOINT", "CMD"}}

    assert forms == {"ENTRYPOINT": '["primavoce"]', "CMD": f'["{word}"]'}


def test_the_speech_image_listens_where_sagemaker_looks_and_fetches_nothing() -> None:
    environment = read("speech").image().environment

    assert environment["PRIMAVOCE_HOST"] == "0.0.0.0"
    assert environment["PRIMAVOCE_PORT"] == "8080"
    assert environment["PRIMAVOCE_OPEN"] == "1"
    assert environment["PRIMAVOCE_OFFLINE"] == "1"
    assert environment["PRIMAVOCE_ASSETS"] == "/opt/ml/model"


def test_the_agent_image_is_one_that_agentcore_runs() -> None:
    image = read("agent").image()

    assert image.environment["DOCKER_CONTAINER"] == "1"
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", image.user)
    assert "aarch64" in read("agent").globals["TARGET"]


def test_sagemaker_finds_root_in_the_speech_image() -> None:
    assert read("speech").image().user == ""


@pytest.mark.parametrize(
    ("arguments", "lock", "device"),
    [
        ({}, "speech-gpu.lock", "cuda"),
        ({"DEVICE": "gpu"}, "speech-gpu.lock", "cuda"),
        ({"DEVICE": "cpu"}, "speech-cpu.lock", "cpu"),
    ],
)
def test_the_device_chooses_the_lock_and_what_is_asked_for(arguments: dict[str, str], lock: str, device: str) -> None:
    file = read("speech", **arguments)

    assert f"docker/{lock}" in copied(file)
    assert file.image().environment["PRIMAVOCE_DEVICE"] == device


def test_the_gpu_is_shown_to_the_container() -> None:
    assert read("speech").image().environment["NVIDIA_DRIVER_CAPABILITIES"] == "compute,utility"
    assert "NVIDIA_VISIBLE_DEVICES" not in read("speech", DEVICE="cpu").image().environment


def test_weights_are_baked_unless_they_are_mounted() -> None:
    assert "docker/bake" in runs(read("speech"))
    assert "docker/bake" not in runs(read("speech", WEIGHTS="mounted"))


@pytest.mark.parametrize("name", NAMES)
def test_every_step_is_one_that_image_check_carries_out_too(name: str) -> None:
    assert all(step.startswith(("docker/install ", "docker/bake")) for step in runs(read(name)))


def test_image_check_proves_nothing_where_the_network_cant_be_taken_away_and_says_so(tmp_path: Path) -> None:
    unshare = tmp_path / "unshare"
    unshare.write_text("#!/bin/sh\necho 'Operation not permitted' >&2\nexit 1\n")
    unshare.chmod(0o755)

    done = subprocess.run(
        [sys.executable, ROOT / "scripts/image-check"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 1
    assert "nothing can be proven; --unconfined" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("name", NAMES)
def test_the_last_stage_runs_nothing_and_takes_no_tools(name: str) -> None:
    instructions = [each for stage in read(name).lineage(read(name).last) for each in stage.instructions]

    assert "RUN" not in {each.name for each in instructions}
    taken = {each.words[0] for each in instructions if each.name == "COPY" and "from" in each.flags}
    assert taken <= {"/opt/primavoce", "/opt/project", "/opt/assets"}


@pytest.mark.parametrize("name", NAMES)
def test_every_stage_is_built_on_python_3_12_slim(name: str) -> None:
    file = read(name)
    bases = {stage.base for stage in file.needed()} - set(file.stages)

    assert bases == {"python:3.12-slim-trixie"}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_copied_is_there_and_let_through(name: str, tmp_path: Path) -> None:
    dockerfile.context_of(ROOT, tmp_path / "context")

    assert [word for word in copied(read(name)) if not (tmp_path / "context" / word).exists()] == []


def test_nothing_else_of_a_checkout_gets_into_a_build(tmp_path: Path) -> None:
    dockerfile.context_of(ROOT, tmp_path / "context")

    sent = {path.name for path in (tmp_path / "context").iterdir()}
    assert sent == {"LICENSE", "NOTICE", "README.md", "docker", "pyproject.toml", "src"}


@pytest.mark.parametrize("lock", ["build", "speech-cpu", "speech-gpu", "agent"])
def test_a_lock_has_a_hash_for_everything_and_no_address(lock: str) -> None:
    text = (DOCKER / f"{lock}.lock").read_text()
    requirements = re.split(r"(?m)^(?=\w)", text)[1:]

    assert requirements
    assert [each for each in requirements if "--hash=sha256:" not in each] == []
    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize("lock", ["build", "speech-cpu", "speech-gpu", "agent"])
def test_a_lock_has_the_versions_that_the_project_pins(lock: str) -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]
    pins = [*table["constraint-dependencies"], *table["build-constraint-dependencies"]]
    wanted = dict(re.fullmatch(r"([\w.-]+)==([^\s;]+).*", pin).groups() for pin in pins)

    found = pinned(lock)

    assert {name: version for name, version in found.items() if wanted.get(name, version) != version} == {}


def test_the_gpu_image_has_the_run_time_for_gpus_in_the_others_place() -> None:
    gpu, cpu = pinned("speech-gpu"), pinned("speech-cpu")

    assert "onnxruntime" not in gpu
    assert {"onnxruntime-gpu", "nvidia-cublas", "nvidia-cudnn-cu13"} <= set(gpu)
    assert "onnxruntime" in cpu
    assert not any(name.startswith("nvidia-") for name in cpu)


def test_the_agent_image_has_no_model() -> None:
    assert {"onnxruntime", "onnx", "spacy", "misaki", "phonemizer", "xllamacpp"} & set(pinned("agent")) == set()
    assert {"strands-agents", "bedrock-agentcore", "boto3", "awscrt"} <= set(pinned("agent"))
