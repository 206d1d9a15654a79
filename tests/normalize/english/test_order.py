from hypothesis import example, given, settings
from hypothesis import strategies as st

from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english import RULES
from primavoce.normalize.languages.en import TONGUE
from primavoce.text.languages.rules import words

PIECES = st.sampled_from(
    sorted(
        words(
            "1 2 12 31 90 1984 2024 0 007 555 0132 ½ ² ₂ I V IV VIII MCMXCIV A Dr. St. May Sept. Mon. Henry Chapter",
            "pp. No. v2.0 JSON etc. e.g. 10k 3x x p.m. am BC FY Q3 H1 GPT-4 ft. lb w/o and to in of the rows",
            ". , : ; - – — / + = < > ^ × ± √ § # ( ) $ % ° ' ’ \" ! ? é 你",
        )
    )
)


@settings(max_examples=300)
@given(st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\u00a0"])), max_size=14))
@example([("½", ""), ("½", ""), ("²", "")])
def test_no_text_makes_a_rule_fail_or_loses_its_way_back(pieces: list[tuple[str, str]]) -> None:
    written = "".join(piece + gap for piece, gap in pieces)
    draft = Draft(written)

    for rule in RULES:
        rule(draft, TONGUE)
    spoken = draft.spoken()

    assert HELD not in spoken.text
    assert len(spoken.starts) == len(spoken.ends) == len(spoken.text)
    assert all(0 <= start <= end <= len(written) for start, end in zip(spoken.starts, spoken.ends, strict=True))


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=10))
def test_a_text_never_becomes_silence(pieces: list[str]) -> None:
    written = " ".join(pieces)
    draft = Draft(written)

    for rule in RULES:
        rule(draft, TONGUE)

    assert bool(draft.spoken().text) == bool(written.strip())
