"""scripts/dockerfile.py reads a Dockerfile as a builder does."""

import subprocess
from pathlib import Path

import pytest

from tests.docker.test_dockerfiles import dockerfile

TEXT = """\
ARG KIND=big
ARG IMAGE=python:3.12-slim

# one
FROM ${IMAGE} AS small
ENV SIZE=1

FROM ${IMAGE} AS big
ENV SIZE=2 \\
    # a comment between
    NAME="two words"

FROM ${IMAGE} AS tools
RUN made > /opt/made

FROM ${KIND} AS last
ARG KIND
ENV SAID=${KIND}-${IMAGE}-$SIZE
LABEL com.example.a=true
COPY --from=tools /opt/made /opt/
HEALTHCHECK --timeout=3s CMD ["look", "here"]
ENTRYPOINT ["a"]
CMD ["b", "c"]
"""


def test_an_image_is_what_its_last_stage_and_those_below_say() -> None:
    image = dockerfile.Dockerfile(TEXT, {}).image()

    assert image.environment["SIZE"] == "2"
    assert image.environment["NAME"] == "two words"
    assert image.labels == {"com.example.a": "true"}
    assert image.command == ["a", "b", "c"]
    assert image.health == ["look", "here"]


def test_a_stage_sees_an_argument_only_when_it_asks_for_it() -> None:
    image = dockerfile.Dockerfile(TEXT, {"KIND": "small"}).image()

    assert image.environment["SAID"] == "small--1"


def test_what_nothing_needs_is_not_built() -> None:
    assert [stage.name for stage in dockerfile.Dockerfile(TEXT, {}).needed()] == ["big", "tools", "last"]


def test_the_steps_are_carried_out_in_a_folder(tmp_path: Path) -> None:
    text = """\
FROM base AS made
ARG WORD=hello
WORKDIR /build
COPY words/*.txt ./
RUN cat first.txt > /opt/made && printf %s "$WORD" >> /opt/made
FROM base
COPY --from=made /opt/made /opt/whole/
"""
    text = text.replace("words/*.txt", "words/first.txt")
    (tmp_path / "context/words").mkdir(parents=True)
    (tmp_path / "context/words/first.txt").write_text("first ")
    (tmp_path / "root/opt").mkdir(parents=True)

    dockerfile.Building(tmp_path / "context", tmp_path / "root", {}).build(dockerfile.Dockerfile(text, {}))

    assert (tmp_path / "root/opt/whole/made").read_text() == "first hello"


def test_a_step_that_fails_ends_the_build(tmp_path: Path) -> None:
    building = dockerfile.Building(tmp_path, tmp_path, {})

    with pytest.raises(subprocess.CalledProcessError):
        building.build(dockerfile.Dockerfile("FROM base\nRUN false\n", {}))


@pytest.mark.parametrize("line", ["ADD a b", "COPY nowhere ./", 'SHELL ["/bin/bash"]'])
def test_what_cannot_be_carried_out_is_refused(line: str, tmp_path: Path) -> None:
    building = dockerfile.Building(tmp_path, tmp_path, {})

    with pytest.raises(ValueError, match="known|no such file"):
        building.build(dockerfile.Dockerfile(f"FROM base\n{line}\n", {}))
