"""Markdown within a line, told by markdown-it-py, with the place of each token in the source.

Its inline parser gives no places. But every rule of it advances ``state.pos`` over just what it consumed, so the rules
are called from one of ours, which notes on the tokens that they pushed where they came from; and what would gather as
text without a place (plain text, and characters that no rule wants) becomes a token at once.
"""

import re
from collections.abc import Callable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_inline import StateInline, autolink, backtick, entity, escape, html_inline, link
from markdown_it.rules_inline.emphasis import tokenize as emphasis
from markdown_it.rules_inline.strikethrough import tokenize as strikethrough
from markdown_it.token import Token

type Rule = Callable[[StateInline, bool], bool]

_MARKS = r"\n!&<\[\\\]_`*~"
_MARK = re.compile(f"[{_MARKS}]")
_STOP = re.compile(rf"https?://|www\.|[{_MARKS}]")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\[\]*`|\\]*+")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,40}+\]")
_NUMBERED = re.compile(r"(?:\[\d{1,3}(?:[,–-] ?\d{1,3}){0,9}\]){1,9}+(?![(\[])")
_POINTED_AT = re.compile(
    r"\b(?:press|choose|select|pick|type|enter|click|tap|hit|push|key|button|option|step|item|number|see|in|from|by|with|"
    r"reply|answer|say|dial|or|and|is|use|key|premi|scegli|digita|pulsa|elige|appuyez sur|choisissez|tapez)[ ]\Z",
    re.IGNORECASE,
)
"""A number in brackets after one of these isn't a source's: it is what is pressed, or where to look."""
_INDEX = re.compile(r"\[[^\[\]\s()]{0,40}+\](?!\()")
_PLACEHOLDER = re.compile(r"<[^\W\d][\w-]{0,60}+>")
_LINK_TAIL = re.compile(r"\]\((?:https?://|www\.|mailto:|[/#])[^\s()]{0,1000}+\)?")
_STARRED_NAME = re.compile(r"\*{1,2}(?:args|kwargs|kwds|opts?|options|params|argv)\b(?!\*)|\*(?=\.\w)")
_NEAR = 80
"""How far back the star that opens an emphasis ending inside a word is looked for."""


class _AnyReference(dict[str, dict[str, str]]):
    """References of which every label is one: a sentence never holds the line that says where ``[text][1]`` leads."""

    def get(self, _label: str, _default: object = None) -> dict[str, str]:
        return {"href": "", "title": ""}


class _Parser(MarkdownIt):
    """Where a link leads is not read, so it is neither checked nor rewritten."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802
        return link


def tokens_of(text: str) -> list[Token]:
    """Return the inline tokens of ``text`` in its order; ``meta["start"]`` and ``meta["end"]`` are a token's place.

    Text tokens with ``meta["kept"]`` hold characters that look like markup and aren't.
    """
    parser = _parser()
    tokens: list[Token] = []
    parser.inline.parse(text, parser, {"references": _AnyReference(), "citations": _citations(text)}, tokens)
    return sorted(tokens, key=lambda token: int(token.meta["start"]))


@cache
def _parser() -> MarkdownIt:
    parser = _Parser("zero", {"html": True})
    parser.inline.ruler = Ruler()
    parser.inline.ruler.push("located", _located)
    parser.inline.ruler2.enableOnly(["balance_pairs", "strikethrough", "emphasis"])
    return parser


def _located(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Apply the rule that knows what begins here, and note on its tokens where they are.

    It is the only rule that the parser has: asking each of many rules at each character costs most of its time.
    """
    start, count = state.pos, len(state.tokens)
    char = state.src[start]
    if not any(rule(state, silent) for rule in _RULES.get(char, ())):
        _push(state, start + 1 if _MARK.match(char) else _plain_end(state), silent=silent)
    if not silent:
        if state.pending:
            state.pushPending()
        _note_places(state.tokens[count:], start, state.pos)
    return True


def _note_places(pushed: list[Token], start: int, end: int) -> None:
    """Note where a rule's tokens are.

    A link's inner tokens have their places already; its opening bracket is one character, and its closing one takes
    the rest.
    """
    for token in pushed:
        if "end" not in token.meta:
            token.meta.update(start=start, end=end if token is pushed[-1] else start + (len(token.content) or 1))
        start = token.meta["end"]


def _plain_end(state: StateInline) -> int:
    stop = _STOP.search(state.src, state.pos + 1, state.posMax)
    return stop.start() if stop else state.posMax


def _push(state: StateInline, end: int, kind: str = "text", *, silent: bool, kept: bool = False) -> bool:
    """Take everything up to ``end`` as one token."""
    if not silent:
        token = state.push(kind, "", 0)
        token.content = state.src[state.pos : end]
        token.meta["kept"] = kept
    state.pos = end
    return True


def _address(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take a bare address as text: the marks in it are its own."""
    address = _ADDRESS.match(state.src, state.pos, state.posMax)
    if address is None:
        return False
    length = len(address.group().rstrip("_~"))
    return _push(state, state.pos + length, silent=silent, kept=True)


def _line_break(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    hard = state.src.endswith("  ", 0, state.pos)
    return _push(state, state.pos + 1, "hardbreak" if hard else "text", silent=silent)


def _star(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take stars that multiply, or stand for anything, or belong to a name, as text."""
    if silent:
        return False
    text, start = state.src, state.pos
    if name := _STARRED_NAME.match(text, start, state.posMax):
        return _push(state, name.end(), silent=silent, kept=True)
    end = start
    while end < state.posMax and text[end] == "*":
        end += 1
    before, after = text[start - 1 : start], text[end : end + 1]
    within = before.isalnum() and after.isalnum()
    factor = within and (after.isdigit() or (end - start == 1 and before.isdigit()))
    comment = end - start == 1 and "/" in {before, after}
    if factor or comment or (within and end - start == 1 and not _opened_before(text, start)):
        return _push(state, end, silent=silent, kept=True)
    return False


def _opened_before(text: str, at: int) -> bool:
    """Whether the star before ``at`` stands at the beginning of a word: then the one here may close what it opened."""
    star = text.rfind("*", max(0, at - _NEAR), at)
    return star >= 0 and not text[star - 1 : star].isalnum() and text[star + 1].isalnum()


def _footnote(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    footnote = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    return footnote is not None and _push(state, footnote.end(), "footnote", silent=silent)


def _citation(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    end = state.env["citations"].get(state.pos)
    return end is not None and end <= state.posMax and _push(state, end, "citation", silent=silent)


def _citations(text: str) -> dict[int, int]:
    """Return where numbers in brackets point to sources, if all that the text has do: "It is old.[12]".

    They stand after a mark, or between a word and a mark. In "choose [1] or [2]" they don't, and are read.
    """
    places: dict[int, int] = {}
    for numbered in _NUMBERED.finditer(text):
        before, after = text[: numbered.start()][-1:], text[numbered.end() :][:1]
        if before.isalnum():
            continue  # an index
        if _POINTED_AT.search(text, max(0, numbered.start() - 24), numbered.start()):
            return {}
        if before not in {*".!?,;:…)”»\"'"} and not (before == " " and (not after or after in ".,;:!?…)")):
            return {}
        if before:
            places[numbered.start()] = numbered.end()
    return places


def _index(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take brackets that are attached to a name, as in ``a[0]``, for code: their marks are not ours."""
    if not state.pos or not (state.src[state.pos - 1].isalnum() or state.src[state.pos - 1] == "]"):
        return False
    index = _INDEX.match(state.src, state.pos, state.posMax)
    return index is not None and _push(state, index.end(), silent=silent, kept=True)


def _image(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take the mark that makes an image of a link; what it shows is then read as a link's text is."""
    if not state.src.startswith("![", state.pos):
        return False
    start = state.pos
    state.pos += 1
    if not link(state, True):  # noqa: FBT003
        state.pos = start
        return False
    if not silent:
        state.pos = start
        _push(state, start + 1, "image", silent=silent)
    return True


def _placeholder(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take a name in angle brackets that HTML wouldn't allow, as in ``<API_KEY>``."""
    name = _PLACEHOLDER.match(state.src, state.pos, state.posMax)
    return name is not None and _push(state, name.end(), "placeholder", silent=silent)


def _link_tail(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take the end of a link that a sentence boundary tore apart."""
    tail = _LINK_TAIL.match(state.src, state.pos, state.posMax)
    return tail is not None and _push(state, tail.end(), "link_tail", silent=silent)


_RULES: dict[str, tuple[Rule, ...]] = {
    "\n": (_line_break,),
    "!": (_image,),
    "&": (entity,),
    "*": (_star, emphasis),
    "<": (autolink, html_inline, _placeholder),
    "[": (_footnote, _citation, _index, link),
    "\\": (escape,),
    "]": (_link_tail,),
    "_": (emphasis,),
    "`": (backtick,),
    "h": (_address,),
    "w": (_address,),
    "~": (strikethrough,),
}
"""Character → the rules for what may begin with it, the narrower first."""
