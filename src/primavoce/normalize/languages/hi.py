"""Hindi: figures are left to espeak, which says them in Hindi."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.languages.dates import dates
from primavoce.normalize.languages.identifiers import identifiers
from primavoce.normalize.languages.loans_hi import LETTERS, LOANS
from primavoce.normalize.languages.romance import abbreviations
from primavoce.normalize.tongue import Time, Tongue


def clock(time: Time, _tongue: Tongue) -> str:
    """Return a time of day: "साढ़े 9 बजे" at half past, "14 बजकर 45 मिनट"."""
    half = {"a": "सुबह ", "p": "शाम "}.get(time.half, "")
    hour, minute = time.hour, time.minute
    if minute == 0:
        words = f"{hour} बजे"
    elif minute == 30 and hour in {1, 2}:
        words = "डेढ़ बजे" if hour == 1 else "ढाई बजे"
    elif minute == 30 and 3 <= hour <= 12:
        words = f"साढ़े {hour} बजे"
    elif minute == 15 and 1 <= hour <= 12:
        words = f"सवा {hour} बजे"
    elif minute == 45 and 1 <= hour <= 11:
        words = f"पौने {hour + 1} बजे"
    else:
        words = f"{hour} बजकर {minute} मिनट"
    return time.after_its_word(half + words)


_PART = re.compile(r"(?<![\w.,/-])(?P<part>[13])/(?P<of>[24])(?![\d/])")
_PHONE = re.compile(
    r"(?<![\w.,/-])(?P<plus>\+91[ -]?)?(?P<number>[6-9]\d{4}[ -]?\d{5}|0\d{2,4}-\d{6,8}|1800[ -]\d{3}[ -]\d{3,4})(?![\w/]|[.,-]\d)"
)
_PARTS = {("1", "2"): "आधा", ("1", "4"): "एक चौथाई", ("3", "4"): "तीन चौथाई"}


def parts(draft: Draft, _tongue: Tongue) -> None:
    """Say the fractions that have names: 1/2 "आधा"."""
    draft.say(_PART, lambda match: _PARTS.get((match["part"], match["of"])))


def telephones(draft: Draft, tongue: Tongue) -> None:
    """Say telephone numbers figure by figure."""
    draft.say(_PHONE, lambda match: _phone(match, tongue))


def _phone(match: re.Match[str], tongue: Tongue) -> str:
    groups = re.findall(r"\d+", match.group())
    said = ", ".join(" ".join(group) for group in groups)
    return f"{tongue.phrases['plus']} {said}" if match["plus"] else said


TONGUE = Tongue(
    tag="hi",
    locale="hi",
    numerals=None,
    symbols={
        "&": "और",
        "@": "ऐट",
        "#": "नंबर",
        "+": "जमा",
        "−": "माइनस",
        "±": "प्लस माइनस",
        "×": "गुणा",
        "÷": "भाग",
        "=": "बराबर",
        "≠": "बराबर नहीं",
        "≈": "लगभग बराबर",
        "<": "से छोटा",
        ">": "से बड़ा",
        "≤": "से छोटा या बराबर",
        "≥": "से बड़ा या बराबर",
        "√": "वर्गमूल",
        "∞": "अनंत",
        "~": "लगभग",
        "§": "धारा",
        "¶": "अनुच्छेद",
        "©": "कॉपीराइट",
        "®": "पंजीकृत",
        "^": "की घात",
        "|": "या",
        "/": "या",
        "*": "तारांकन",
        "_": "अंडरस्कोर",
        "\\": "बैकस्लैश",
        "°": "डिग्री",
        "%": "प्रतिशत",
        "‰": "प्रति हज़ार",
    },
    address={
        ".": "डॉट",
        "/": "स्लैश",
        "\\": "बैकस्लैश",
        "@": "ऐट",
        "-": "डैश",
        "_": "अंडरस्कोर",
        ":": "कोलन",
        "~": "टिल्ड",
        "+": "प्लस",
        "=": "बराबर",
        "==": "बराबर बराबर",
        "!=": "बराबर नहीं",
        "&": "और",
        "?": "प्रश्नचिह्न",
        "#": "हैश",
        "%": "प्रतिशत",
        "$": "डॉलर",
        "*": "तारांकन",
        ",": "अल्पविराम",
        "port": "पोर्ट",
        "query": "पैरामीटर के साथ",
        "fragment": "अनुभाग",
        "hashtag": "हैशटैग",
        "handle": "ऐट",
    },
    phrases={
        "code": "कोड",
        "table": "तालिका",
        "image": "चित्र",
        "done": "पूरा हुआ",
        "to_do": "करना है",
        "point": "दशमलव",
        "minus": "माइनस",
        "plus": "प्लस",
        "percent": "प्रतिशत",
        "permille": "प्रति हज़ार",
        "to": "से",
        "times": "{a} से {b}",
        "from_to": "{a} से {b}",
        "by": "गुणा",
        "per": "प्रति",
        "about": "लगभग",
        "over": "{b} में से {a}",
        "divided": "भाग",
        "always": "चौबीसों घंटे, सातों दिन",
        "money": "{whole} {unit} {cents} {cent}",
        "squared": "का वर्ग",
        "cubed": "का घन",
        "more_than": "{n} से ज़्यादा",
        "less_than": "{n} से कम",
        "at_least": "कम से कम {n}",
        "at_most": "ज़्यादा से ज़्यादा {n}",
        "degree": "डिग्री",
        "degrees": "डिग्री",
        "version": "वर्शन",
        "version_point": "पॉइंट",
        "full_stop": "।",
        "date": "{day} {month} {year}",
    },
    currencies={
        "INR": ("रुपया", "रुपये", "पैसा", "पैसे"),
        "USD": ("डॉलर", "डॉलर", "सेंट", "सेंट"),
        "EUR": ("यूरो", "यूरो", "सेंट", "सेंट"),
        "GBP": ("पाउंड", "पाउंड", "पेंस", "पेंस"),
        "JPY": ("येन", "येन"),
        "CNY": ("युआन", "युआन"),
        "BTC": ("बिटकॉइन", "बिटकॉइन"),
    },
    magnitudes={
        "k": (1000, "हज़ार", "हज़ार"),
        "m": (1_000_000, "मिलियन", "मिलियन"),
        "bn": (1_000_000_000, "अरब", "अरब"),
        "b": (1_000_000_000, "अरब", "अरब"),
        "cr": (10_000_000, "करोड़", "करोड़"),
        "हज़ार": (1000, "हज़ार", "हज़ार"),
        "हजार": (1000, "हज़ार", "हज़ार"),
        "लाख": (100_000, "लाख", "लाख"),
        "करोड़": (10_000_000, "करोड़", "करोड़"),
        "अरब": (1_000_000_000, "अरब", "अरब"),
        "मिलियन": (1_000_000, "मिलियन", "मिलियन"),
    },
    abbreviations={"डॉ.": "डॉक्टर", "प्रो.": "प्रोफ़ेसर", "रु.": "रुपये"},
    respellings=LOANS,
    letters=LETTERS,
    clock=clock,
    rules=(abbreviations, dates, identifiers, parts, telephones),
)
