"""Whether what follows a mark begins a new sentence."""

import re
from dataclasses import dataclass

from primavoce.text.before import LONGEST_WORD, Before, Preceding, word_before
from primavoce.text.languages import LanguageRules
from primavoce.text.marks import CLAUSE, OPENERS, is_cjk, is_hangul
from primavoce.text.view import REACH, View

_LETTERS = re.compile(r"[^\W\d_]+")
_ROMAN = re.compile(r"[IVXLCDM]{2,}|[IVX]")
_ROMAN_LETTERS = frozenset("IVXLCDM")
_WRITTEN_TOGETHER = re.compile(r"[/@\\_=.:]")
"""Signs of an address or of code, in which a capital after a period begins nothing: docs.example/System.Console."""

_IN_CODE = re.compile(r"[^\W_]+(?:-[^\W_]+)*(?P<sign>_(?=\w)|\(\)|\.(?=[^\W\d_]))?(?:[.(_-]\Z)?")
"""A word, up to a sign that only names in code have; or up to where one may yet come."""

_SUBJECT_AND_VERB = re.compile(r"[^\W\d_]+(?: (?P<verb>[^\W\d_]*))?")
_QUOTE_OPENERS = frozenset("\"'“‘[")
_QUOTE_CLOSERS = frozenset("\"”’'»")

_BRACKETS = "([{"
_INVERTED = "¿¡"
_DAY_DIGITS = 2

_PLAIN = {Before.WORD, Before.NUMBERING}
_HELD_AT_DIGIT = {Before.LABEL, Before.NUMBERING, Before.INNER, Before.INITIAL}
LONG_WORD = 6
"""Letters of a word that is no abbreviation; the few that are longer stand in the tables."""

_HELD = {Before.INNER, Before.INITIAL}


@dataclass(frozen=True, slots=True)
class Ending:
    """A run of marks that may end a sentence, with what surrounds it."""

    mark: int
    """Where the run begins."""
    run: int
    """Where it ends, and closing quotes, brackets and pictographs begin."""
    end: int
    """Where those end, and with them the sentence, if it does."""
    before: Preceding
    """What stands before the run."""
    ellipsis: bool
    """Whether it is made of dots, more than one."""


def starts_sentence(view: View, at: int, ending: Ending, rules: LanguageRules) -> bool | None:
    """Whether a sentence begins ``at`` a place after white space; None while the next characters decide."""
    text, first = view.text, at
    while first < view.limit and text[first] in OPENERS:
        first += 1
    if first == view.limit:
        return None if view.more else True
    char, kind = text[first], ending.before.kind
    if char.islower():
        quoted = not _QUOTE_OPENERS.isdisjoint(text[at:first])
        return _at_lowercase(view, first, ending, rules, quoted=quoted)
    leads = kind is Before.NOTHING and ending.ellipsis
    if leads or char in CLAUSE or kind in {Before.OPENING, Before.COUNT}:
        return False
    if char.isupper() and char.isalpha():
        bracketed = any(bracket in text[at:first] for bracket in _BRACKETS)
        return _at_capital(view, first, ending, rules, bracketed=bracketed)
    return _at_caseless(char, ending)


def _at_caseless(char: str, ending: Ending) -> bool:
    """Whether a sentence begins at a digit, a symbol, or a letter of a script without capitals."""
    kind = ending.before.kind
    if char in _INVERTED:
        return True
    if char.isalpha():
        return not ending.ellipsis and kind not in _HELD
    if ending.ellipsis and char.isdigit() and ending.before.word[-1:].isdigit():
        return False  # a countdown: 3... 2... 1
    return kind not in (_HELD_AT_DIGIT if char.isdigit() else _HELD)


def _at_lowercase(view: View, at: int, ending: Ending, rules: LanguageRules, *, quoted: bool) -> bool | None:
    """Whether a sentence begins at a lowercase letter: at a name like iPhone, or where capitals are not used at all."""
    if ending.before.kind not in _PLAIN or ending.ellipsis:
        return False
    if ending.end == ending.run and _writes_lowercase(view, ending.before.word):
        return True
    period = view.text[ending.mark : ending.run] == "."
    if quoted and period:
        return True
    if at + 1 < view.limit and view.text[at + 1].isupper():
        return True
    if not period:
        return None if at + 1 == view.limit and view.more else False
    return _is_small_name(view, at, ending.before.word, rules)


def _is_small_name(view: View, at: int, last_word: str, rules: LanguageRules) -> bool | None:
    """Whether the word ``at`` a place is a name that has no capital even where a sentence begins: npm, run(), file.txt.

    After a long word, which is no abbreviation, any is that wouldn't have kept its lowercase at a beginning.
    """
    match = _IN_CODE.match(view.text, at, view.limit)
    assert match is not None
    if match["sign"]:
        return True
    if match.end() == view.limit and view.more:
        return None
    word = match.group().rstrip(".(_-")
    if len(last_word) >= LONG_WORD and last_word.islower() and last_word.isalpha() and rules.starters:
        return word not in rules.starters
    return word in rules.small_names or (word.isalnum() and not word.isalpha())


def _writes_lowercase(view: View, last_word: str) -> bool:
    """Whether the sentence itself began without a capital; its last word must not be a name (the band Wham! toured)."""
    first = _LETTERS.search(view.text, view.start, min(view.start + REACH, view.limit))
    return first is not None and first.group().islower() and len(last_word) > 1 and last_word.islower()


def _at_capital(view: View, at: int, ending: Ending, rules: LanguageRules, *, bracketed: bool) -> bool | None:
    kind = ending.before.kind
    if kind in _PLAIN or kind is Before.NOTHING:
        quoted = rules.attributions and view.text[ending.mark] in "?!" and _closes_quote(view, ending)
        return not quoted or _starts_after_quote(view, at, rules)
    if _any_capital_starts(view.text[at], ending, rules):
        return True
    word = _next_word(view, at)
    if word is None:
        return None
    starter = not bracketed and word.lower() in rules.starters and not _is_initial(view, at, word)
    if len(word) > 1 and word.isupper():
        starter = False  # a word that is stressed, or an acronym: SunSoft Inc. AND
    match kind:
        case Before.CLOSING:
            return word.lower() not in rules.continuers
        case Before.NUMBER:
            return not _is_ordinal(view, ending, word, rules, starter=starter)
        case Before.LABEL if not _ROMAN.fullmatch(word):
            return starter or len(ending.before.word) > 1
    return starter


def _any_capital_starts(capital: str, ending: Ending, rules: LanguageRules) -> bool:
    """Whether it takes no more than the first letter of the next word to know that a sentence begins with it."""
    if ending.before.kind is Before.NUMBER:
        return not _may_be_ordinal(ending, rules)
    return ending.before.kind is Before.LABEL and len(ending.before.word) > 1 and capital not in _ROMAN_LETTERS


def _closes_quote(view: View, ending: Ending) -> bool:
    return not _QUOTE_CLOSERS.isdisjoint(view.text[ending.run : ending.end])


def _starts_after_quote(view: View, at: int, rules: LanguageRules) -> bool | None:
    """Whether a capital after a question or call in quotes begins a sentence, not its attribution: “Ready?” I asked."""
    match = _SUBJECT_AND_VERB.match(view.text, at, view.limit)
    assert match is not None
    verb = match["verb"]
    if match.end() == view.limit and view.more:
        return None if any(known.startswith(verb or "") for known in rules.attributions) else True
    return verb not in rules.attributions


def _next_word(view: View, at: int) -> str | None:
    """Return the letters that begin ``at``, or None while they may go on."""
    match = _LETTERS.match(view.text, at, view.limit)
    assert match is not None
    return None if match.end() == view.limit and view.more else match.group()


def _is_initial(view: View, at: int, word: str) -> bool:
    """Whether a word is a capital with a period, so that even "I" or "A" starts nothing: J. I. Brandt."""
    return len(word) == 1 and view.text.startswith(".", at + 1)


def _is_ordinal(view: View, ending: Ending, word: str, rules: LanguageRules, *, starter: bool) -> bool:
    """Whether a number with a period is an ordinal before ``word``: Am 3. Oktober."""
    if not _may_be_ordinal(ending, rules):
        return False
    if word.lower() in rules.ordinal_nouns:
        return True
    lead = word_before(view, ending.mark - len(ending.before.word))
    return not starter and lead.lower() in rules.ordinal_leads


def _may_be_ordinal(ending: Ending, rules: LanguageRules) -> bool:
    number = ending.before.word
    return bool(rules.ordinal_nouns) and number.isdecimal() and len(number) <= _DAY_DIGITS


def starts_glued(view: View, ending: Ending, rules: LanguageRules) -> bool | None:
    """Whether a sentence begins right after a mark, with no space; None while the next characters decide.

    Agents glue two turns together ("Search done.Here is…"). Names and code have marks inside, too.
    """
    at = ending.end
    char = view.text[at]
    kind = ending.before.kind
    closed = view.text[ending.run : at].strip("*_~")
    period = view.text[ending.mark : ending.run] in ".．" and not closed
    if (
        view.text[ending.mark : ending.run] == ".."
        or kind is Before.NOTHING
        or not (char.isupper() or char in "“«„¿¡" or (char.isalpha() and not char.islower()))
    ):
        return False
    if not char.isalpha():
        return kind in _PLAIN and starts_sentence(view, at, ending, rules)
    if not char.isupper():
        if is_hangul(char) and ending.run < at:
            return False  # Korean writes its particles onto a closed quotation, and sentences apart: "갈까요?"라고
        return not ending.ellipsis and (not period or (is_cjk(char) and kind in _PLAIN))
    if not period:
        return kind in _PLAIN and not _is_written_together(view, ending.mark)
    return _capital_after_period(view, at, ending, rules)


def _capital_after_period(view: View, at: int, ending: Ending, rules: LanguageRules) -> bool | None:
    """Whether a period between two words without a space ends a sentence: done.Here does, ASP.NET doesn't."""
    last, kind = ending.before.word, ending.before.kind
    counted = kind is Before.NUMBER and last.isdecimal()
    sentence_like = (kind in _PLAIN or kind is Before.CLOSING) and len(last) > 1 and last.isalpha()
    if not (sentence_like or counted) or _is_written_together(view, ending.mark):
        return False
    word = _next_word(view, at)
    if word is None or (at + len(word) + 1 >= view.limit and view.more):
        return None
    if re.match(r"[\w(\[/@\\=]|\.\w", view.text[at + len(word) : at + len(word) + 2]):
        return False
    if last.islower() and last not in rules.modules and kind in _PLAIN and word[1:].islower():
        return True
    return word.lower() in rules.starters and not word[1:].isupper()


def _is_written_together(view: View, mark: int) -> bool:
    """Whether the mark is inside an address or code, by what stands before it up to the last space."""
    start = max(view.start, mark - LONGEST_WORD)
    token = view.text[start:mark].split()[-1:] if view.text[mark - 1 : mark].strip() else []
    return bool(token) and _WRITTEN_TOGETHER.search(token[0]) is not None
