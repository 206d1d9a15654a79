"""Whether a sentence ends at a mark.

A decision reads the characters around the mark, never the cuts between deltas, and says `WAIT` whenever a
character that it needs has not come. What it once said stays true whatever comes later: this is what makes the
sentences independent of how the text was cut.
"""

import re

from primavoce.text.before import Before, before, is_count
from primavoce.text.following import Ending, starts_glued, starts_sentence
from primavoce.text.languages import LanguageRules
from primavoce.text.marks import (
    ASKS,
    CLAUSE,
    CLOSERS,
    CLOSERS_UNQUOTED,
    PARTIAL_CLOSER,
    RUN,
    SEMICOLONS,
    SOFT,
    SPACE,
    STOPS,
    is_greek,
    is_hangul,
    is_thai,
    past,
)
from primavoce.text.structure import line_break_ends, line_is_prose
from primavoce.text.view import Decision, Verdict, View

_QUOTED = ('"', "'", "“", "”", "‘", "’")
_BLANK_LINE = re.compile(r"[ \t\r]*\n[ \t\r]*\n")


def at_mark(view: View, mark: int, rules: LanguageRules, *, quoted: bool) -> Decision:
    """Return whether a sentence ends at ``mark``; ``quoted`` says whether a quotation or bracket is open there."""
    char = view.text[mark]
    if char in SEMICOLONS and not (is_greek(char) or is_greek(view.text[max(view.start, mark - 1)])):
        return Decision(Verdict.NONE, mark + 1)
    if view.more and mark + 1 == view.limit and char not in STOPS:
        return Decision(Verdict.WAIT, mark)
    if char in STOPS or char in ASKS:
        return _at_plain_mark(view, mark, quoted=quoted)
    return _at_soft_mark(view, mark, rules)


def rest_after(view: View, mark: int, rules: LanguageRules, *, quoted: bool) -> int | None:
    """Return where the sentence of ``mark`` ends if it lacks nothing but proof, so that a pause may release it."""
    run = past(RUN, view.text, mark + 1, view.limit)
    plain = view.text[mark] in STOPS or view.text[mark] in ASKS
    end = past(CLOSERS_UNQUOTED if plain and not quoted else CLOSERS, view.text, run, view.limit)
    if past(SPACE, view.text, end, view.limit) < len(view.text):
        return None
    preceding = before(view, mark, run, rules)
    alone = preceding.kind is Before.LABEL and view.text[view.start : mark].strip() == preceding.word
    return end if preceding.kind in {Before.WORD, Before.NUMBERING} or alone else None


# --- marks that mean nothing else ----------------------------------------------------------------------------


def _at_plain_mark(view: View, mark: int, *, quoted: bool) -> Decision:
    """Decide at a mark that ends a sentence, unless a quotation goes on after it."""
    text = view.text
    if text[mark] in STOPS:
        if text[mark - 1 : mark].isdecimal() and is_count(view, mark):
            return Decision(Verdict.NONE, mark + 1)
        if not quoted:
            return Decision(Verdict.BOUNDARY, mark + 1)
    run = past(RUN, text, mark + 1, view.limit)
    end = past(CLOSERS if quoted else CLOSERS_UNQUOTED, text, run, view.limit)
    after = past(SPACE, text, end, view.limit)
    if after == view.limit or _closer_may_follow(view, end):
        return _at_limit(view, end)
    goes_on = _goes_on(view, run, end, after)
    if goes_on is None:
        return Decision(Verdict.WAIT, end)
    return Decision(Verdict.NONE if goes_on else Verdict.BOUNDARY, end)


def _goes_on(view: View, run: int, end: int, after: int) -> bool | None:
    """Whether the sentence goes on after a plain mark and what closes with it."""
    if after == end:
        return view.text[end] in CLAUSE + SOFT + STOPS + ASKS or (end > run and _is_quoting(view, end))
    return end > run and view.text[after].islower()  # “下雨了。” in Chinese


def _is_quoting(view: View, at: int) -> bool | None:
    """Whether a particle after a closed quotation makes it part of the sentence: 「行く。」と言った."""
    if is_hangul(view.text[at]):
        return True
    if view.more and at + 1 == view.limit and view.text[at] == "っ":
        return None
    return view.text.startswith(("と", "って"), at)


def _at_limit(view: View, end: int) -> Decision:
    return Decision(Verdict.WAIT, end) if view.more else Decision(Verdict.BOUNDARY, end)


def _closer_may_follow(view: View, end: int) -> bool:
    """Whether the text stops inside what may yet close the sentence, as a numbered reference does: "old.[1"."""
    return past(PARTIAL_CLOSER, view.text, end, view.limit) == view.limit


# --- marks that need proof -----------------------------------------------------------------------------------


def _at_soft_mark(view: View, mark: int, rules: LanguageRules) -> Decision:
    """Decide at a mark that is also found inside words, names and numbers."""
    text, limit = view.text, view.limit
    run = past(RUN, text, mark + 1, limit)
    end = past(CLOSERS, text, run, limit)
    after = past(SPACE, text, end, limit)
    if _BLANK_LINE.match(text, end, after):
        return Decision(Verdict.BOUNDARY, end)
    if after == limit or _closer_may_follow(view, end):
        return _at_limit(view, end)
    if text[mark - 1 : mark] in _QUOTED and text[run] in _QUOTED:
        return Decision(Verdict.NONE, end)  # it is quoted by itself: '?' stands for one letter
    ending = Ending(mark, run, end, before(view, mark, run, rules), _is_ellipsis(text[mark:run]))
    line_break = text.find("\n", end, after)
    if line_break >= 0:
        return _at_line_end(view, after, line_break, ending, rules)
    starts = starts_glued(view, ending, rules) if after == end else _starts_apart(view, after, ending, rules)
    return _decided(starts=starts, end=end)


def _decided(*, starts: bool | None, end: int) -> Decision:
    if starts is None:
        return Decision(Verdict.WAIT, end)
    return Decision(Verdict.BOUNDARY if starts else Verdict.NONE, end)


def _at_line_end(view: View, after: int, line_break: int, ending: Ending, rules: LanguageRules) -> Decision:
    """Decide at a mark with a line break behind it, which ends the segment by itself unless it is a soft wrap.

    What always has something after it, a title or the number of an item, has it on the next line.
    """
    if ending.before.kind in {Before.OPENING, Before.COUNT}:
        wraps = line_is_prose(view, line_break + 1)
        return (
            _decided(starts=None, end=ending.end) if wraps is None else _decided(starts=not wraps, end=line_break + 1)
        )
    ends = line_break_ends(view, line_break + 1)
    starts = _starts_apart(view, after, ending, rules) if ends is False else ends
    return _decided(starts=starts, end=ending.end)


def _starts_apart(view: View, after: int, ending: Ending, rules: LanguageRules) -> bool | None:
    """Whether a sentence begins ``after`` white space."""
    if is_thai(view.text[ending.mark - 1 : ending.mark]) and view.text[ending.mark] == ".":
        return False
    return starts_sentence(view, after, ending, rules)


def _is_ellipsis(run: str) -> bool:
    return (len(run) > 1 or run == "…") and not run.strip(".．… \u00a0")
