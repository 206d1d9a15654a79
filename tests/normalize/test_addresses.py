import logging
import time

import pytest

from primavoce.normalize import normalize


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://example.com/docs", "example dot com slash docs"),
        ("example.io", "example dot I.O"),
        (
            "http://example.org:8080/a?q=1#install",
            "example dot org port eighty eighty slash A. question mark Q equals one, section install",
        ),
        ("jo.lee@mail.example.co.uk", "jo dot lee at mail dot example dot co dot U.K"),
        ("192.168.1.1", "one ninety-two dot one sixty-eight dot one dot one"),
        ("10.0.0.0/8", "ten dot zero dot zero dot zero slash eight"),
        ("::1", "colon colon one"),
        ("00:1B:44:11:3A:B7", "zero zero, one B, four four, one one, three A., B seven"),
        ("web.staging.yaml", "web dot staging dot yaml"),
        ("/etc/hosts", "slash etc slash hosts"),
        (r"C:\Users\x", "C colon backslash Users backslash X"),
        ("./run.sh", "dot slash run dot S.H"),
        ("app.run()", "app dot run"),
        ("snake_case", "snake case"),
        ("--dry-run", "dash dash dry dash run"),
        ("@handle", "at handle"),
        ("#OpenSource", "hashtag Open Source"),
        ("localhost:3000", "localhost port three thousand"),
    ],
)
def test_an_address_is_read_the_way_a_person_does(written: str, read: str) -> None:
    assert normalize(f"See {written}, please.", "en-us").text == f"See {read}, please."


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("it", "https://example.com/docs_v2", "example punto com barra docs trattino basso V due"),
        ("it", "www.esempio.it", "vu vu vu punto esempio punto it"),
        ("it", "mario-rossi@esempio.it", "mario trattino rossi chiocciola esempio punto it"),
        ("es", "ana_ruiz@ejemplo.es", "ana guion bajo ruiz arroba ejemplo punto es"),
        ("fr", "jean-paul@exemple.fr", "jean tiret paul arobase exemple point F R"),
        ("pt-br", "https://exemplo.com.br/docs-novos", "exemplo ponto com ponto B R barra docs hífen novos"),
        ("hi", "jo@example.com", "jo ऐट एग्ज़ाम्पल डॉट कॉम"),
        ("ja", "example.com", "example ドット com"),
        ("zh", "example.com", "example 点 com"),
    ],
)
def test_each_language_has_its_own_words_for_the_marks(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


@pytest.mark.parametrize("text", ["It ends here.Next one begins.", "this and that", "La dott.ssa arriva", "e.g. this"])
def test_a_period_between_words_makes_no_address(text: str) -> None:
    language = "it" if "dott" in text else "en-us"

    assert " dot " not in normalize(text, language).text
    assert " punto " not in normalize(text, language).text


def test_a_mark_that_ends_the_sentence_is_not_part_of_the_url() -> None:
    assert normalize("(see https://example.com/a.)", "en-us").text == "(see example dot com slash A.)"


def test_a_long_url_is_shortened_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    read = normalize(f"https://example.com/docs/{'x9' * 40}?a=1&b=2&c=3", "en-us").text

    assert read == "example dot com slash docs, with parameters"
    assert "the rest of a long path" in caplog.text
    assert "a long query" in caplog.text


@pytest.mark.parametrize("language", ["en-us", "it", "zh"])
@pytest.mark.parametrize(
    "unit", ["a.", "a/", "a@", "a_", "@", "#", "/", "\\", "a.b ", "::", "0f:", "1.", "http://", "--", "+", "٣", "a-"]
)
def test_hostile_repeats_take_no_longer_than_their_length(unit: str, language: str) -> None:
    text = (unit * 40_000)[:10_000]
    started = time.process_time()

    normalize(text, language)

    assert time.process_time() - started < 8
