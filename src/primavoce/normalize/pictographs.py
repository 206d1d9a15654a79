"""Emoji and emoticons: passed over, or named in the language that is read."""

import re

import emoji

from primavoce.normalize.draft import HELD, Draft, Edit, Settled, left_out
from primavoce.normalize.tongue import Tongue

_SIGNS = "\u203c\u2049\u2139\u231a-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
_PARTS = rf"{_SIGNS}\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f"
_RUN = re.compile(rf"[#*0-9]\ufe0f?\u20e3|[{_PARTS}][{_PARTS}\u200d]{{0,47}}+")
"""Where emoji may be. The library takes quadratic time over a long run of joined ones, so it gets short ones. Arrows,
©, ® and ™ are not in it, though the library counts them among emoji: they are read as signs."""

_REST = re.compile("[\ufe0e\ufe0f\u20e3\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
                   "\U0001f000-\U0001faff]\u200d?")  # fmt: skip
"""Parts of emoji that belong to none, and emoji newer than the library."""

_FIGURES = frozenset("0123456789#*")
"""What a keycap begins with."""
_AS_WRITTEN = {"‼": "!!", "⁉": "!?", "➡": "→", "⬅": "←", "⬆": "↑", "⬇": "↓", "🔟": "10"}
"""Emoji that are read as what they are a picture of."""
_JOINTS = frozenset("\ufe0e\ufe0f\u20e3")
_ARROW_STYLE = re.compile("([\u2190-\u21ff©®™])[\ufe0e\ufe0f]")
_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_CELL_EDGES = frozenset({"", ",", ".", "、", "，"})

_EMOTICON = re.compile(
    r"""(?<! [\w:;=(\[/\\] )
        (?: [:;=] ['’]? [-^o]? [)(DPp/|\\OoSs\]\[}{*]  | [xX]D | \^[_.-]?\^ | ¯\\?\\_\(ツ\)_/¯ )
        (?= [)\]*_]{0,3} (?: \s | \Z | [.,!?;] ) )""",
    re.VERBOSE,
)
_EMOTICONS = {
    ")": "🙂", "]": "🙂", "}": "🙂", "(": "🙁", "[": "🙁", "{": "🙁", "D": "😄", "P": "😛", "p": "😛",
    "O": "😮", "o": "😮", "*": "😘", "/": "😕", "\\": "😕", "|": "😐", "S": "😖", "s": "😖", "^": "😊", "¯": "🤷",
    "x": "😆", "X": "😆",
}  # fmt: skip
"""Mouth, or for those without one the first character → the emoji by whose name it goes."""

_MARKS = frozenset(".,;:!?…(—–-。，、！？।：；")
"""Beside these a name needs no comma."""


def emoticons(draft: Draft, *, name: bool) -> None:
    """Take text emoticons out, or make emoji of them to be named; before Markdown takes their marks for its own."""
    text = draft.text
    edits: list[Edit] = []
    backticks = at = 0
    for match in _EMOTICON.finditer(text):
        backticks += text.count("`", at, match.start())
        at = match.start()
        if backticks % 2:
            continue  # inside a code span
        if name:
            edits.append((*match.span(), _emoji_of(match.group())))
        else:
            left_out(len(match.group()), "an emoticon")
            edits.append((*match.span(), ""))
    draft.edit(edits)


def pictographs(draft: Draft, tongue: Tongue, *, name: bool, row: bool = False) -> None:
    """Take emoji out, or name them.

    Args:
        draft: The sentence.
        tongue: In whose language they are named; in one that has no names for them they are passed over.
        name: Whether they are named.
        row: Whether this is a table's row: a cell that is nothing but an emoji is named in any case, for a row of
            ticks and crosses says nothing without them.
    """
    text = draft.text
    edits: list[Edit] = []
    for start, end, symbol in _runs(text):
        if symbol[0] in _FIGURES or symbol[0] in _AS_WRITTEN:
            edits.append((start, end, _as_written(text, start, end)))
            continue
        named = _name(symbol, tongue) if name or (row and _fills_cell(text, start, end)) else None
        if named is None:
            left_out(end - start, "an emoji without a name in this language" if name else "an emoji")
            edits.append((start, end, ""))
        else:
            edits += _with_commas(text, start, end, named, tongue.phrases.get("comma", ","))
    draft.edit(edits)
    draft.rewrite(_ARROW_STYLE, lambda match: match[1])
    draft.drop(_REST, "a part of an emoji, or one too new to have a name")


def _runs(text: str) -> list[tuple[int, int, str]]:
    """Return each emoji with its place; one that is repeated is one."""
    runs: list[tuple[int, int, str]] = []
    for stretch in _RUN.finditer(text):
        for found in emoji.emoji_list(stretch.group()):
            start, end = stretch.start() + found["match_start"], stretch.start() + found["match_end"]
            symbol = found["emoji"]
            if runs and runs[-1][1:] == (start, symbol):
                start = runs.pop()[0]
            runs.append((start, end, symbol))
    return runs


def _as_written(text: str, start: int, end: int) -> str:
    """Return figures and marks out of their boxes; a figure that begins the text numbers what follows."""
    plain = "".join(_AS_WRITTEN.get(char, char) for char in text[start:end] if char not in _JOINTS)
    return f"{plain}:" if start == 0 and plain.isdecimal() and text[end : end + 1].isspace() else plain


def _name(symbol: str, tongue: Tongue) -> str | None:
    """Return what ``symbol`` is called, without its tone of skin."""
    language = tongue.tag.partition("-")[0]
    if language not in emoji.LANGUAGES:
        return None
    plain = _TONES.sub("", symbol)
    for form in (plain, symbol):
        name = emoji.demojize(form, language=language, delimiters=("", ""))
        if name != form:
            return name.replace("_", " ").replace("-", " ").strip()
    return None


def _with_commas(text: str, start: int, end: int, name: str, comma: str) -> list[Edit]:
    """Return the edits that set ``name`` off from the words beside it."""
    before, after = start, end
    while before and text[before - 1].isspace():
        before -= 1
    while after < len(text) and text[after].isspace():
        after += 1
    edits: list[Edit] = [(start, end, Settled(name))]
    if before and text[before - 1] not in _MARKS:
        edits.insert(0, (before, start, f"{comma} " if comma.isascii() else comma))
    if after < len(text) and (text[after].isalnum() or text[after] == HELD):
        edits.append((end, end, comma))
    return edits


def _fills_cell(text: str, start: int, end: int) -> bool:
    return text[:start].rstrip(" ")[-1:] in _CELL_EDGES and text[end:].lstrip(" ")[:1] in _CELL_EDGES


def _emoji_of(emoticon: str) -> str:
    return _EMOTICONS[emoticon[0] if emoticon[0] in "^¯xX" else emoticon[-1]]
