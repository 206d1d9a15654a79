"""The policy of segments: pure, over lengths and gaps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.text.segments import HARD_LIMIT, Gap, GrowingSegments, Hold, Length, Take, Waiting, best_cut

POLICY = GrowingSegments()
PLENTY = 10_000


def sentence(text: str, *, each: int = 6, joins: bool = True) -> Waiting:
    """A sentence whose words have ``each`` phonemes; the marks of ``text`` are its gaps."""
    gaps = {",": Gap.CLAUSE, ".": Gap.SENTENCE, "|": Gap.PAUSE, "-": Gap.INSIDE, "&": Gap.CONJUNCTION}
    return Waiting([Length(each, gaps.get(word[-1], Gap.WORD)) for word in text.split()], joins)


def words(count: int, *, each: int = 6) -> Waiting:
    return sentence(" ".join(["a"] * (count - 1) + ["a."]), each=each)


def plan(
    *waiting: Waiting, first: bool = False, in_hand_s: float = 0.0, budget: int = PLENTY, more: bool = False
) -> Take | Hold:
    return POLICY.plan(waiting, first=first, in_hand_s=in_hand_s, budget=budget, more=more)


def test_a_short_first_sentence_is_spoken_at_once_and_alone() -> None:
    assert plan(words(2), words(2), first=True, more=True) == Take(1)


def test_a_long_first_sentence_is_cut_after_its_first_clause_of_four_words() -> None:
    assert plan(sentence("a a, a a a a, a a a a a a a a a."), first=True) == Take(0, 6)


def test_a_clause_mark_that_leaves_a_stub_is_passed_over() -> None:
    assert plan(sentence("a a a a a a a a a a a a, a a."), first=True).words < 12


def test_without_a_clause_mark_the_first_segment_ends_before_a_conjunction() -> None:
    assert plan(sentence("a a a a a a a& a a a a a a a."), first=True) == Take(0, 7)


def test_without_either_it_ends_between_words_near_the_middle() -> None:
    assert plan(words(14), first=True) == Take(0, 7)


def test_a_sentence_a_little_too_long_is_not_cut_for_that() -> None:
    assert plan(words(12), first=True) == Take(1)


def test_a_first_segment_has_at_most_sixty_phonemes() -> None:
    taken = plan(words(80), first=True)

    assert isinstance(taken, Take)
    assert taken.words * 6 <= 60


def test_later_short_sentences_are_joined_up_to_the_least() -> None:
    assert plan(*[words(5)] * 8) == Take(4)  # 4 x 30 phonemes is the first sum past 100


def test_what_stands_alone_is_not_joined() -> None:
    assert plan(sentence("a a.", joins=False), words(5)) == Take(1)
    assert plan(words(5), sentence("a a.", joins=False)) == Take(1)


def test_a_short_sentence_waits_for_company_only_while_audio_is_in_hand() -> None:
    assert plan(words(3), in_hand_s=5.0, more=True) == Hold(POLICY.comfort_s)
    assert plan(words(3), in_hand_s=2.0, more=True) == Take(1)
    assert plan(words(3), in_hand_s=5.0, more=False) == Take(1)


def test_the_budget_bounds_a_later_segment_but_never_below_the_first() -> None:
    long = words(60)  # 360 phonemes

    assert plan(long, budget=PLENTY).words * 6 <= POLICY.most
    assert plan(long, budget=120).words * 6 <= 120
    assert 30 <= plan(long, budget=0).words * 6 <= POLICY.first


def test_a_pause_that_was_asked_for_ends_the_segment() -> None:
    assert plan(sentence("a a| a a."), first=True) == Take(0, 2)
    assert plan(sentence("a a| a a."), words(2)) == Take(0, 2)
    assert plan(sentence("a a|"), words(2)) == Take(1)


def test_pieces_of_a_long_sentence_are_balanced() -> None:
    left = 300
    sizes = []
    while left:
        taken = plan(words(left, each=2), budget=PLENTY)
        sizes.append(left if taken.sentences else taken.words)
        left -= sizes[-1]

    assert max(sizes) <= 1.3 * min(sizes)


def test_what_was_written_as_one_is_not_cut() -> None:
    number = sentence("a a " + "a- " * 20 + "a a a a.")

    taken = plan(number, first=True)

    assert number.words[taken.words - 1].gap is not Gap.INSIDE


def test_what_the_model_cannot_take_is_cut_all_the_same() -> None:
    taken = plan(sentence("a- " * 300 + "a."), first=True)

    assert 0 < taken.words * 6 <= HARD_LIMIT


lengths = st.builds(Length, st.integers(1, 40), st.sampled_from(Gap))


@given(st.lists(lengths, min_size=1, max_size=80), st.integers(60, 510), st.booleans())
def test_every_plan_goes_on_and_fits(found: list[Length], budget: int, first: bool) -> None:
    taken = POLICY.plan([Waiting(found, joins=True)], first=first, in_hand_s=0.0, budget=budget, more=False)

    assert isinstance(taken, Take)
    count = len(found) if taken.sentences else taken.words
    assert 1 <= count <= len(found)
    assert sum(word.phonemes for word in found[:count]) <= HARD_LIMIT
    assert all(word.gap is not Gap.PAUSE for word in found[: count - 1])


@pytest.mark.parametrize("limit", [10, 60, 250])
def test_a_single_word_comes_back_alone(limit: int) -> None:
    assert best_cut([Length(400, Gap.WORD), Length(400, Gap.SENTENCE)], limit) == 1
