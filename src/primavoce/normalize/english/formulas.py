"""Chemical formulas: H2SO4, C₆H₁₂O₆, Ca2+, NaCl."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.figures import count
from primavoce.normalize.labels import letters
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_ELEMENTS = words(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb",
    "Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pt Au Hg Tl Pb Bi Po Rn Ra Th U Pu W",
)
_SYMBOL = "|".join(sorted(_ELEMENTS, key=len, reverse=True))
_PART = rf"(?:(?:{_SYMBOL})(?:\d{{1,2}}|[₀-₉]{{1,2}})?)"
_FORMULA = re.compile(
    rf"(?<![\w.@#$/+-])(?=[A-Za-z]{{1,3}}[\d₀-₉A-Z])(?=[A-Za-z()]{{0,8}}[\d₀-₉])({_PART}{{1,10}}+(?:\({_PART}{{1,6}}+\)[\d₀-₉]{{1,2}})?{_PART}{{0,6}})"
    r"(?![\w@#/]|[.,:]\d|-\w)"
)
_SALTS = words(
    "NaCl KCl HCl NaOH KOH HF HBr HI CaO MgO CuO ZnO NaF KI AgCl FeS NaBr LiCl HCN KBr NaI CsCl AgBr",
)
_SALT = re.compile(rf"(?<![\w.@#$/-])({'|'.join(sorted(_SALTS, key=len, reverse=True))})(?![\w@#/-])")
_ION = re.compile(rf"(?<![\w.@#$/+-])({_SYMBOL})(\d|[²³])?([+⁺]|[-−⁻](?=\W|\Z))(?![\w+=]|\s*\d)")
_PIECE = re.compile(rf"({_SYMBOL})|([\d₀-₉]+)")
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉²³", "012345678923")
_NOT = re.compile(r"[A-Z]\d{1,2}|[A-Z]{2,}\d{1,2}(?!\d)")
"""F5, B12, W3, PC2: as likely something else, which is read so in any case."""


def formulas(draft: Draft, tongue: Tongue) -> None:
    """Say formulas letter by letter, with their figures."""

    def formula(match: re.Match[str]) -> str | None:
        written = match[1]
        parts = _PIECE.findall(written.replace("(", "").replace(")", ""))
        symbols = [symbol for symbol, _ in parts if symbol]
        if _NOT.fullmatch(written) and written not in {"CH4", "SO2", "NO2", "SO3", "NO3", "NH3", "NH4", "CO3", "PO4"}:
            return None
        if len(symbols) < 2 and not any(char in written for char in "₀₁₂₃₄₅₆₇₈₉"):
            return None
        return " ".join(_spelled(parts, tongue))

    def ion(match: re.Match[str]) -> str | None:
        symbol, charge, sign = match.groups()
        if len(symbol) == 1 and sign in "+-" and symbol not in {"H", "K"}:
            return None  # a grade: B+
        number = f" {count(charge.translate(_LOW), tongue)}" if charge else ""
        return f"{letters(symbol)}{number} {'plus' if sign in '+⁺' else 'minus'}"

    draft.say(_FORMULA, formula)
    draft.say(_SALT, lambda match: letters(match[1]))
    draft.say(_ION, ion)


def _spelled(parts: list[tuple[str, str]], tongue: Tongue) -> list[str]:
    said: list[str] = []
    run = ""
    for symbol, figures in parts:
        if symbol:
            run += symbol
            continue
        said += [letters(run), count(figures.translate(_LOW), tongue)]
        run = ""
    return [*said, letters(run)] if run else said
