from primavoce.audio.pauses import PAUSES_S
from primavoce.synthesis.reading import ReadSentence, ReadWord
from primavoce.synthesis.segment import Segment
from primavoce.synthesis.segmenter import KIND_PAUSES_S, PIECE_PAUSE_S, Segmenter
from primavoce.text.segments import Gap, GrowingSegments, Hold


def read(
    text: str, *, offset: int = 0, kind: str = "prose", lead: str = "", pause_before_s: float = 0.0
) -> ReadSentence:
    """A sentence whose words are their own phonemes; "|" asks for a second of silence."""
    words, at = [], offset
    parts = text.split(" ")
    for number, part in enumerate(parts):
        said = part.rstrip(".,|")
        gap = {",": Gap.CLAUSE, "|": Gap.PAUSE}.get(part[-1], Gap.WORD)
        if number == len(parts) - 1 and gap is Gap.WORD:
            gap = Gap.SENTENCE
        after = part[len(said) :].replace("|", "") + (" " if number < len(parts) - 1 else "")
        words.append(ReadWord(said, after, at, at + len(said), gap, 1.0 if gap is Gap.PAUSE else 0.0))
        at += len(part) + 1
    return ReadSentence(offset, offset + len(text), kind, lead, tuple(words), pause_before_s)


def segments(segmenter: Segmenter, *, budget: int = 10_000) -> list[Segment]:
    found = []
    while segmenter.waiting:
        segment = segmenter.next(in_hand_s=0.0, budget=budget, more=False)
        assert isinstance(segment, Segment)
        found.append(segment)
    return found


def test_a_sentence_becomes_a_segment_whose_words_know_their_phonemes() -> None:
    segmenter = Segmenter(GrowingSegments())
    segmenter.push(read("aa bb, cc.", offset=7, lead="“"))

    (segment,) = segments(segmenter)

    assert segment.phonemes == "“aa bb, cc."
    assert [segment.phonemes[word.first : word.last] for word in segment.words] == ["aa", "bb", "cc"]
    assert [(word.start, word.end) for word in segment.words] == [(7, 9), (10, 12), (14, 16)]
    assert (segment.start, segment.end) == (7, 17)
    assert segment.pause_before_s == 0.0


def test_pauses_follow_the_mark_and_the_kind() -> None:
    segmenter = Segmenter(GrowingSegments())
    for sentence in (read("aa bb."), read("cc.", kind="heading"), read("dd ee.")):
        segmenter.push(sentence)

    found = segments(segmenter)

    assert [segment.pause_before_s for segment in found] == [0.0, PAUSES_S["."], KIND_PAUSES_S["heading"]]


def test_later_sentences_share_a_segment_with_a_space_between() -> None:
    segmenter = Segmenter(GrowingSegments())
    for sentence in (read("aa."), read("bb."), read("cc.")):
        segmenter.push(sentence)

    assert [segment.phonemes for segment in segments(segmenter)] == ["aa.", "bb. cc."]


def test_a_sentence_that_is_cut_pauses_a_little_and_loses_nothing() -> None:
    segmenter = Segmenter(GrowingSegments())
    segmenter.push(read(" ".join(["abcdefgh"] * 40) + "."))

    found = segments(segmenter, budget=100)

    assert " ".join(segment.phonemes for segment in found) == " ".join(["abcdefgh"] * 40) + "."
    assert {segment.pause_before_s for segment in found[1:]} == {PIECE_PAUSE_S}
    assert [segment.start for segment in found[1:]] == [segment.end for segment in found[:-1]]
    assert max(len(segment.phonemes) for segment in found) <= 100


def test_a_pause_that_was_asked_for_lasts_as_long_as_was_asked() -> None:
    segmenter = Segmenter(GrowingSegments())
    segmenter.push(read("aa| bb."))

    assert [segment.pause_before_s for segment in segments(segmenter)] == [0.0, 1.0]


def test_a_pause_by_itself_falls_between_its_neighbours() -> None:
    segmenter = Segmenter(GrowingSegments())
    segmenter.push(read("aa."))
    segmenter.push(ReadSentence(0, 0, "prose", "", (), 2.0))
    segmenter.push(read("bb."))

    assert [segment.pause_before_s for segment in segments(segmenter)] == [0.0, 2.0]


def test_a_pause_before_all_is_heard_too() -> None:
    segmenter = Segmenter(GrowingSegments())
    segmenter.push(ReadSentence(0, 0, "prose", "", (), 2.0))
    segmenter.push(read("bb."))

    assert [segment.pause_before_s for segment in segments(segmenter)] == [2.0]


def test_a_short_sentence_is_held_while_the_listener_has_audio() -> None:
    segmenter = Segmenter(GrowingSegments())
    segmenter.push(read("aa."))
    segmenter.next(in_hand_s=0.0, budget=0, more=True)
    segmenter.push(read("bb."))

    assert isinstance(segmenter.next(in_hand_s=9.0, budget=500, more=True), Hold)
    assert isinstance(segmenter.next(in_hand_s=1.0, budget=500, more=True), Segment)
