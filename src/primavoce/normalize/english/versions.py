"""Versions: v2.0.1 is "version two point zero point one", Python 3.12 "Python three point twelve"."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.figures import SPACE, count, short_year, spelled, year_words
from primavoce.normalize.tongue import Tongue

_STAGES = {
    "rc": "release candidate",
    "alpha": "alpha",
    "beta": "beta",
    "dev": "dev",
    "post": "post",
    "pre": "pre",
    "preview": "preview",
    "snapshot": "snapshot",
    "lts": "LTS",
    "stable": "stable",
    "a": "alpha",
    "b": "beta",
    "final": "final",
}
_STAGE = rf"(?:[-.]?({'|'.join(_STAGES)})[-.]?(\d{{1,6}})?(?![a-z0-9]))?"
_BUILD = r"(?:\+([A-Za-z0-9]{1,20}(?:[.-][A-Za-z0-9]{1,20}){0,3}))?"
_AFTER = rf"{_STAGE}{_BUILD}(?:\.([xX*]))?(?![\w%°]|\.\w|,\d|/\d|:\d)"

_V = re.compile(
    rf"(?<![\w.])(?:([Vv]ersion{SPACE}|[Vv]er\.{SPACE}?)v?|v\.?{SPACE}?)(\d{{1,8}}(?:\.\d{{1,8}}){{0,6}}){_AFTER}",
    re.IGNORECASE,
)
_DOTTED = re.compile(rf"(?<![\w.,$€£¥-])(\d{{1,8}}(?:\.\d{{1,8}}){{2,6}}){_AFTER}", re.IGNORECASE)
_STAGED = re.compile(
    r"(?<![\w.,$€£¥-])(\d{1,8}\.\d{1,8})(?:-?(rc|alpha|beta|dev|post)[-.]?(\d{1,6})?(?![a-z0-9])|\.([xX*])(?!\w))"
)
_NAMES = (
    "Python|PyPy|CPython|Node|Node\\.js|Java|JDK|Ruby|Rails|PHP|Go|Golang|Rust|Swift|Kotlin|Scala|Perl|Lua|Julia|R|TypeScript|"
    "ECMAScript|Django|Flask|FastAPI|NumPy|pandas|PyTorch|TensorFlow|CUDA|React|Angular|Vue|Next\\.js|npm|pip|uv|Git|GCC|"
    "Clang|CMake|Docker|Kubernetes|Helm|Terraform|Postgres|PostgreSQL|MySQL|SQLite|Redis|nginx|Ubuntu|Debian|Fedora|"
    "Alpine|Linux|kernel|macOS|iOS|iPadOS|watchOS|Android|Windows|Chrome|Firefox|Safari|Unity|Godot|Blender|Bluetooth|"
    "USB|HTTP|TLS|SSL|OpenSSL|OpenGL|Vulkan|HDMI|PCIe|Wi-Fi|Claude|GPT|Gemini|Llama|Mistral|Qwen|Whisper|Kokoro|Markdown|"
    "OpenAPI|Unicode|release|Release|releases|tag|update|Update|patch"
)
_NAMED = re.compile(
    rf"(?<![\w-])((?:{_NAMES})(?:{SPACE}|-|/))(\d{{1,4}}\.\d{{1,4}}){_AFTER}(?!{SPACE}?(?:million|billion|[KMGT]?i?[Bb]\b))"
)
_AT_LEAST = re.compile(rf"(?<![\w-])((?:{_NAMES})){SPACE}?>={SPACE}?(\d{{1,4}}(?:\.\d{{1,4}}){{0,3}})(?![\w.]\w|,)")
_WILD = re.compile(rf"(?<![\w-])((?:{_NAMES}){SPACE})(\d{{1,4}})\.[xX*](?!\w)")
_PLUS = re.compile(rf"(?<![\w-])((?:{_NAMES}){SPACE})(\d{{1,4}}(?:\.\d{{1,4}}){{0,3}})\+(?![\w])")


def versions(draft: Draft, tongue: Tongue) -> None:
    """Say numbers whose points part fields and not decimals."""

    def marked(match: re.Match[str]) -> str | None:
        if match.group()[0] == "V" and not match[1] and "." not in match[2]:
            return None  # a V8 is an engine
        word = "Version" if (match[1] or "v")[0] == "V" else "version"
        return f"{word} {_numbers(match[2], tongue)}{_rest(match[3], match[4], match[5], match[6], tongue)}"

    def dotted(match: re.Match[str]) -> str:
        return _numbers(match[1], tongue) + _rest(match[2], match[3], match[4], match[5], tongue)

    def staged(match: re.Match[str]) -> str:
        return _numbers(match[1], tongue) + _rest(match[2], match[3], None, match[4], tongue)

    def named(match: re.Match[str]) -> str:
        rest = _rest(match[3], match[4], match[5], match[6], tongue)
        return f"{match[1].rstrip(' -/')} {_numbers(match[2], tongue)}{rest}"

    draft.say(_AT_LEAST, lambda match: f"{match[1]} {_numbers(match[2], tongue)} or later")
    draft.say(_PLUS, lambda match: f"{match[1].rstrip()} {_numbers(match[2], tongue)} or later")
    draft.say(_WILD, lambda match: f"{match[1].rstrip()} {_numbers(match[2], tongue)} point X")
    draft.say(_V, marked)
    draft.say(_NAMED, named)
    draft.say(_DOTTED, dotted)
    draft.say(_STAGED, staged)


def _numbers(figures: str, tongue: Tongue) -> str:
    return " point ".join(_field(part, tongue) for part in figures.split("."))


def _field(figures: str, tongue: Tongue) -> str:
    if len(figures) > 1 and figures[0] == "0":
        return short_year(figures, tongue) if len(figures) == 2 and figures != "00" else spelled(figures, tongue)
    if len(figures) == 4 and 1990 <= int(figures) <= 2099:
        return year_words(int(figures), tongue)
    return count(figures, tongue) if len(figures) <= 4 else spelled(figures, tongue)


def _rest(stage: str | None, number: str | None, build: str | None, wild: str | None, tongue: Tongue) -> str:
    said = ""
    if stage:
        said += f" {_STAGES[stage.lower()]}"
    if number:
        said += f" {count(number, tongue)}"
    if build:
        parts = [count(part, tongue) if part.isdecimal() else part for part in re.split("[.-]", build)]
        said += f" plus {' '.join(parts)}"
    if wild:
        said += " point X"
    return said
