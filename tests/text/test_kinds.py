"""Kinds of boundary, by language: each row is one way in which text is cut wrongly elsewhere."""

import pytest

from primavoce.text import SentenceStream

type Row = tuple[str, str, list[str]]

ENGLISH: list[Row] = [
    ("titles", "Sen. Lee met Gen. Kim. They spoke.", ["Sen. Lee met Gen. Kim.", "They spoke."]),
    ("a saint, a street", "Meet St. John on Elm St. Then go.", ["Meet St. John on Elm St.", "Then go."]),
    ("initials", "J. R. R. Tolkien wrote. A. I. Ito read.", ["J. R. R. Tolkien wrote.", "A. I. Ito read."]),
    ("a lettered noun", "Take vitamin C. Oranges have it.", ["Take vitamin C.", "Oranges have it."]),
    ("acronyms", "The U.S. Navy came. Not the U.S. It left.", ["The U.S. Navy came.", "Not the U.S.", "It left."]),
    (
        "a time and a day",
        "Open at 7 p.m. Monday. Come at 6 p.m. EST.",
        ["Open at 7 p.m. Monday.", "Come at 6 p.m. EST."],
    ),
    ("labels", "See Fig. 3 and vol. IV, p. 12. End.", ["See Fig. 3 and vol. IV, p. 12.", "End."]),
    ("a label that is a word", "I said no. Then No. 5 left.", ["I said no.", "Then No. 5 left."]),
    ("months", "Born Jan. 5, 1990. Died Sept. 3.", ["Born Jan. 5, 1990.", "Died Sept. 3."]),
    ("a number at the start", "5 came. 3 left. In 2020. 7 more.", ["5 came.", "3 left.", "In 2020.", "7 more."]),
    ("a number after a colon", "Rate 3:1. Next: 1. Boil it. 2. Pour.", ["Rate 3:1.", "Next: 1. Boil it.", "2. Pour."]),
    ("versions", "Use v1.2.3. Python 3.12.1 is out.", ["Use v1.2.3.", "Python 3.12.1 is out."]),
    ("addresses", "See https://x.io/a.b?C=D. Mail a.b@c.org.", ["See https://x.io/a.b?C=D.", "Mail a.b@c.org."]),
    ("files", "Read README.md. Use Node.js. It works.", ["Read README.md.", "Use Node.js.", "It works."]),
    ("a link", "See [the docs](https://x.io/a.b). Then go.", ["See [the docs](https://x.io/a.b).", "Then go."]),
    ("a stray backtick", "Press ` twice. Then go.\nDone.", ["Press ` twice.", "Then go.", "Done."]),
    ("ellipses", "So... I guess. Well… no. Wait... What?", ["So...", "I guess.", "Well… no.", "Wait...", "What?"]),
    ("glued turns", "Sure.Here it is. Wait!What?", ["Sure.", "Here it is.", "Wait!", "What?"]),
    ("code is not glued", "Call pandas.DataFrame(x) first. Ok.", ["Call pandas.DataFrame(x) first.", "Ok."]),
    ("names that start small", "It sold well. iPhones did not.", ["It sold well.", "iPhones did not."]),
    ("no capitals at all", "hi there. how are you? i'm fine.", ["hi there.", "how are you?", "i'm fine."]),
    (
        "a brand's own mark",
        "Yahoo! Finance is up. I use Yahoo! It works.",
        ["Yahoo! Finance is up.", "I use Yahoo!", "It works."],
    ),
    ("who spoke", "“Ready?” I asked. “Go!” We ran.", ["“Ready?” I asked.", "“Go!”", "We ran."]),
    ("quotes in a row", "“Go!” “Now?” “Yes.”", ["“Go!”", "“Now?”", "“Yes.”"]),
    ("nested quotes", "“She said ‘no.’” We left.", ["“She said ‘no.’”", "We left."]),
    ("straight quotes", '"Stop." She ran. "Is it?" he asked.', ['"Stop."', "She ran.", '"Is it?" he asked.']),
    ("an unpaired quote", "He said “go. Nobody moved. It rained.", ["He said “go.", "Nobody moved.", "It rained."]),
    ("brackets", "He (the boss.) left. (She stayed.) Bye.", ["He (the boss.) left.", "(She stayed.)", "Bye."]),
    ("references", "The claim is old.[12] It was bad.¹ Then?", ["The claim is old.[12]", "It was bad.¹", "Then?"]),
    ("emoji", "Done. 🚀 Launching now! ✅✅ Next\n🎉 Party.", ["Done. 🚀", "Launching now! ✅✅", "Next", "🎉 Party."]),
    ("emoji alone", "🎉🎉\n👍", []),
    ("table rows", "| Tea | 3.50. Ok |\n|---|---|\nDone.", ["| Tea | 3.50. Ok |", "Done."]),
    ("items", "- buy milk\n- buy eggs. Then rest.\n* stop", ["- buy milk", "- buy eggs.", "Then rest.", "* stop"]),
    ("other markers", "a) one\nb) two\n(1) three\n• four", ["a) one", "b) two", "(1) three", "• four"]),
    ("a bold number", "**1. Setup**\nDo it. __Yes.__ Ok.", ["**1. Setup**", "Do it.", "__Yes.__", "Ok."]),
    ("a heading with marks", "# Why? A. B\nText", ["# Why? A. B", "Text"]),
    (
        "a soft wrap",
        "The text is long\nand wraps. Then\nit goes on.",
        ["The text is long and wraps.", "Then it goes on."],
    ),
    ("rules between", "One\n\n---\n\nTwo\n***\nThree", ["One", "Two", "Three"]),
    ("a fence with blank lines", "Text\n```\na. B\n\n# c\n```\nEnd", ["Text", "``` a. B # c ```", "End"]),
    ("a fence left open", "Text\n~~~\na. B", ["Text", "~~~ a. B"]),
]

ITALIAN: list[Row] = [
    (
        "titles",
        "Il dott. Rossi e la sig.ra Verdi. L'avv. Neri no.",
        ["Il dott. Rossi e la sig.ra Verdi.", "L'avv. Neri no."],
    ),
    ("titles in a row", "Egr. Sig. Bianchi, ecco l'ing. A. Bruni.", ["Egr. Sig. Bianchi, ecco l'ing. A. Bruni."]),
    (
        "labels",
        "Secondo l'art. 5, a pag. 3, si può. Vedi n. 12.",
        ["Secondo l'art. 5, a pag. 3, si può.", "Vedi n. 12."],
    ),
    ("ecc. at the end", "Compra pane, olio, ecc. Poi torna.", ["Compra pane, olio, ecc.", "Poi torna."]),
    ("guillemets", "Disse: «Vieni qui.» Poi uscì.", ["Disse: «Vieni qui.»", "Poi uscì."]),
    ("a question in guillemets", "«Vieni?» chiese. «No!» Rimase.", ["«Vieni?» chiese.", "«No!»", "Rimase."]),
    ("companies", "La Bianchi S.r.l. Milano chiude. È tardi.", ["La Bianchi S.r.l. Milano chiude.", "È tardi."]),
    ("numbers", "Costa € 1.250,50. Alle 14.30. Ok?", ["Costa € 1.250,50.", "Alle 14.30.", "Ok?"]),
    ("eras", "Dal 44 a.C. al 14 d.C. Roma crebbe.", ["Dal 44 a.C. al 14 d.C. Roma crebbe."]),
    ("examples", "Ad es. Maria lo sa. Un po' di pane. Sì.", ["Ad es. Maria lo sa.", "Un po' di pane.", "Sì."]),
]

OTHERS: list[Row] = [
    ("es", "Viven en EE. UU. desde 2010. ¿Vienes? ¡No!", ["Viven en EE. UU. desde 2010.", "¿Vienes?", "¡No!"]),
    ("es", "Son las 3 p. m. Nos vamos. ¡¿Qué?!", ["Son las 3 p. m.", "Nos vamos.", "¡¿Qué?!"]),
    ("es", "—¿Vienes? —preguntó. —Sí.", ["—¿Vienes? —preguntó.", "—Sí."]),
    ("fr", "« Vous venez ? » demanda-t-il. « Oui ! » Bien.", ["« Vous venez ? » demanda-t-il.", "« Oui ! »", "Bien."]),
    (
        "fr",
        "M. Dupont part à 8 h. En 52 av. J.-C. César gagna.",
        ["M. Dupont part à 8 h.", "En 52 av. J.-C. César gagna."],
    ),
    ("pt-BR", "A Dra. Souza mora na Av. Paulista. São 15h30.", ["A Dra. Souza mora na Av. Paulista.", "São 15h30."]),
    ("de", "Im 19. Jahrhundert lebte er. Er kam 1982. Gut.", ["Im 19. Jahrhundert lebte er.", "Er kam 1982.", "Gut."]),
    ("de", "„Komm her.“ Dann ging er. »Ja?« fragte Anna.", ["„Komm her.“", "Dann ging er.", "»Ja?« fragte Anna."]),
    ("de", "Er heißt Max. Er mag Brot usw. Dann geht er.", ["Er heißt Max.", "Er mag Brot usw.", "Dann geht er."]),
    ("ru", "Он уехал в 1990 г. Потом умер. Это г. Москва.", ["Он уехал в 1990 г.", "Потом умер.", "Это г. Москва."]),
    ("el", "Ο κ. Παπάς ήρθε. «Έλα;» είπε. Καλά; Ναι.", ["Ο κ. Παπάς ήρθε.", "«Έλα;» είπε.", "Καλά;", "Ναι."]),
    ("hi", "क्या यह सच है? “हाँ।” डॉ. शर्मा आए। ठीक!", ["क्या यह सच है?", "“हाँ।”", "डॉ. शर्मा आए।", "ठीक!"]),
    ("ar", "قال: «هل أنت جاهز؟» ثم ذهب د. سعيد. نعم!", ["قال: «هل أنت جاهز؟»", "ثم ذهب د. سعيد.", "نعم!"]),
    ("ur", "یہ گھر ہے۔ وہ کہاں ہے؟ ٹھیک۔", ["یہ گھر ہے۔", "وہ کہاں ہے؟", "ٹھیک۔"]),
    ("am", "ሰላም። እንዴት ነህ፧ ደህና።", ["ሰላም።", "እንዴት ነህ፧", "ደህና።"]),
    ("th", "ปี พ.ศ. 2567 ราคา 3.50 บาท ครับ\nขอบคุณ", ["ปี พ.ศ. 2567 ราคา 3.50 บาท ครับ", "ขอบคุณ"]),
    ("ko", "안녕하세요. 비가 와요! 갈까요?", ["안녕하세요.", "비가 와요!", "갈까요?"]),
    (
        "ja",
        "「行く。」と言った。「はい。」「え？！」終わり。",
        ["「行く。」と言った。", "「はい。」", "「え？！」", "終わり。"],
    ),
    ("ja", "すごい……でも無理。（本当。）次。", ["すごい……でも無理。", "（本当。）", "次。"]),
    ("zh", "“是吗？”，他问。价格是￥12.50！好。", ["“是吗？”，他问。", "价格是￥12.50！", "好。"]),
    ("zh", '他说"走吧。来。"然后走了。好的！😊 完', ['他说"走吧。', '来。"', "然后走了。", "好的！😊", "完"]),
    ("zh", "第一行\n第二行\n1. 烧水。\n2. 泡茶。", ["第一行", "第二行", "1. 烧水。", "2. 泡茶。"]),
    ("tlh", "Prof. Ada kom. Hon sa 3.5 kr. Bra!", ["Prof. Ada kom.", "Hon sa 3.5 kr.", "Bra!"]),
]

MIXED = "Hello Dr. Lee. 今天下雨了。Τι είναι; Ναι. यह घर है। هل أنت؟ Ok."


def words(text: str, language: str | None) -> list[str]:
    stream = SentenceStream(language)
    found = [sentence for char in text for sentence in stream.push(char)] + stream.flush()
    return [" ".join(sentence.text.split()) for sentence in found]


@pytest.mark.parametrize(("text", "sentences"), [row[1:] for row in ENGLISH], ids=[row[0] for row in ENGLISH])
def test_english_kinds(text: str, sentences: list[str]) -> None:
    assert words(text, "en") == sentences


@pytest.mark.parametrize(("text", "sentences"), [row[1:] for row in ITALIAN], ids=[row[0] for row in ITALIAN])
def test_italian_kinds(text: str, sentences: list[str]) -> None:
    assert words(text, "it") == sentences


@pytest.mark.parametrize(("language", "text", "sentences"), OTHERS)
def test_other_languages(language: str, text: str, sentences: list[str]) -> None:
    assert words(text, language) == sentences


@pytest.mark.parametrize("language", [None, "en", "it"])
def test_scripts_in_one_line_are_told_apart_by_their_letters(language: str | None) -> None:
    assert words(MIXED, language) == [
        "Hello Dr. Lee.", "今天下雨了。", "Τι είναι;", "Ναι.", "यह घर है।", "هل أنت؟", "Ok.",
    ]  # fmt: skip
