import re
import time

import pytest

from primavoce.languages import LANGUAGES
from primavoce.normalize import normalize
from primavoce.normalize.languages import tongue_for
from primavoce.phonemes.phonemizer import Phonemizer

ITALIAN = [
    ("L'art. 5, pag. 12.", "L'articolo cinque, pagina dodici."),
    ("Il dott. Rossi e la sig.ra Verdi.", "Il dottor Rossi e la signora Verdi."),
    ("Il dott. è qui.", "Il dottore è qui."),
    ("Pane, olio, ecc.", "Pane, olio, eccetera."),
    ("Ha scritto all'avv. Bianchi, p. es. ieri.", "Ha scritto all'avvocato Bianchi, per esempio ieri."),
    ("Il 3/5/2024 e il 2024-05-03.", "Il tre maggio duemilaventiquattro e il tre maggio duemilaventiquattro."),
    ("Dal 5/6 al 1° maggio.", "Dal cinque giugno al primo maggio."),
    ("Il 2° piano, la 3ª classe.", "Il secondo piano, la terza classe."),
    ("Ci sono 30° oggi.", "Ci sono trenta gradi oggi."),
    ("Nel XXI secolo e nel sec. XIX.", "Nel ventunesimo secolo e nel secolo diciannovesimo."),
    ("Luigi XIV, capitolo IV.", "Luigi quattordicesimo, capitolo quattro."),
    ("Gli anni '90.", "Gli anni novanta."),
    ("Servono 1 cipolla, 1 cucchiaio, 1 zaino e 1 ora.", "Servono una cipolla, un cucchiaio, uno zaino e un'ora."),
    ("Aggiungi 1/2 bicchiere e 1/2 cipolla.", "Aggiungi mezzo bicchiere e mezza cipolla."),
    ("Tel. 02 1234567.", "Telefono zero due, uno due tre quattro cinque sei sette."),
    ("Chiama il 333 123 4567.", "Chiama il tre tre tre, uno due tre, quattro cinque sei sette."),
    ("Costa 3,50 € alle 14.30.", "Costa tre euro e cinquanta alle quattordici e trenta."),
    ("D.Lgs. 81/2008, comma 3.", "Decreto legislativo ottantuno del duemilaotto, comma tre."),
    ("Cuoci 250 g a 180 °C.", "Cuoci duecentocinquanta grammi a centottanta gradi."),
]
OTHERS = [
    ("es", "El Sr. Pérez vive en EE. UU.", "El señor Pérez vive en Estados Unidos."),
    ("es", "1.er piso, 2ª planta, siglo XXI.", "primer piso, segunda planta, siglo veintiuno."),
    ("es", "21 días y 200 personas.", "veintiún días y doscientas personas."),
    ("es", "El 3/5/2024 a las 9:30.", "El tres de mayo de dos mil veinticuatro a las nueve y treinta."),
    ("es", "Pan, vino, etc.", "Pan, vino, etcétera."),
    ("fr", "M. Dupont et Mme Durand, n° 5.", "monsieur Dupont et madame Durand, numéro cinq."),
    ("fr", "Le 1er mai, la 2e page, XXIe siècle.", "Le premier mai, la deuxième page, vingt et unième siècle."),
    ("fr", "Louis XIV et François Ier.", "Louis quatorze et François premier."),
    ("fr", "Le 06 12 34 56 78.", "Le zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit."),
    ("pt-br", "O Sr. Silva e a Dra. Costa.", "O senhor Silva e a doutora Costa."),
    ("pt-br", "2 pessoas, 21 dias, século XXI.", "duas pessoas, vinte e um dias, século vinte e um."),
    ("pt-br", "Às 14h30 do dia 3/5/2024.", "Às catorze e trinta do dia três de maio de dois mil e vinte e quatro."),
    ("hi", "5% और 10 km", "5 प्रतिशत और 10 किलोमीटर"),
    ("hi", "₹500 और 5-10 दिन", "500 रुपये और 5 से 10 दिन"),
]
CASES = [("it", written, by_hand) for written, by_hand in ITALIAN] + OTHERS


@pytest.mark.parametrize(("language", "written", "by_hand"), CASES)
def test_a_sentence_sounds_as_if_it_were_written_out_by_hand(
    phonemizer: Phonemizer, language: str, written: str, by_hand: str
) -> None:
    read = normalize(written, language).text

    assert read.lower() == by_hand.lower()
    assert phonemizer.phonemize(read, language) == phonemizer.phonemize(by_hand, language)


EVERYTHING = (
    "5 % 3,5 km 20 °C 3 € $5 14:45 5-10 1/2 A → B 3 + 4 = 7 > 2 #1 @x a_b https://example.com:80/a?b=1#c "
    "x² ± ≥ ∞ √ & 2‰"
)
_ENGLISH = re.compile(
    r"\b(?:percent|point|dot|slash|at|and|plus|minus|equals|degrees|kilometers|dollars?|euros?|section|number|about|to)\b"
)


@pytest.mark.parametrize("language", ["it", "es", "pt-br", "hi", "ja", "zh"])
def test_no_english_word_is_said_for_a_mark(language: str) -> None:
    read = normalize(EVERYTHING, language).text

    found = set(_ENGLISH.findall(read)) - ({"plus", "euro", "euros", "slash"} if language != "hi" else set())
    assert found == set()


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_no_symbol_is_left_for_the_phonemiser(language: str) -> None:
    read = normalize(EVERYTHING, language).text

    assert re.findall(r"[^\w\s.,:;!?'’、，。-]", re.sub(r"[\u0900-\u097f]", "", read)) == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if not language.startswith("en")])
def test_a_table_knows_every_word_the_rules_ask_for(language: str) -> None:
    tongue, english = tongue_for(language), tongue_for("en-us")
    only_english = {"oh", "hundred", "o_clock", "midnight", "half", "half_feminine", "one_part", "fractions", "money"}
    only_english.add("line")  # others say the colon
    only_with_prepositions = {"among", "and"}

    assert english.symbols.keys() <= tongue.symbols.keys()
    assert english.address.keys() <= tongue.address.keys()
    assert english.phrases.keys() - tongue.phrases.keys() <= only_english | only_with_prepositions


def test_british_numbers_have_their_and() -> None:
    assert normalize("120", "en-gb").text == "one hundred and twenty"
    assert normalize("120", "en-us").text == "one hundred twenty"


@pytest.mark.parametrize("language", ["it", "es", "fr", "pt-br", "hi", "ja", "zh"])
@pytest.mark.parametrize(
    "unit",
    ["A1", "IT60 ", "X ", "XX settembre ", "lun-", "S. ", "v1.", "'4", "9-13 ", "ore 9-13 e ", "codice aa bb ", "45'"]
    + ["3,50 m ", "a/b", "c. à ", "3 € 5", "12.345.678/", "3:4", "03-1", "il file ", "Carlo V ", "IVXLC", "1° "],
)
def test_a_languages_own_rules_take_time_by_the_length_alone(language: str, unit: str) -> None:
    text = (unit * 40_000)[:10_000]
    started = time.process_time()

    normalize(text, language)

    assert time.process_time() - started < 8
