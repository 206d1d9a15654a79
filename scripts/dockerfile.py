"""What a Dockerfile says, and its steps carried out in a folder, without a container.

Only what our own need: ARG, FROM, ENV, WORKDIR, COPY, RUN and what describes the image. Anything else is refused.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

DESCRIBING = ("LABEL", "EXPOSE", "HEALTHCHECK", "USER", "ENTRYPOINT", "CMD")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line, continued ones joined."""

    name: str
    """In capitals."""
    flags: dict[str, str]
    """Such as ``--from``."""
    value: str

    @property
    def words(self) -> list[str]:
        """The value as a shell reads it; as it stands where it is a list."""
        if self.value.startswith("["):
            listed: list[str] = json.loads(self.value)
            return listed
        return shlex.split(self.value)


@dataclass(slots=True)
class Stage:
    """What is built from one FROM to the next."""

    name: str
    base: str
    """Another stage, or an image."""
    platform: str
    instructions: list[Instruction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Image:
    """What the last stage says of the image."""

    environment: dict[str, str]
    labels: dict[str, str]
    user: str
    command: list[str]
    """The entry point, and what is given to it."""
    health: list[str]


class Dockerfile:
    """A Dockerfile with its arguments.

    Args:
        text: What it says.
        arguments: Build arguments.
        path: PATH of the base image.
    """

    def __init__(self, text: str, arguments: Mapping[str, str], *, path: str = "/usr/local/bin:/usr/bin:/bin") -> None:
        self._arguments = dict(arguments)
        self._path = path
        self.globals: dict[str, str] = {}
        """Arguments before the first stage; those alone choose what a stage is built on."""
        self.stages: dict[str, Stage] = {}
        for instruction in instructions(text):
            self._take(instruction)

    @property
    def last(self) -> Stage:
        """The stage that becomes the image."""
        return list(self.stages.values())[-1]

    def _take(self, instruction: Instruction) -> None:
        if instruction.name == "FROM":
            words = instruction.value.split()
            name = words[2] if len(words) == 3 else str(len(self.stages))
            base = substituted(words[0], self.globals)
            self.stages[name] = Stage(name, base, instruction.flags.get("platform", ""))
        elif self.stages:
            self.last.instructions.append(instruction)
        elif instruction.name == "ARG":
            name, _, default = instruction.value.partition("=")
            self.globals[name] = self._arguments.get(name, default)
        else:
            raise ValueError(f"{instruction.name} before the first FROM")

    def lineage(self, stage: Stage) -> list[Stage]:
        """Return the stages that ``stage`` is built on, the first of them first, and itself."""
        before = self.stages.get(stage.base)
        return [*(self.lineage(before) if before else []), stage]

    def needed(self) -> list[Stage]:
        """Return the stages that the last one is made of, in order; what it doesn't need isn't built."""
        wanted: set[str] = set()
        waiting = [self.last]
        while waiting:
            stage = waiting.pop()
            if stage.name not in wanted:
                wanted.add(stage.name)
                sources = [each.flags["from"] for each in stage.instructions if "from" in each.flags]
                waiting += [self.stages[name] for name in (stage.base, *sources) if name in self.stages]
        return [stage for stage in self.stages.values() if stage.name in wanted]

    def variables(self, stage: Stage) -> Iterator[tuple[Instruction, dict[str, str], dict[str, str]]]:
        """Yield each instruction of ``stage`` with its environment, and with the build arguments that it sees."""
        environment = self.environment_before(stage)
        seen: dict[str, str] = {}
        for instruction in stage.instructions:
            if instruction.name == "ARG":
                name, _, default = instruction.value.partition("=")
                seen[name] = self._arguments.get(name, default or self.globals.get(name, ""))
            if instruction.name == "ENV":
                environment |= pairs(instruction, {**seen, **environment})
            yield instruction, dict(environment), dict(seen)

    def environment_before(self, stage: Stage) -> dict[str, str]:
        """Return the environment that ``stage`` begins with."""
        environment = {"PATH": self._path}
        for each in self.lineage(stage)[:-1]:
            for _, environment, _ in self.variables(each):  # noqa: B007 - the last one's counts
                pass
        return environment

    def image(self) -> Image:
        """Return what the last stage, and what it is built on, say of the image."""
        environment: dict[str, str] = {"PATH": self._path}
        labels: dict[str, str] = {}
        user = ""
        entry: list[str] = []
        given: list[str] = []
        health: list[str] = []
        for stage in self.lineage(self.last):
            for instruction, environment, seen in self.variables(stage):
                match instruction.name:
                    case "LABEL":
                        labels |= pairs(instruction, {**seen, **environment})
                    case "USER":
                        user = instruction.value
                    case "ENTRYPOINT":
                        entry = instruction.words
                    case "CMD":
                        given = instruction.words
                    case "HEALTHCHECK":
                        health = json.loads(instruction.value.removeprefix("CMD "))
        return Image(environment, labels, user, [*entry, *given], health)


def instructions(text: str) -> Iterator[Instruction]:
    """Yield what a Dockerfile says."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    for line in filter(None, map(str.strip, joined.splitlines())):
        name, _, value = line.partition(" ")
        flags = {}
        while match := re.match(r"\s*--([\w-]+)=(\S+)\s+", value):
            flags[match[1]] = match[2]
            value = value[match.end() :]
        yield Instruction(name.upper(), flags, value.strip())


def pairs(instruction: Instruction, variables: Mapping[str, str]) -> dict[str, str]:
    """Return the names and values of ENV or LABEL."""
    split = (word.partition("=") for word in instruction.words)
    return {name: substituted(value, variables) for name, _, value in split}


def substituted(value: str, variables: Mapping[str, str]) -> str:
    """Return ``value`` with ``$NAME`` and ``${NAME}`` filled in; what isn't set is nothing, as for Docker."""
    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: variables.get(found[1] or found[2], ""), value)


class Building:
    """The steps of a Dockerfile, carried out in a folder that stands for the root of every stage.

    Args:
        context: What may be copied.
        root: The folder.
        outside: Variables that every RUN has besides its own: how package clients reach their registries, and where
            docker/install keeps its tools.
    """

    def __init__(self, context: Path, root: Path, outside: Mapping[str, str]) -> None:
        self._context = context
        self._root = root
        self._outside = dict(outside)

    def build(self, file: Dockerfile) -> None:
        """Carry out what the image needs.

        Raises:
            subprocess.CalledProcessError: a step failed.
            ValueError: an instruction is none that is known here.
        """
        folders: dict[str, Path] = {}
        for stage in file.needed():
            folder = folders.get(stage.base, self._root)
            for instruction, environment, seen in file.variables(stage):
                match instruction.name:
                    case "WORKDIR":
                        folder = self.inside(instruction.value)
                        folder.mkdir(parents=True, exist_ok=True)
                    case "COPY":
                        self._copy(instruction, folder, {**seen, **environment})
                    case "RUN":
                        self._run(instruction.value, folder, environment | seen)
                    case name if name not in {"ARG", "ENV", *DESCRIBING}:
                        raise ValueError(f"{name} isn't known here")
            folders[stage.name] = folder

    def inside(self, path: str) -> Path:
        """Return the place of an absolute path of the image."""
        return self._root / path.removeprefix("/")

    def rooted(self, text: str) -> str:
        """Return ``text`` with the image's own folder, ``/opt``, where it is here."""
        return re.sub(r"(?<![\w.])/opt/", f"{self._root}/opt/", text)

    def _copy(self, instruction: Instruction, folder: Path, variables: Mapping[str, str]) -> None:
        *sources, target = [substituted(word, variables) for word in instruction.words]
        into = self.inside(target) if target.startswith("/") else folder / target
        for source in sources:
            place = self.inside(source) if "from" in instruction.flags else self._context / source
            if place.is_dir() and place != into:
                shutil.copytree(place, into, symlinks=True, dirs_exist_ok=True)
            elif place.is_file():
                whole = into / place.name if target.endswith("/") else into
                whole.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(place, whole)
            elif place != into:
                raise ValueError(f"COPY {source}: there is no such file")

    def _run(self, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        home = self._root / "home"
        home.mkdir(exist_ok=True)
        variables = {name: self.rooted(value) for name, value in environment.items()}
        print(f"  RUN {command}", flush=True)
        subprocess.run(
            ["/bin/sh", "-c", self.rooted(command)],
            cwd=folder,
            env={**self._outside, "HOME": str(home), **variables},
            stdin=subprocess.DEVNULL,
            check=True,
        )


def context_of(root: Path, into: Path) -> None:
    """Copy what ``.dockerignore`` lets through of ``root``: it leaves everything out, but for the names after ``!``."""
    first, *lines = [line for line in (root / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    if first != "*":
        raise ValueError(".dockerignore: `*` has to come first")
    into.mkdir(parents=True)
    for name in (line[1:] for line in lines if line.startswith("!")):
        if (root / name).is_dir():
            shutil.copytree(root / name, into / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(root / name, into / name)


def size_bytes(folder: Path) -> int:
    """Return the bytes of the files in ``folder``."""
    return sum(os.lstat(Path(place) / name).st_size for place, _, names in os.walk(folder) for name in names)
