"""Rules that only Italian has: saints, provinces, streets named after a date, ordinals in Roman figures before a noun."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft, left_out
from primavoce.normalize.tongue import Rule, Tongue
from primavoce.text.languages.rules import words

_MEN = words(
    "Agostino Ambrogio Andrea Antonio Apollinare Babila Bartolomeo Benedetto Bernardo Biagio Camillo Carlo Cristoforo Domenico",
    "Donato Eustorgio Fedele Felice Filippo Francesco Gennaro Giacomo Giorgio Giovanni Girolamo Giuliano Giuseppe Gottardo",
    "Gregorio Ignazio Leonardo Lorenzo Luca Luigi Marco Marino Martino Matteo Mattia Maurizio Michele Nazaro Nicola Nicolò Pancrazio",
    "Paolo Patrizio Petronio Pietro Pio Raffaele Remo Rocco Salvario Sebastiano Severino Silvestro Simpliciano Siro Spirito",
    "Stefano Tommaso Valentino Vincenzo Vitale Vito Vittore Zeno",
)
_WOMEN = words(
    "Agata Agnese Anna Barbara Caterina Cecilia Chiara Croce Elena Elisabetta Eufemia Giulia Giustina Lucia Margherita Maria",
    "Marta Monica Orsola Rita Rosa Rosalia Sabina Sofia Susanna Teresa Trinità Valeria Veronica",
)
_SAINT = re.compile(r"(?<![\w.])S\.[ \u00a0]?(?P<name>[A-Z][a-zà-ù]{2,15}+)(?!\w)")

_PROVINCES = {
    short: name.replace("_", " ")
    for short, name in (
        entry.split(":")
        for entry in [
            "AG:Agrigento",
            "AL:Alessandria",
            "AN:Ancona",
            "AO:Aosta",
            "AR:Arezzo",
            "AP:Ascoli_Piceno",
            "AT:Asti",
            "AV:Avellino",
            "BA:Bari",
            "BT:Barletta-Andria-Trani",
            "BL:Belluno",
            "BN:Benevento",
            "BG:Bergamo",
            "BI:Biella",
            "BO:Bologna",
            "BZ:Bolzano",
            "BS:Brescia",
            "BR:Brindisi",
            "CA:Cagliari",
            "CL:Caltanissetta",
            "CB:Campobasso",
            "CE:Caserta",
            "CT:Catania",
            "CZ:Catanzaro",
            "CH:Chieti",
            "CO:Como",
            "CS:Cosenza",
            "CR:Cremona",
            "KR:Crotone",
            "CN:Cuneo",
            "EN:Enna",
            "FM:Fermo",
            "FE:Ferrara",
            "FI:Firenze",
            "FG:Foggia",
            "FC:Forlì-Cesena",
            "FR:Frosinone",
            "GE:Genova",
            "GO:Gorizia",
            "GR:Grosseto",
            "IM:Imperia",
            "IS:Isernia",
            "AQ:L'Aquila",
            "SP:La_Spezia",
            "LT:Latina",
            "LE:Lecce",
            "LC:Lecco",
            "LI:Livorno",
            "LO:Lodi",
            "LU:Lucca",
            "MC:Macerata",
            "MN:Mantova",
            "MS:Massa-Carrara",
            "MT:Matera",
            "ME:Messina",
            "MI:Milano",
            "MO:Modena",
            "MB:Monza_e_Brianza",
            "NA:Napoli",
            "NO:Novara",
            "NU:Nuoro",
            "OR:Oristano",
            "PD:Padova",
            "PA:Palermo",
            "PR:Parma",
            "PV:Pavia",
            "PG:Perugia",
            "PU:Pesaro_e_Urbino",
            "PE:Pescara",
            "PC:Piacenza",
            "PI:Pisa",
            "PT:Pistoia",
            "PN:Pordenone",
            "PZ:Potenza",
            "PO:Prato",
            "RG:Ragusa",
            "RA:Ravenna",
            "RC:Reggio_Calabria",
            "RE:Reggio_Emilia",
            "RI:Rieti",
            "RN:Rimini",
            "RM:Roma",
            "RO:Rovigo",
            "SA:Salerno",
            "SS:Sassari",
            "SV:Savona",
            "SI:Siena",
            "SR:Siracusa",
            "SO:Sondrio",
            "SU:Sud_Sardegna",
            "TA:Taranto",
            "TE:Teramo",
            "TR:Terni",
            "TO:Torino",
            "TP:Trapani",
            "TN:Trento",
            "TV:Treviso",
            "TS:Trieste",
            "UD:Udine",
            "VA:Varese",
            "VE:Venezia",
            "VB:Verbania",
            "VC:Vercelli",
            "VR:Verona",
            "VV:Vibo_Valentia",
            "VI:Vicenza",
            "VT:Viterbo",
        ]
    )
}
_PROVINCE = re.compile(
    r"(?P<town>[A-ZÀ-Þ][a-zà-ù'’]{1,20}+)[ \u00a0](?:\((?P<short>[A-Z]{2})\)|(?P<bare>[A-Z]{2})(?=[.,;]?(?:\s|$)))"
)
_HOUSE = re.compile(r"(?<![\w.,/-])(?P<number>\d{1,4})/(?P<letter>[A-Za-z])(?![\w/])")
_MINUTE_OF = re.compile(r"(?<!\w)(?P<lead>(?:al|nel|dal|del) )(?P<minute>\d{1,3})['’′](?P<more>\+(?=\d))?(?!\w)")
_HUNDREDS = re.compile(r"(?<![^\W])['’](?P<hundreds>[3-9]00)(?!\d)")
_AND_HALF = re.compile(r" e 1/2(?![\w/]|[ ]\w)")
_PHONE = re.compile(r"(?<![\w.,/-])(?P<first>0\d{1,3}|3\d{2})/(?P<rest>\d{5,8})(?![\w/]|[.,]\d)")
_ROUND_THE_CLOCK = re.compile(r"(?<![\w-])[hH] ?24(?![\w:.,]\w|\w)")


def saints(draft: Draft, _tongue: Tongue) -> None:
    """Say S. before a saint's name: S. Maria "Santa Maria", S. Antonio "Sant'Antonio", S. Stefano "Santo Stefano"."""
    draft.rewrite(_SAINT, _saint)


def _saint(match: re.Match[str]) -> str | None:
    name = match["name"]
    if name not in _MEN and name not in _WOMEN:
        return None
    if name[0] in "AEIOU":
        return f"Sant'{name}"
    if name in _WOMEN:
        return f"Santa {name}"
    return f"Santo {name}" if re.match(r"S[^aeiou]", name) else f"San {name}"


def provinces(draft: Draft, _tongue: Tongue) -> None:
    """Say the province in brackets after a town, but not after its own capital: Sesto (MI), Milano (MI)."""
    draft.rewrite(_PROVINCE, _province)


def _province(match: re.Match[str]) -> str | None:
    short = match["short"] or match["bare"]
    province = _PROVINCES.get(short)
    if province is None or (match["bare"] and not province.endswith(match["town"])):
        return None
    if province.split()[0].endswith(match["town"]) or province.endswith(match["town"]):
        left_out(len(short), "a province named as its town")
        return match["town"]
    return f"{match['town']}, {province}"


def houses(draft: Draft, tongue: Tongue) -> None:
    """Say the number of a house with a letter: 12/B "dodici barra B"."""
    draft.rewrite(_HOUSE, lambda match: f"{match['number']} {tongue.address['/']} {match['letter'].upper()}")


def minutes(draft: Draft, _tongue: Tongue) -> None:
    """Say the minute of a match, al 90' "al novantesimo minuto", centuries as '900, and a half after *e*."""
    draft.rewrite(_MINUTE_OF, lambda match: f"{match['lead']}{match['minute']}º{' +' if match['more'] else ' minuto'}")
    draft.rewrite(_HUNDREDS, lambda match: match["hundreds"])
    draft.rewrite(_AND_HALF, lambda _: " e mezzo")


def telephones(draft: Draft, tongue: Tongue) -> None:
    """Part a telephone number as others are: 333/1234567."""
    draft.say(_PHONE, lambda match: ", ".join(numbers.digits(group, tongue) for group in match.groups()))


def round_the_clock(draft: Draft, tongue: Tongue) -> None:
    """Say h24, which is no time of day."""
    draft.say(_ROUND_THE_CLOCK, lambda _: tongue.phrases["always"].partition(",")[0])


RULES: tuple[Rule, ...] = (saints, provinces, houses, minutes, telephones, round_the_clock)
"""Before those that Italian shares with its sisters."""
