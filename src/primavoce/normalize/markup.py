"""Markdown and HTML within a line: the marks go, what they mark is read."""

import html
import re
from collections.abc import Iterator

from markdown_it.token import Token

from primavoce.normalize.draft import Draft, Edit, left_out
from primavoce.normalize.html_tags import BREAKING, KNOWN, UNREAD
from primavoce.normalize.inline import tokens_of
from primavoce.normalize.structure import FINAL_MARKS
from primavoce.normalize.tongue import Tongue

STRETCH = 2000
"""Characters that are parsed at once: the parser is not linear on every text, and hardly a sentence is longer."""

_MAYBE = re.compile(r"[*`\[\]\\_]|~~|<[A-Za-z/!?]|&[#A-Za-z]|  \n")
"""What a text with markup in it has one of; most sentences have none, and are done here."""

_HIGHLIGHT = re.compile(r"(?<![=\w!<>])==(?=[^\s=])([^=\n]{1,200}(?<!\s))==(?![=\w])")
_LOWERED = re.compile(r"(?<=[\w)])~([\w+-]{1,8})~(?!~)")
_RAISED = re.compile(r"(?<=[\w)])\^([\w+-]{1,8})\^(?!\^)")
"""Marks that some dialects know: ==highlighted==, H~2~O, x^2^."""

_MARKS = "*_`[]<&\\!~"
_TANGLED = re.compile(r"[*`~\[\]]++|(?<![^\W_])_++|_++(?![^\W_])")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*+)")
_ALT = re.compile(r"""\balt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""", re.IGNORECASE)
_NOTHING = re.compile(r"(?:<[^<>]*+>|[\s*_~`])*+")
_WORD_PARTS = str.maketrans("-_", "  ")

_REASONS = {
    "footnote": "a footnote's number",
    "citation": "a source's number",
    "link_tail": "where a link leads",
}


def markup(draft: Draft, tongue: Tongue) -> None:
    """Take Markdown's and HTML's marks out of ``draft``, and decode entities."""
    draft.rewrite(_HIGHLIGHT, lambda match: match[1])
    draft.rewrite(_LOWERED, lambda match: match[1])
    draft.rewrite(_RAISED, lambda match: match[1] if _is_ending(match) else f"^{match[1]}")
    text = draft.text
    if not _MAYBE.search(text):
        return
    edits: list[Edit] = []
    for start, end in _stretches(text):
        stretch = text[start:end]
        reading = _tangle_edits(stretch) if _tangled(stretch) else _Reading(stretch, tongue).edits()
        edits += [(start + first, start + last, new) for first, last, new in reading]
    draft.edit(edits)


def _is_ending(match: re.Match[str]) -> bool:
    """Whether what is raised is an ordinal's ending: 1^st^."""
    return match[1].isalpha() and match.string[match.start() - 1].isdigit()


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while len(text) - start > STRETCH:
        end = max(text.rfind(" ", start, start + STRETCH), text.rfind("\n", start, start + STRETCH)) + 1
        end = end or start + STRETCH
        yield start, end
        start = end
    yield start, len(text)


def _tangled(text: str) -> bool:
    """Whether so much of ``text`` is marks that nobody wrote them to mark anything, nor should a parser try."""
    return len(text) > 200 and 4 * sum(map(text.count, _MARKS)) > len(text)


def _tangle_edits(text: str) -> list[Edit]:
    edits: list[Edit] = [(*marks.span(), "") for marks in _TANGLED.finditer(text)]
    left_out(sum(end - start for start, end, _ in edits), "marks that mark nothing")
    return edits


class _Reading:
    """One stretch: its tokens, in order, turned into edits."""

    def __init__(self, text: str, tongue: Tongue) -> None:
        self._text = text
        self._comma = tongue.phrases.get("comma", ",")
        self._edits: list[Edit] = []
        self._done = 0  # what lies before is read, or is not to be
        self._last = ""  # the last character that is read, if no pause has come after it

    def edits(self) -> list[Edit]:
        tokens = tokens_of(self._text)
        for at, token in enumerate(tokens):
            if token.meta["start"] >= self._done:
                self._token(token, tokens[at + 1] if at + 1 < len(tokens) else None)
        return self._edits

    def _token(self, token: Token, following: Token | None) -> None:
        start, end = token.meta["start"], token.meta["end"]
        match token.type:
            case "text":
                self._plain(token, start, end)
            case "text_special":
                self._read(token.content)
                if token.content != self._text[start:end]:
                    self._replace(start, end, token.content)
            case "code_inline":
                self._read(token.content)
                marks = len(token.markup)
                self._replace(start, start + marks, "")
                self._replace(end - marks, end, "")
            case "html_inline":
                self._tag(start, end)
            case "hardbreak":
                self._replace(start, end, self._break(end))
            case "link_open":
                if following is not None and following.type == "link_close":
                    left_out(following.meta["end"] - start, "a link or an image without words")
                self._replace(start, end, "")
            case "link_close":
                self._replace(start, end, " " if self._text[end : end + 1] == "[" else "")
            case "placeholder":
                self._placeholder(start, end, token.content[1:-1].lower(), closing=False)
            case kind:
                if kind in _REASONS:
                    left_out(end - start, _REASONS[kind])
                self._replace(start, end, "")

    def _replace(self, start: int, end: int, new: str) -> None:
        if start < end:
            self._edits.append((start, end, new))
        self._done = max(self._done, end)

    # --- text

    def _plain(self, token: Token, start: int, end: int) -> None:
        content = token.content
        if not content:
            self._replace(start, end, "")  # the outer half of a pair of stars
        elif token.meta.get("kept"):
            self._read(content)
        elif content[0] in "[]`":
            if not content.strip("[]`"):
                left_out(end - start, "a mark without its pair")
                self._replace(start, end, "")
        elif content[0] in "*_~" and not content.strip("*_~"):
            self._unpaired(content[0], start, end)
        else:
            self._read(content)

    def _read(self, content: str) -> None:
        self._last = content.rstrip()[-1:] or self._last

    def _unpaired(self, mark: str, start: int, end: int) -> None:
        """Decide about a star or the like that pairs with none in this sentence: some multiply, some are a name's."""
        text = self._text
        first, last = start, end
        while first and text[first - 1] == mark:
            first -= 1
        while last < len(text) and text[last] == mark:
            last += 1
        before, after = text[first - 1 : first], text[last : last + 1]
        between_words = before.isalnum() and after.isalnum()
        if mark == "~":
            kept = last - first == 1
        elif mark == "*":
            kept = between_words or (last - first <= 2 and not (before + after).strip())
        else:
            kept = between_words or (after.isalnum() and "_" in text[last : last + 40].split(None, 1)[0])
        if not kept:
            left_out(end - start, "a mark without its pair")
            self._replace(start, end, "")

    # --- HTML

    def _tag(self, start: int, end: int) -> None:
        source = self._text[start:end]
        tag = _TAG.match(source)
        if tag is None:
            left_out(end - start, "a comment")
            self._replace(start, end, "")
            return
        closing, name = bool(tag[1]), tag[2].lower()
        if name not in KNOWN:
            self._placeholder(start, end, name, closing=closing)
        elif name in UNREAD and not closing:
            self._unread(start, end, name)
        elif name == "img" and (alt := _ALT.search(source)):
            self._replace(start, end, html.unescape(alt[1] or alt[2] or ""))
        elif name in BREAKING:
            heard = closing or name in {"br", "hr"}
            self._replace(start, end, self._break(end) if heard else " ")
        else:
            self._replace(start, end, "")

    def _unread(self, start: int, end: int, name: str) -> None:
        """Leave an element's content out, if the sentence has its end."""
        closing = re.compile(rf"</{name}\s*+>", re.IGNORECASE).search(self._text, end)
        last = closing.end() if closing else end
        left_out(last - start, f"HTML: {name}")
        self._replace(start, last, " ")

    def _placeholder(self, start: int, end: int, name: str, *, closing: bool) -> None:
        """Read what looks like a tag and is none of HTML's: ``<your-name>``, ``List<String>``, ``x <y and z> w``."""
        inside = self._text[start + 1 : end - 1]
        attached = self._text[start - 1 : start].isalnum()
        if inside.lower() == name and (attached or f"</{name}" not in self._text.lower()[end:]):
            self._read(inside)
            self._replace(start, end, f" {inside.translate(_WORD_PARTS)} ")
        elif closing or "=" in inside or inside.lower() == name or inside.endswith("/"):
            left_out(end - start, "a tag")
            self._replace(start, end, "")

    def _break(self, end: int) -> str:
        """Return a comma where a line ends inside a sentence, unless there is a mark, or nothing to part."""
        if not self._last or self._last in FINAL_MARKS or _NOTHING.fullmatch(self._text, end):
            return " "
        self._last = ""
        return f"{self._comma} " if self._comma.isascii() else self._comma
