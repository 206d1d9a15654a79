"""Acronyms and names that the phonemiser gets wrong; it spells or says the others (API, NASA, CEOs) rightly itself."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import text_before
from primavoce.normalize.english.figures import count
from primavoce.normalize.labels import letters
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_READINGS = {
    # Said as words, but spelled by the phonemiser for want of an entry.
    "JSON": "Jason",
    "JSONL": "Jason L",
    "YAML": "yammel",
    "TOML": "tommel",
    "toml": "tommel",
    "README": "read me",
    "WAV": "wave",
    "TOEFL": "toefel",
    "IaaS": "eye ass",
    "PaaS": "pass",
    "SEPA": "seepa",
    "FLAC": "flack",
    "DALL-E": "Dolly",
    "SCSI": "scuzzy",
    "CAPTCHA": "captcha",
    "LoRA": "Laura",
    # Spelled, but said as a word, or with the letters grouped otherwise.
    "AWS": "A.W.S",
    "IPv4": "I P version four",
    "IPv6": "I P version six",
    "I/O": "I O",
    "CI/CD": "C I, C D",
    "TCP/IP": "TCP IP",
    "AC/DC": "AC DC",
    "A/B": "A.B",
    "TL;DR": "T L D R",
    "CO2": "C O two",
    "H2O": "H two O",
    "O2": "O two",
    "GPTs": "G P Ts",
    # Part spelled, part said.
    "OAuth": "oh auth",
    "OAuth2": "oh auth two",
    "SQLite": "sequel lite",
    "PostgreSQL": "post-gress Q L",
    "NoSQL": "no sequel",
    "NumPy": "num pie",
    "SciPy": "sigh pie",
    "PyPI": "pie P I",
    "PyTorch": "pie torch",
    "LaTeX": "lay tech",
    "nginx": "engine X",
    "kubectl": "kube control",
    "DevOps": "dev ops",
    "XLSX": "X L S X",
    "MLOps": "M L ops",
    "GraphQL": "graph Q L",
    "FastAPI": "fast A.P.I",
    "DNSSEC": "D N S sec",
    "vLLM": "V L L M",
    "LoRaWAN": "Laura wan",
    # Cut by a count of letters.
    "i18n": "internationalization",
    "l10n": "localization",
    "a11y": "accessibility",
    "k8s": "kubernetes",
    "K8s": "kubernetes",
    # Signs that belong to the name.
    "C++": "C plus plus",
    "C#": "C sharp",
    "F#": "F sharp",
    ".NET": "dot net",
    "g++": "G plus plus",
    "Notepad++": "notepad plus plus",
    # Letters between figures.
    "MP3": "MP three",
    "MP4": "MP four",
    "B2B": "B to B",
    "B2C": "B to C",
    "P2P": "P to P",
    "G2P": "G to P",
    "E2E": "end to end",
    "M3U8": "M three U eight",
    "R2D2": "R two D two",
    "W3C": "W three C",
    "S3": "S three",
    "EC2": "EC two",
    "ISO-8859-1": "ISO eighty-eight fifty-nine one",
    "802.11ax": "eight oh two dot eleven A.X",
    "802.11ac": "eight oh two dot eleven A.C",
    "802.11n": "eight oh two dot eleven N",
    "YoY": "year over year",
    "QoQ": "quarter over quarter",
    "MoM": "month over month",
    "mRNA": "M.R.N.A",
    "tRNA": "T.R.N.A",
    "src": "source",
    "README.md": "read me dot M.D",
    "x86": "X eighty-six",
    "x86-64": "X eighty-six, sixty-four",
    "x86_64": "X eighty-six, sixty-four",
    "HTTP/1.1": "HTTP one point one",
    "HTTP/2": "HTTP two",
    "HTTP/3": "HTTP three",
    "COVID-19": "Covid nineteen",
    "Covid-19": "Covid nineteen",
    "401(k)": "four oh one K",
    "24x7x365": "twenty-four seven, three sixty-five",
    "H.264": "H two sixty-four",
    "H.265": "H two sixty-five",
    "24x7": "twenty-four seven",
    "4x4": "four by four",
}
"""As written → as said. A plural's s and a possessive's may follow."""

_READING = re.compile(
    rf"(?<![\w.+#@/-])({'|'.join(re.escape(name) for name in sorted(_READINGS, key=len, reverse=True))})"
    r"(['’]s|s)?(?![\w+#@]|[./]\w)"
)
_NET = re.compile(r"(?<![\w.])(\.NET|ASP\.NET|Node\.js|Next\.js|Vue\.js|Three\.js|React\.js)(?!\w)")
_NETS = {".NET": "dot net", "ASP.NET": "ASP dot net"}
_DIMENSION = re.compile(r"(?<![\w.,-])([1-9])([DGKH])(?![\w’']|-\d)")
_US = re.compile(r"(?<=[A-Z])( )US(?=[ !?,;:…]|\.(?:\s|\Z)|\Z)")
_OBJECT_OF = words(
    "TELL LET GIVE HELP JOIN CONTACT CALL FOLLOW TRUST BETWEEN ABOUT WITH FOR TO SEND EMAIL SHOW ASK VISIT REACH",
    "MEET FIND TEXT PAY MAIL LIKE LIKES BOTH ALL",
)
_SHOUTED = re.compile(r"(?<![\w.@/-])([A-Z]{7,24})(?![\w@/]|\.\w)")
_INITIALISMS = frozenset(["LGBTQIA", "LGBTQIAP", "PCMCIA"])
_VOWELS = frozenset("AEIOUY")
_INITIALS = re.compile(r"(?<![\w/.])([A-Z])/([A-Z])(?![\w/])")
_COMPOUND = re.compile(r"(?<![\w/])([A-Z]{2,6})/([A-Z]{2,6})(?![\w/])")


def acronyms(draft: Draft, tongue: Tongue) -> None:
    """Say the acronyms and names that would be said wrongly."""

    def reading(match: re.Match[str]) -> str:
        return _READINGS[match[1]] + (match[2] or "")

    def dotted(match: re.Match[str]) -> str:
        return _NETS.get(match[1]) or match[1].replace(".js", " J S")

    def us(match: re.Match[str]) -> str | None:
        words = text_before(match).split()
        return " us" if words and words[-1] in _OBJECT_OF else None

    def shouted(match: re.Match[str]) -> str | None:
        word = match[1]
        if word in _INITIALISMS or not _VOWELS.intersection(word) or set(word) <= set("IVXLCDM"):
            return None
        return word.lower()

    draft.say(_NET, dotted)
    draft.say(_READING, reading)
    draft.say(_DIMENSION, lambda match: f"{count(match[1], tongue)} {match[2]}")
    draft.say(_US, us)
    draft.rewrite(_SHOUTED, shouted)
    draft.say(_INITIALS, lambda match: letters(match[1] + match[2]))
    draft.say(_COMPOUND, lambda match: f"{match[1]} {match[2]}")
