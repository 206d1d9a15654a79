"""Lines of Markdown: their markers come off, and what they mean is said or heard as a pause."""

import re
import unicodedata

from primavoce.normalize.draft import Draft, Edit, left_out
from primavoce.normalize.options import ReadingOptions
from primavoce.normalize.tongue import Tongue
from primavoce.text import Kind
from primavoce.text.structure import Line, closes_fence, line_at
from primavoce.text.view import view_from

FINAL_MARKS = frozenset(".!?…:;,。！？：；，、।॥؟۔؛،—")
"""After one of these a line needs no period for the voice to pause."""

_MARGIN = re.compile(
    r"[ \t\r]*+(?:>(?!=|\d|[ \t]*+[-+]?[$€£]?\d[\d.,]*+[ \t]?[\w%°]{0,4}[ \t\r]*+$)[ \t]?)++", re.MULTILINE
)
"""The marks of a quotation; not a comparison, as in ">= 3", or a line that is no more than "> 3 kg"."""
_RULE = re.compile(r"[ \t>]*+(?:(?:-[ \t]*+){2,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+|={1,}+)[ \t\r]*+\Z")
_UNDERLINE = re.compile(r"[ \t>]*+(?:=++|-{2,}+)[ \t\r]*+\Z")
_RULE_ROW = re.compile(r"(?=[^|]*+\|)(?=[^-]*+-)[ \t\r>|:+=-]++\Z")
_CLOSING_HASHES = re.compile(r"(?<![ \t#])[ \t]++#++[ \t\r]*+\Z")
_TASK = re.compile(r"[ \t]*+\[([ xX])\](?=\s)")
_ROMAN_NUMBER = re.compile(r"(xl|l?x{0,3})(ix|iv|v?i{0,3})")
_CELL_EDGE = re.compile(r"(?<![ \t])[ \t]*+(?:(?<!\\)\|[ \t\r]*+)++")
_DEFINITION = re.compile(r"\[[^\]\n]{1,100}+\]:[ \t]*+<?(?:https?://|www\.|mailto:|[/#.])\S*+.*")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,40}+\]:")
_CALLOUT = re.compile(r"\[!([A-Za-z]{1,20}+)\]")

_NO_ITEM = re.compile(r"[ \t\r>]*+(?:\(\d{2,4}\)[ \t]\d{3,4}[-. \u2010\u2011]\d{3,4}(?!\d)|[pc]\.[ \t]\d)")
"""(555) 123-4567 begins with what would be an item's number, "p. 5" with what would be its letter."""

_LOOKED_THROUGH = frozenset("*_~`\"'")
_LOOKED_THROUGH_KINDS = frozenset({"Zs", "Cc", "Cf", "Pe", "Pf", "So", "Sk", "Mn"})


def kind_of(text: str) -> Kind:
    """Return what a text by itself is, told by its beginning."""
    return _kind_at(text, 0, None)


def structure(draft: Draft, tongue: Tongue, kind: Kind, *, after: Kind | None, options: ReadingOptions) -> Kind:
    """Take the markers off each line of ``draft``, and say what has to be said of them.

    Args:
        draft: As it was written, but for its controls.
        tongue: For what we say of our own.
        kind: What the first line is; lines after it are told by their beginnings.
        after: What came before it, so that a table is announced once.
        options: What becomes of code and tables.

    Returns:
        The kind of the last line, for `closed`.
    """
    text = draft.text
    edits: list[Edit] = []
    previous = after
    at = 0
    while at <= len(text):
        this = kind if at == 0 else _kind_at(text, at, previous)
        end = _fence_end(text, at) if this == "fence" else _line_end(text, at)
        if this != "fence" and _is_rule(text[at:end]):
            left_out(end - at, "a rule across the page or a table")
            edits.append((at, end, ""))
            at = end + 1
            continue
        if this == "fence":
            edits += _fence(text, at, end, tongue, options)
        elif this == "row":
            edits += _row(text, at, end, tongue, options, first=previous != "row")
        else:
            edits += _marked(text, at, end, this, tongue)
        if end < len(text) and _pauses_at(text, at, end, this):
            edits.append((end, end, full_stop(tongue)))
        previous = this
        at = end + 1
    draft.edit(edits)
    return this


def closed(draft: Draft, tongue: Tongue) -> None:
    """End ``draft`` with a period if no mark ends it, so that the voice falls."""
    end = draft.said_end()
    if end and not _ended(draft.text, 0, end):
        draft.edit([(end, end, full_stop(tongue))])


def full_stop(tongue: Tongue) -> str:
    """Return the mark that ends a sentence."""
    return tongue.phrases.get("full_stop", ".")


# --- lines


def _line(text: str, at: int) -> Line:
    line = line_at(view_from(text, at, at, more=False), at)
    assert line is not None, "the text is complete"
    return line


def _kind_at(text: str, at: int, previous: Kind | None) -> Kind:
    """Return what the line that begins ``at`` is, by itself and by the lines beside it."""
    end = _line_end(text, at)
    kind = "prose" if _is_rule(text[at:end]) or _NO_ITEM.match(text, at) else _line(text, at).kind
    if kind != "prose":
        return kind
    below = text[end + 1 : _line_end(text, end + 1)]
    if text.find("|", at, end) >= 0 and (previous == "row" or _RULE_ROW.match(below)):
        return "row"
    return "heading" if _UNDERLINE.match(below) and text[at:end].strip() else "prose"


def _is_rule(line: str) -> bool:
    return bool(_RULE.match(line) or _RULE_ROW.match(line))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _pauses_at(text: str, at: int, end: int, kind: Kind) -> bool:
    """Whether a line break within the text is heard: after anything but prose, and before a blank line or a rule."""
    below = text[end + 1 : _line_end(text, end + 1)]
    blank = not below.strip() or _is_rule(below)
    return (kind in {"heading", "item", "row"} or blank) and not _ended(text, at, end)


def _ended(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` ends with a mark, or with nothing to end; closing brackets and emoji aside."""
    for at in range(end - 1, start - 1, -1):
        char = text[at]
        if char in FINAL_MARKS:
            return True
        if char not in _LOOKED_THROUGH and unicodedata.category(char) not in _LOOKED_THROUGH_KINDS:
            return False
    return True


def _marked(text: str, at: int, end: int, kind: Kind, tongue: Tongue) -> list[Edit]:
    """Return the edits for a heading, an item or a line of prose."""
    edits: list[Edit] = []
    if margin := _MARGIN.match(text, at, end):
        edits.append((at, margin.end(), ""))
        at = margin.end()
    if kind == "prose" or _NO_ITEM.match(text, at):
        return edits + _line_of_prose(text, at, end)
    line = _line(text, at)
    if line.kind != kind:
        return edits  # a later sentence of the same line
    edits.append((at, line.content, _label(line.marker)))
    if kind == "heading":
        if hashes := _CLOSING_HASHES.search(text[at:end], line.content - at):
            edits.append((at + hashes.start(), end, ""))
    elif task := _TASK.match(text, line.content, end):
        edits.append((*task.span(), _announcement(tongue, "to_do" if task[1] == " " else "done", ": ")))
    return edits


def _line_of_prose(text: str, at: int, end: int) -> list[Edit]:
    if _DEFINITION.fullmatch(text, at, end):
        left_out(end - at, "where a link leads")
        return [(at, end, "")]
    if footnote := _FOOTNOTE.match(text, at, end):
        left_out(len(footnote.group()), "a footnote's number")
        return [(*footnote.span(), "")]
    if callout := _CALLOUT.match(text, at, end):
        return [(*callout.span(), f"{callout[1].capitalize()}:")]
    return []


def _label(marker: str) -> str:
    """Return how an item's number is written to be read: ``2.`` becomes ``2:``. Bullets and hashes are not read."""
    number = marker.strip("().۔")
    if not number.isalnum():
        return ""
    if len(number) > 1 and number.isalpha():
        value = _roman_value(number)
        return f"{value or number}: "
    return f"{number.upper()}: "


def _roman_value(number: str) -> int:
    match = _ROMAN_NUMBER.fullmatch(number.lower())
    if match is None or number not in {number.lower(), number.upper()}:
        return 0
    tens, ones = match.groups()
    return (40 if tens == "xl" else 50 * tens.count("l") + 10 * tens.count("x")) + (
        {"ix": 9, "iv": 4}.get(ones) or 5 * ones.count("v") + ones.count("i")
    )


# --- tables and fences


def _row(text: str, at: int, end: int, tongue: Tongue, options: ReadingOptions, *, first: bool) -> list[Edit]:
    if margin := _MARGIN.match(text, at, end):
        begin = at + len(margin.group().rstrip(" \t"))
        return [(at, begin, ""), *_row(text, begin, end, tongue, options, first=first)]
    if options.tables == "skip" or (options.tables == "announce" and not first):
        left_out(end - at, "a table's row")
        return [(at, end, "")]
    if options.tables == "announce":
        left_out(end - at, "a table's row, announced")
        return [(at, end, _announcement(tongue, "table", full_stop(tongue)))]
    edits: list[Edit] = [(at, at, _announcement(tongue, "table", ": "))] if first else []
    comma = tongue.phrases.get("comma", ",")
    for edge in _CELL_EDGE.finditer(text, at, end):
        if edge.start() == at or edge.end() == end:
            edits.append((*edge.span(), ""))
        else:
            marked = text[edge.start() - 1] in FINAL_MARKS
            edits.append((*edge.span(), " " if marked else f"{comma} " if comma.isascii() else comma))
    return edits


def _fence_end(text: str, at: int) -> int:
    marker = _line(text, at).marker
    end = _line_end(text, at)
    while marker and end < len(text):
        begin, end = end + 1, _line_end(text, end + 1)
        if closes_fence(text[begin:end], marker):
            break
    return end


def _fence(text: str, at: int, end: int, tongue: Tongue, options: ReadingOptions) -> list[Edit]:
    if options.code != "read":
        left_out(end - at, "a code fence")
        announced = options.code == "announce"
        return [(at, end, _announcement(tongue, "code", full_stop(tongue)) if announced else "")]
    marker = _line(text, at).marker
    begin = min(_line_end(text, at) + 1, end)
    edits: list[Edit] = [(at, begin, "")]
    while begin < end:
        line_end = min(_line_end(text, begin), end)
        if marker and closes_fence(text[begin:line_end], marker):
            edits.append((begin, line_end, ""))
        elif not _ended(text, begin, line_end):
            edits.append((line_end, line_end, full_stop(tongue)))
        begin = line_end + 1
    return edits


def _announcement(tongue: Tongue, phrase: str, mark: str) -> str:
    """Return what we say of our own, or nothing in a language that has no words for it."""
    words = tongue.phrases.get(phrase)
    if words is None:
        left_out(0, f"no words for {phrase} in {tongue.tag}")
        return ""
    return words + mark
