"""What agents write in Hindi, and how it is said."""

import pytest

from primavoce.normalize import normalize
from primavoce.normalize.languages.loans_hi import LOANS
from primavoce.phonemes.phonemizer import Phonemizer
from tests.normalize.foreign import flagged

SAID = [
    ("आपका ऑर्डर नंबर 4521 कल 14:45 बजे आएगा।", "आपका ऑर्डर नंबर 4521 कल 14 बजकर 45 मिनट आएगा।"),
    ("बैठक 9:30 बजे है।", "बैठक साढ़े 9 बजे है।"),
    ("कीमत ₹1,299.50 है।", "कीमत 1299 रुपये 50 पैसे है।"),
    ("तापमान -3 °C से 25°C तक रहेगा।", "तापमान माइनस 3 डिग्री सेल्सियस से 25 डिग्री सेल्सियस तक रहेगा।"),
    ("50% छूट है!", "50 प्रतिशत छूट है!"),
    ("कृपया +91 98765 43210 पर कॉल करें।", "कृपया प्लस 9 1, 9 8 7 6 5, 4 3 2 1 0 पर कॉल करें।"),
    ("2024-05-03 को मिलें।", "3 मई 2024 को मिलें।"),
    ("15/08/1947 को भारत आज़ाद हुआ।", "15 अगस्त 1947 को भारत आज़ाद हुआ।"),
    ("दूरी 10.5 किमी है।", "दूरी 10.5 किलोमीटर है।"),
    ("ईमेल support@example.com पर भेजें।", "ईमेल support ऐट example डॉट com पर भेजें।"),
    ("ऐप का नया version 2.0.1 आ गया है।", "ऐप का नया version 2 पॉइंट 0 पॉइंट 1 आ गया है।"),
    ("समय: 10:00-18:00", "समय: 10 बजे से 18 बजे"),
    ("$20 और €15", "20 डॉलर और 15 यूरो"),
    ("डॉ. शर्मा से मिलें।", "डॉक्टर शर्मा से मिलें।"),
    ("1/2 कप चीनी डालें।", "आधा कप चीनी डालें।"),
    ("आप Wi-Fi और USB का उपयोग करें।", "आप Wi-Fi और USB का उपयोग करें।"),
    ("5 kg आटा और 2 l दूध", "5 किलोग्राम आटा और 2 लीटर दूध"),
    ("१२ मई २०२४", "12 मई 2024"),
    ("1,00,000 रुपये", "100000 रुपये"),
    ("| नाम | उम्र |", "तालिका: नाम, उम्र।"),
    ("शाम 5 बजे", "शाम 5 बजे"),
    ("5 km/h", "5 किलोमीटर प्रति घंटा"),
    ("10-15 मिनट", "10 से 15 मिनट"),
    ("₹5 लाख", "5 लाख रुपये"),
    ("₹20/kg", "20 रुपये प्रति किलोग्राम"),
]


@pytest.mark.parametrize(("written", "by_hand"), SAID)
def test_a_sentence_is_read_as_if_it_were_written_out_by_hand(
    phonemizer: Phonemizer, written: str, by_hand: str
) -> None:
    read, plain = normalize(written, "hi").text, normalize(by_hand, "hi").text

    assert read.lower() == plain.lower()
    assert phonemizer.phonemize(read, "hi") == phonemizer.phonemize(plain, "hi")


@pytest.mark.parametrize("written", [written for written, _ in SAID])
def test_espeak_says_no_word_of_it_in_another_language(written: str) -> None:
    assert flagged(normalize(written, "hi").text, "hi") == []


def test_loans_are_spelled_so_that_espeak_says_them_in_the_language() -> None:
    assert flagged(", ".join(LOANS.values()), "hi") == []
