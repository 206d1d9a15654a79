"""Letters that stand alone: the phonemiser takes an A for the article, unless a period follows it."""

import re

from primavoce.normalize import labels
from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english.figures import SPACE
from primavoce.normalize.tongue import Tongue

_AFTER_LETTER = (
    rf"(?={SPACE}?[=≠<>≤≥+×÷^→⇒∈|/]|{SPACE}[-−–*]{SPACE}|{SPACE}(?:is|are|was|were|equals|plus|minus|times|and|or|to|into|"
    rf"has|if|then|with|in|on|at|of|for|as|from|but|because|when|means|does|will|should|must|can|gets?|goes|by|before|"
    rf"after|through|vs\.?|versus|instead|rather|than)\b|[,;:!?)\]]|['’]s\b)"
)
"""What doesn't come after an article."""
_CAPITAL = re.compile(rf"(?<![\w.@#$&'’/\\-])A(?![\w.@#$&\\-]|['’](?!s\b))(?!/[a-z]){_AFTER_LETTER}")
_INSIDE = re.compile(rf"(?<=[a-z{HELD}]{SPACE})A(?={SPACE}(?:[a-z{HELD}(]|[A-Z]\b))")
"""A capital inside a sentence: titles write an article so, but before a capital."""
_NAMED = re.compile(
    rf"(?<!\w)((?:letters?|vowels?|variables?|parameters?|arguments?|columns?|constants?|coefficients?|sides?|vectors?|"
    rf"note|key|named|called|where|let|set|options?|choice|answer|part|item|point|clause){SPACE}[\"“'‘]?)a(?=[\"”'’]?(?:{SPACE}(?:is|are|was|equals|and|or|to|be|in|=)\b|"
    rf"{SPACE}?[=<>≤≥]|[,;:!?)]|\.?{SPACE}?\Z|\.{SPACE}[A-Z]))"
)
_OPERAND = re.compile(
    rf"(?<![\w'’.-])a(?={SPACE}?[=≠<>≤≥+×÷^*/]{SPACE}?[\w(√-]|{SPACE}[-−]{SPACE}[\w(])(?!/[a-z])"
    rf"|(?<=[=≠<>≤≥+×÷*/−(]{SPACE})a(?=[,;:!?)]|\.?\Z|{SPACE}?[=≠<>≤≥+×÷*/)])|(?<=[=≠<>≤≥+×÷*√−])a(?![\w'’.])"
)
_GRADED = re.compile(r"(?<![\w.+-])(A|B|AB|O|C|D)\+(?=[ \u00a0,.;:!?)]|\Z)")
_LOWERED = re.compile(
    rf"(?i:\b(grades?|type|an?|got|blood|or|and|from|to)){SPACE}(A|B|AB|O|C|D)[-−](?=[ \u00a0](?![\d(])|[,.;:!?)]|\Z)"
)
"""Marks of a test, and kinds of blood: A+, B-, AB+."""
_QUOTED = re.compile(r"(?<=[\"“'‘])[aA](?=[\"”'’](?!\w))")
_TOGETHER = re.compile(rf"(?<![\w.'’-])A(?=(?:,{SPACE}[A-Z]){{1,6}}(?:,?{SPACE}(?:and|or|&){SPACE}[A-Z])?(?!\w))")


def lone_letters(draft: Draft, _tongue: Tongue) -> None:
    """Say an A that is a name and no article: "choose A or B", "if A is true", "a = 5", "the letter a"."""
    draft.say(_GRADED, lambda match: f"{labels.letters(match[1])} plus")
    draft.say(_LOWERED, lambda match: f"{match[1]} {labels.letters(match[2])} minus")
    draft.say(_NAMED, lambda match: f"{match[1]}A.")
    for pattern in (_QUOTED, _OPERAND, _TOGETHER, _CAPITAL, _INSIDE):
        draft.say(pattern, lambda _match: "A.")
