"""Which phonemes are which word's in espeak's languages: each read against the output by hand."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from primavoce.phonemes.espeak import _LONE_DASH, _MARKS
from primavoce.phonemes.phonemizer import ESPEAK_NAMES, Phonemizer
from primavoce.phonemes.words import Pronunciation, tidy

SENTENCES = [
    # es
    (
        "es",
        "¿Qué hora es? Son las tres.",
        "Qué | hora | es | Son | las | tres",
        "kˈe | ˈoɾa | ˈes | sˈon | las | tɾˈes",
    ),
    (
        "es",
        "El 42 de la calle Mayor.",
        "El | 42 | de | la | calle | Mayor",
        "el | kwaɾˌɛntaiðˈos | ðe | la | kˈaʎe | maʝˈoɾ",
    ),
    ("es", "Cuesta 3,5 € al día.", "Cuesta | 3,5 | € | al | día", "kwˈesta | tɾˈes koma θˈinko | ˈeʊɾo | al | ðˈia"),
    (
        "es",
        "El 20% de los que me gustan.",
        "El | 20% | de | los | que | me | gustan",
        "el | βˈAnte poɾθjˈɛnto | ðe | los | ke | me | ɣˈustan",
    ),
    ("es", "La ONU y el DVD, ¿no?", "La | ONU | y | el | DVD | no", "la | ˈonu | i | el | ðˌeˌuβeðˈe | nˈo"),
    ("es", "Dámelo ya, por favor.", "Dámelo | ya | por | favor", "dˈamelo | ʝˈa | poɾ | faβˈoɾ"),
    (
        "es",
        "Son las 8:30 de la tarde.",
        "Son | las | 8 | 30 | de | la | tarde",
        "sˈon | las | ˈoʧo | tɾˈAnta | ðe | la | tˈaɾðe",
    ),
    (
        "es",
        "Hay 1.250 personas aquí.",
        "Hay | 1.250 | personas | aquí",
        "ˈI | mˈil dosθjˈentos θinkwˈɛnta | peɾsˈonas | akˈi",
    ),
    (
        "es",
        "Mario & Luigi van a casa.",
        "Mario | & | Luigi | van | a | casa",
        "mˈaɾjo | ˌampɛɾsˈant | luˈixi | βˈan | a | kˈasa",
    ),
    (
        "es",
        "«Hola», dijo el señor (muy serio).",
        "Hola | dijo | el | señor | muy | serio",
        "ˈola | dˈixo | el | seɲˈoɾ | mˈuj | sˈeɾjo",
    ),
    (
        "es",
        "Mi correo es mario@example.com y nada más.",
        "Mi | correo | es | mario@example | com | y | nada | más",
        "mi | korˈeo | ˈes | mˈaɾjo arˈoβa eksˈample | kˈom | i | nˈaða | mˈas",
    ),
    (
        "es",
        "No sé a qué te refieres con eso de la IA.",
        "No | sé | a | qué | te | refieres | con | eso | de | la | IA",
        "nˈo | sˈe | a | kˈe | te | refjˈeɾes | kon | ˈeso | ðe | la | ˌiˈa",
    ),
    # fr
    ("fr", "Qu'est-ce que c'est que ça ?", "Qu'est-ce que | c'est | que | ça", "kɛskˌə | sɛ | kə | sˈa"),
    (
        "fr",
        "Je pense parce que je suis, et parce que 42 est beau.",
        "Je | pense | parce que | je | suis | et | parce que | 42 | est | beau",
        "ʒə | pˈɑ̃s | paʁskˌə | ʒə | syˈi | e | paʁskˌə | kaʁɑ̃tdˈøz | ɛ | bˈo",
    ),
    (
        "fr",
        "Les amis de mon oncle ont dix-huit ans.",
        "Les | amis | de | mon | oncle | ont | dix-huit | ans",
        "lez | amˈi | də | mɔ̃n | ˈɔ̃kl | ˈɔ̃ | dˈizyˈit | ˈɑ̃",
    ),
    ("fr", "Il y a 99 personnes.", "Il | y | a | 99 | personnes", "il | i | a | katʁəvɛ̃diznˈœf | pɛʁsˈɔn"),
    (
        "fr",
        "Le TGV de 8 h 30 est parti.",
        "Le | TGV | de | 8 | h | 30 | est | parti",
        "lə | tˌeʒˌevˈe | də | yˈit | ˈaʃ | tʁˈɑ̃t | ɛ | paʁtˈi",
    ),
    (
        "fr",
        "Est-ce que tu viens aujourd'hui ?",
        "Est-ce | que | tu | viens | aujourd'hui",
        "ɛs | kə | ty | vjˈɛ̃z | oʒuʁdyˈi",
    ),
    ("fr", "« Bonjour », dit-elle.", "Bonjour | dit-elle", "bɔ̃ʒˈuʁ | dˈitˈɛl"),
    (
        "fr",
        "J'ai payé 19,99 € pour ça.",
        "J'ai | payé | 19,99 | € | pour | ça",
        "ʒe | pɛjˈe | diznœf viʁɡyl katʁəvɛ̃diznˈœf | əʁˌo | puʁ | sˈa",
    ),
    (
        "fr",
        "Il n'y a pas de quoi, c'est-à-dire rien.",
        "Il | n'y | a | pas | de | quoi | c'est-à-dire | rien",
        "il | ni | a | pa | də | kwˈa | sɛtadˈiʁ | ʁiˈɛ̃",
    ),
    (
        "fr",
        "Le 20 % des gens qui ont une IA.",
        "Le | 20 | % | des | gens | qui | ont | une | IA",
        "lə | vˈɛ̃ | puʁsˈɑ̃ | de | ʒˈɑ̃ | ki | ɔ̃t | yn | jˈa",
    ),
    (
        "fr",
        "Tout à coup, y a-t-il du café ?",
        "Tout | à | coup | y | a-t-il | du | café",
        "tut | a | kˈu | i | atil | dy | kafˈe",
    ),
    (
        "fr",
        "Qu'est-ce qu'il y a, et qu'est-ce que tu veux ?",
        "Qu'est-ce | qu'il | y | a | et | qu'est-ce que | tu | veux",
        "kɛs | kil | i | ˈa | e | kɛskˌə | ty | vˈø",
    ),
    # hi
    ("hi", "नमस्ते। ठीक है।", "नमस्ते | ठीक | है", "nəmˈʌsteː | ʈʰˈiːk | hɛː"),
    ("hi", "मैं 42 साल का हूँ।", "मैं | 42 | साल | का | हूँ", "mɛ̃ | bIˈaːlis | sˈaːl | kaː | hũ"),
    (
        "hi",
        "यह क्या है और वह क्या है?",
        "यह | क्या | है | और | वह | क्या | है",
        "jˌəh | kːjaː | hɛː | ɔːɾ | ʋˌəh | kːjaː | hɛː",
    ),
    ("hi", "20% छूट आज।", "20% | छूट | आज", "bˈiːs pətˈɪʃət | cʰˈuːʈ | ˈaːɟ"),
    ("hi", "ABC कंपनी में काम है।", "ABC | कंपनी | में | काम | है", "ˈA bˈiː sˈiː | kˈʌmpənˌi | mẽː | kˈaːm | hɛː"),
    (
        "hi",
        "मेरे पास 3.5 किलो आम हैं।",
        "मेरे | पास | 3.5 | किलो | आम | हैं",
        "mˌeːɾeː | pˈaːs | tˈiːn dəsəmlˈoː pˈãc | kˈɪloː | ˈaːm | hɛ̃",
    ),
    ("hi", 'राम ने कहा, "चलो"।', "राम | ने | कहा | चलो", "ɾˈaːm | nˈeː | kˈʌhaː | cˈʌloː"),
    (
        "hi",
        "दिल्ली से मुंबई 1,400 किलोमीटर है।",
        "दिल्ली | से | मुंबई | 1,400 | किलोमीटर | है",
        "dˈɪlli | seː | mˈũbˌi | ˈeːk hˈʌɟaːɾ cˈaːrsˈɔː | kˌɪloːmˈiːʈəɾ | hɛː",
    ),
    ("hi", "कृपया email भेजें।", "कृपया | email | भेजें", "kɾˈɪpjˌaː | ˈiːmAl | bʰˈeːɟẽː"),
    (
        "hi",
        "आज 15 अगस्त 2024 है।",
        "आज | 15 | अगस्त | 2024 | है",
        "ˈaːɟ | pˈʌndɾəh | ʌɡˈʌst | dˈoː hˈʌɟaːɾ cˈɔːbis | hɛː",
    ),
    # it
    (
        "it",
        "C'è l'amico di Anna che non c'è più.",
        "C'è | l'amico | di | Anna | che | non | c'è | più",
        "ʧe | lamˈiko | dɪ | ˈanna | ke | non | ʧe | pjˈu",
    ),
    ("it", "Costa 42 euro e 50.", "Costa | 42 | euro | e | 50", "kˈɔsta | kʊaɾˈaːntadˈue | ˈɛʊro | e | ʧinkwˈanta"),
    (
        "it",
        "Il 20% di 1.234,50 € è poco.",
        "Il | 20% | di | 1.234,50 | € | è | poco",
        "il | vˈentɪ perʧˈɛŋto | dɪ | mˈille dʊeʧˈɛnto trˈeːntakwˈatːro vˈirɡola ʧinkwˈanta | ˈɛʊro | e | pˈɔko",
    ),
    (
        "it",
        "La TV e il DVD di Mario.",
        "La | TV | e | il | DVD | di | Mario",
        "la | tˌɪvˈu | e | il | dˌiːvˌʊdˈiː | dɪ | mˈario",
    ),
    ("it", "Qual è il tuo nome?", "Qual | è | il | tuo | nome", "kwˈal | e | il | tˌʊo | nˈome"),
    ("it", "ABC e USA sono sigle.", "ABC | e | USA | sono | sigle", "a bɪ ʧˈi | e | ˌʊːˌɛSeˈaː | sˌono | sˈiɡle"),
    (
        "it",
        "Te l'ho detto, e te lo ridico.",
        "Te | l'ho | detto | e | te | lo | ridico",
        "te | lo | dˈetːo | e | te | lo | rˈidiko",
    ),
    ("it", "«Va bene», disse (piano).", "Va | bene | disse | piano", "vˈa | bˈɛne | dˈiSe | pjˈano"),
    ("it", "Di chi è questo week-end?", "Di | chi | è | questo | week-end", "dɪ | kɪ | e | kwˌesto | wˌiːkˈend"),
    (
        "it",
        "Scrivi a mario@example.com oggi.",
        "Scrivi | a | mario@example | com | oggi",
        "skrˈivɪ | a | mˈario kiˈoʧːola eksˈample | kˈom | ˈɔʤːɪ",
    ),
    ("it", "Sono le 8:30 – è tardi.", "Sono | le | 8 | 30 | è | tardi", "sˌono | le | ˈɔtːo | trˈeːnta | e | tˈardɪ"),
    (
        "it",
        "Vale 3,14 circa & basta.",
        "Vale | 3,14 | circa | & | basta",
        "vˈale | trˈe vˈirɡola kwatːˈordiʧɪ | ʧˈirka | ˈand | bˈasta",
    ),
    # pt-br
    ("pt-br", "Ele é maior do que eu.", "Ele | é | maior | do | que | eu", "ˌely | ɛ | mIˈɔr | dʊ | ky | ˈeʊ"),
    (
        "pt-br",
        "O que é que você está fazendo?",
        "O | que | é | que | você | está | fazendo",
        "ʊ | ky | ɛ | ky | vosˌe | estˌa | fˌazˈAŋdʊ",
    ),
    (
        "pt-br",
        "Para o 42, por exemplo.",
        "Para | o | 42 | por | exemplo",
        "pˌaɾæ | o | kwˌaɾˈAŋtæidˈoɪs | poɾ | ˌezˈAmplʊ",
    ),
    ("pt-br", "Eu gosto de você, não é?", "Eu | gosto | de | você | não | é", "eʊ | ɡˈɔstʊ | ʤy | vosˈe | nˌɐ̃ʊ̃ | ɛ"),
    ("pt-br", "Os que me amam de novo.", "Os | que | me | amam | de | novo", "ʊs | ky | mj | ˈɐ̃mɐ̃ʊ̃ | ʤy | nˈovʊ"),
    (
        "pt-br",
        "A ONU e o CD, em um dia.",
        "A | ONU | e | o | CD | em | um | dia",
        "a | ˈonu | i | ʊ | sˌedˈe | ˈAŋ | ũŋ | ʤˈiæ",
    ),
    (
        "pt-br",
        "Custa R$ 3,50 por dia.",
        "Custa | R$ | 3,50 | por | dia",
        "kˈustæ | xeˈW dˈolar | trˈes vˈirɡulˌæ siŋkwˈAŋtæ | por | ʤˈiæ",
    ),
    (
        "pt-br",
        "20% dos alunos chegaram às 8:30.",
        "20% | dos | alunos | chegaram | às | 8 | 30",
        "vˈiŋʧy pˌorsˈAŋtʊ | dʊz | ˌalˈunʊs | ʃˌeɡˈaɾɐ̃ʊ̃ | aːs | ˈoɪtʊ | trˈiŋtæ",
    ),
    (
        "pt-br",
        "«Bom dia», disse ela (baixinho).",
        "Bom | dia | disse | ela | baixinho",
        "bˈoŋ | ʤˈiæ | ʤˈisj | ˈɛlæ | bˌIʃˈiɲʊ",
    ),
    (
        "pt-br",
        "O e-mail do guarda-chuva é este.",
        "O | e-mail | do | guarda-chuva | é | este",
        "u | imˈAl | dʊ | ɡwˈaɾədæʃˈuvæ | ɛ | ˈesʧy",
    ),
    (
        "pt-br",
        "Em 1984 havia 1.250 pessoas.",
        "Em | 1984 | havia | 1.250 | pessoas",
        "ˈAŋ | mˈiʊ nˈɔvysˈAŋtʊzˌi oɪtˈAŋtæikwˈatrw | ˌavˈiæ | mˈiʊ dˌuzˈAŋtʊzˌi siŋkwˈAŋtæ | pˌesˈoæs",
    ),
]


@pytest.mark.parametrize(("language", "text", "words", "phonemes"), SENTENCES)
def test_each_word_has_its_phonemes(
    phonemizer: Phonemizer, language: str, text: str, words: str, phonemes: str
) -> None:
    pronunciation = phonemizer.pronounce(text, language)

    assert written(pronunciation, text) == words
    assert " | ".join(word.phonemes for word in pronunciation.words) == phonemes


@pytest.mark.parametrize(
    ("text", "lead", "afters"),
    [
        ("«Hola», dijo.", "“", ["”, ", "."]),
        ("¿Sí? (No…)", "", ["? (", "…)"]),
        ("uno – dos", "", [" — ", ""]),
        ("uno\n\ndos", "", [" ", ""]),
        ("...", "...", []),
    ],
)
def test_marks_stand_between_words(phonemizer: Phonemizer, text: str, lead: str, afters: list[str]) -> None:
    pronunciation = phonemizer.pronounce(text, "es")

    assert pronunciation.lead == lead
    assert [word.after for word in pronunciation.words] == afters


@pytest.mark.parametrize(
    ("language", "text", "stretch", "phonemes"),
    [
        ("it", "Mi chiamo Luca e vivo a Roma.", "Luca", "lˈuka lukˈino"),
        ("it", "Mi chiamo Luca e vivo a Roma.", "Roma", "rˈom"),
        ("it", "L'ho detto a Luca: vieni!", "Luca", "lˈuk"),
        ("it", "Ecco il 20% di Luca", "20%", "vˈɛnti"),
        ("fr", "Qu'est-ce que Luca parce que Luc dit ?", "Luca", "lykˈa"),
        ("es", "Vivo en San José, creo.", "San José", "sˌanxosˈe"),
        ("pt-br", "O carro do João é este.", "João", "ʒwˈɐʊ"),
        ("hi", "मेरा नाम राम है।", "राम", "ɾˈam"),
        ("it", "cia(o)", "(", "a"),
        ("it", "[Luca](/x/) qui", "Luca", "lˈu"),
    ],
)
def test_a_given_pronunciation_is_one_word_of_its_own(
    phonemizer: Phonemizer, language: str, text: str, stretch: str, phonemes: str
) -> None:
    start = text.index(stretch)

    words = phonemizer.pronounce(text, language, given=[(start, start + len(stretch), phonemes)]).words

    assert (start, start + len(stretch), phonemes) in [(word.start, word.end, word.phonemes) for word in words]


def test_words_beside_a_given_one_sound_as_in_the_sentence(phonemizer: Phonemizer) -> None:
    text = "Vado a Roma e torno a casa."
    plain = phonemizer.pronounce(text, "it")

    given_one = phonemizer.pronounce(text, "it", given=[(7, 11, "rˈoma")])

    assert [word.phonemes for word in given_one.words[3:]] == [word.phonemes for word in plain.words[3:]]
    assert given_one.words[1].phonemes == "a"


def test_a_decimal_number_before_a_mark_is_said_whole(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemize("Vale 3.14.", "it") == "vˈale trˈe pʊnto kwatːˈordiʧɪ."


def test_a_long_text_without_marks_is_told_apart_too(phonemizer: Phonemizer) -> None:
    text = "je pense parce que je veux le pain et le vin parce que les amis sont ici " * 30

    words = phonemizer.pronounce(text, "fr").words

    assert max(word.end - word.start for word in words) == len("parce que")
    assert len([word for word in words if text[word.start : word.end] == "parce que"]) == 60


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    ["a1" * 5000, "a1" * 2500 + " " + "b2" * 2500, "20% " * 2500, "€ & " * 2500, "e\u0301" * 5000, "😀 " * 5000,
     "שלום עולם " * 1000, "1 2 3 " * 1700, "., " * 3000, "qu'est-ce que " * 700],
)  # fmt: skip
def test_odd_text_of_ten_thousand_characters_takes_seconds_at_most(phonemizer: Phonemizer, text: str) -> None:
    assert phonemizer.pronounce(text, "fr").phonemes == phonemizer.phonemize(text, "fr")


words_of_a_language = {
    "es": ["¿qué", "lo", "que", "por", "favor,", "y", "no.", "día", "😀", "(casa)", "DVD", "20%", "-", "¡sí!", "«a»"],
    "fr": [
        "qu'est-ce",
        "que",
        "parce",
        "que",
        "les",
        "amis",
        "l’été,",
        "y",
        "a-t-il",
        "TGV",
        "?",
        "42",
        "–",
        "« oui »",
    ],
    "hi": ["मैं", "42", "हूँ।", "यह", "क्या", "है?", "ABC", "-", "राम,"],
    "it": ["c'è", "l'amico", "di", "42", "è", "perché,", "TV", "–", "e", "&", "(no)", "basta!", "20%", "😀"],
    "pt-br": ["do", "que", "é", "você,", "não?", "ONU", "e", "um", "42", "me", "amam", "-"],
}


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), language=st.sampled_from(sorted(words_of_a_language)))
def test_words_together_are_what_espeak_says(phonemizer: Phonemizer, data: st.DataObject, language: str) -> None:
    text = " ".join(data.draw(st.lists(st.sampled_from(words_of_a_language[language]), max_size=12)))
    pronunciation = phonemizer.pronounce(text, language)

    whole, _ = phonemizer._languages[language]._g2p(_LONE_DASH.sub("—", text).translate(_MARKS))  # type: ignore[attr-defined]
    assert pronunciation.phonemes == phonemizer.phonemize(text, language) == tidy(whole)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(alphabet=st.sampled_from("aéI  19.,-%€'’()[]«»¿—…:\u0301😀你שक\n"), max_size=40),
    language=st.sampled_from(sorted(ESPEAK_NAMES)),
)
def test_any_text_has_words_in_order_and_without_white_space_around(
    phonemizer: Phonemizer, text: str, language: str
) -> None:
    place = 0
    for word in phonemizer.pronounce(text, language).words:
        assert place <= word.start < word.end <= len(text)
        assert text[word.start : word.end].strip() == text[word.start : word.end]
        assert word.phonemes
        place = word.end


def written(pronunciation: Pronunciation, text: str) -> str:
    return " | ".join(text[word.start : word.end] for word in pronunciation.words)
