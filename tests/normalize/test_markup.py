import logging
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.normalize.draft import Draft
from primavoce.normalize.inline import tokens_of
from primavoce.normalize.markup import STRETCH, markup
from primavoce.normalize.spacing import close_up
from primavoce.normalize.tongue import Tongue

ENGLISH = Tongue(tag="en-us", locale="en", numerals="en")
CHINESE = Tongue(tag="zh", locale="zh", numerals=None, phrases={"comma": "，"})


def read(written: str, tongue: Tongue = ENGLISH) -> str:
    draft = Draft(written)
    markup(draft, tongue)
    close_up(draft)
    return draft.spoken().text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("This is **very** important.", "This is very important."),
        ("*so* _so_ __so__ ***so*** ~~so~~", "so so so so so"),
        ("**bold *and* both**", "bold and both"),
        ("**Note.**", "Note."),
        ("**C**reate *R*ead", "Create Read"),
        ("“**Note**”", "“Note”"),
        ("A ==marked== word", "A marked word"),
        ("a == b and c == d", "a == b and c == d"),
        ("H~2~O and x^2^ and 1^st^", "H2O and x^2 and 1st"),
    ],
)
def test_emphasis_is_not_heard(written: str, said: str) -> None:
    assert read(written) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [("**Note.", "Note."), ("skip it.**", "skip it."), ("*Terms apply", "Terms apply"), ("free* now", "free now")],
)
def test_a_mark_that_a_sentence_boundary_tore_from_its_pair_goes_too(
    written: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        assert read(written) == said

    assert "without its pair" in caplog.text


@pytest.mark.parametrize(
    "written",
    [
        "2 * 3",
        "2 ** 3",
        "5*3 and 4*2",
        "a*b",
        "x**2",
        "snake_case and more_of_it",
        "_private_name",
        "**kwargs and *args",
        "all *.py files",
        "/* so */",
        "~5 km",
        "a[0] and m[i][j]",
        "List[int]",
        "x < 5 and y > 3",
        "if x <y and z> w",
        "AT&T &c R&D;",
        "Yes! No!",
        r"C:\Users\me",
        "https://example.com/_a_/b*c_d",
        "&notanentity;",
    ],
)
def test_what_only_looks_like_markup_stays(written: str) -> None:
    assert read(written) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("See [the docs](https://example.com/a_b).", "See the docs."),
        ('See [the *docs*](</a b> "title").', "See the docs."),
        ("See [the docs][1] or [these][].", "See the docs or these."),
        ("[a note] (aside)", "a note (aside)"),
        ("<https://example.com/x> <jo@example.com>", "https://example.com/x jo@example.com"),
        ("**https://example.com/x**", "https://example.com/x"),
        ("_www.example.com_", "www.example.com"),
        ("![A cat](cat.png)", "A cat"),
        ("![A cat][1]", "A cat"),
        ("[![A badge](b.svg)](https://example.com)", "A badge"),
        ("[one](a)[two](b)", "one two"),
        ("[x](javascript:void)", "x"),
        ("so it is](https://example.com/a).", "so it is."),
        ("see [the", "see the"),
    ],
)
def test_a_link_and_an_image_are_their_words(written: str, said: str) -> None:
    assert read(written) == said


def test_an_image_without_words_is_passed_over_with_a_reason(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        assert read("Here ![](cat.png)") == "Here"

    assert "a link or an image without words" in caplog.text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("It is so.[^1]", "It is so."),
        ("The claim is old [12].", "The claim is old."),
        ("It is old.[3][4]", "It is old."),
        ("Choose [1] or [2].", "Choose 1 or 2."),
        ("[1] is first.", "1 is first."),
        ("Press [1].", "Press 1."),
        ("Premi [2].", "Premi 2."),
    ],
)
def test_numbers_that_point_to_sources_are_not_read(written: str, said: str) -> None:
    assert read(written) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Call `app.run()`.", "Call app.run()."),
        ("Use ``a`b``.", "Use a`b."),
        ("Not `**bold**` nor `[x](y)`", "Not **bold** nor [x](y)"),
        ("Press ` twice", "Press twice"),
    ],
)
def test_inline_code_is_what_is_between_the_backticks(written: str, said: str) -> None:
    assert read(written) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("<b>So</b> H<sub>2</sub>O <span class='x'>it</span> is", "So H2O it is"),
        ("one<br>two<br/>three.<br>", "one, two, three."),
        ("one  \ntwo", "one, two"),
        ("<ul><li>one</li><li>two</li></ul>", "one, two"),
        ("a <script>alert(1)</script> b", "a b"),
        ("a <SCRIPT> b", "a b"),
        ("a <!-- note --> b <?php x ?> c", "a b c"),
        ('<img src="a.png" alt="A &amp; B">', "A & B"),
        ("Replace <your-name> and <API_KEY>.", "Replace your name and API KEY."),
        ("<p><b>one</b></p><p>two</p>", "one, two"),
        ("List<String> x", "List String x"),
        ('<answer kind="x">yes</answer>', "yes"),
    ],
)
def test_html_goes_and_its_words_stay(written: str, said: str) -> None:
    assert read(written) == said


def test_a_line_break_is_a_comma_of_the_language() -> None:
    assert read("一<br>二", CHINESE) == "一，二"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("R&amp;D", "R&D"),
        ("&lt;b&gt;", "<b>"),
        ("&#8364;5 &#x20AC;6", "€5 €6"),
        ("a&nbsp;b", "a b"),
        (r"\*so\* \[x\] \_y\_", "*so* [x] _y_"),
    ],
)
def test_entities_and_escapes_are_the_character_that_they_stand_for(written: str, said: str) -> None:
    assert read(written) == said


def test_an_entitys_character_was_written_as_the_whole_entity() -> None:
    draft = Draft("R&amp;D")

    markup(draft, ENGLISH)

    assert draft.spoken().origin(1, 2) == (1, 6)


def test_every_character_is_in_a_token_at_its_place() -> None:
    written = "a **b** [c *d*](e) `f` <g> &amp; \\* h_i ![j](k)\nl[0] [1]. ~~m~~ www.example.com"

    tokens = tokens_of(written)

    assert [token.meta["start"] for token in tokens] == [0, *(token.meta["end"] for token in tokens[:-1])]
    assert tokens[-1].meta["end"] == len(written)


@given(st.text(alphabet="ab1 *_~`[]()<>&;!\\\n/\"'#^:.hw|-", max_size=60))
def test_tokens_cover_any_text_once(written: str) -> None:
    tokens = [token for token in tokens_of(written) if token.meta["start"] < token.meta["end"]]

    assert "".join(written[token.meta["start"] : token.meta["end"]] for token in tokens) == written


@pytest.mark.parametrize(
    "part",
    ["[", "*", "`", "![", "<", "&", "_", "](", "**a", "[a](", "<a ", "[[a]", "*a_", "<!--", "&#", "\\", "a*b ", "a* ",
     "<a href='", "`a``", '[a](b "', '"“', "[a]", "[1], ", "<b>a</b>", "<x>", "<script>", "~~", "a(", "a_b_c ", "[`",
     "https://", "www.", "<?", "<![CDATA[", "  \n"],
)  # fmt: skip
def test_a_hostile_text_takes_no_longer_than_its_length_allows(part: str) -> None:
    written = (part * 40_000)[:40_000]

    begun = time.process_time()
    read(written)

    assert time.process_time() - begun < 5.0


def test_a_long_text_is_read_in_stretches_without_a_loss() -> None:
    words = ["**harbour**", "ferry", "[timetable](a)", "`tomorrow`"] * STRETCH

    assert read(" ".join(words)).split() == ["harbour", "ferry", "timetable", "tomorrow"] * STRETCH
