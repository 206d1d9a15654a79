"""What computers are addressed by: URLs, mail and IP addresses, paths, file names, handles, names in code."""

import ipaddress
import re
from urllib.parse import unquote

from primavoce.normalize.draft import Draft, left_out
from primavoce.normalize.labels import WORD_DOMAINS, domain, figures, label, octet, spelled
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words as word_set

LONGEST_PATH = 60
"""Characters of a URL's path that are read; of a longer one, the first steps that fit."""
LONGEST_QUERY = 24
"""Characters of a URL's query that are read; a longer one is only announced."""
LONGEST_STEP = 32
"""Characters of one step of a path, or of a fragment; longer ones mean nothing to a listener."""

_URL_CHAR = r"[^\s<>\"“”‘’«»`|\\^{}\u3000-\u30ff\u3400-\u9fff\ue000\uff00-\uffef]"
_URL = re.compile(
    r"(?<![A-Za-z0-9])(?i:(?P<scheme>https?|ftps?|wss?|file|ssh|git|s3|gs|redis|postgres|postgresql|mysql|mongodb|amqp"
    r"|tcp|udp)://|(?=www\.[a-z0-9]))"
    rf"(?P<rest>{_URL_CHAR}++)"
)
_TRAILING = ".,;:!?…*_'\"~"
_BEFORE = r"(?<![A-Za-z0-9._%+@/-])"
_MAIL = re.compile(
    rf"{_BEFORE}(?:mailto:)?(?P<user>[A-Za-z0-9](?:[A-Za-z0-9_%+-]|\.(?=[A-Za-z0-9_]))*+)"
    r"@(?P<host>[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6})(?![A-Za-z0-9-])"
)
_IPV4 = re.compile(
    r"(?<![\w.])(?P<ip>\d{1,3}(?:\.\d{1,3}){3})(?::(?P<port>\d{1,5}))?(?:/(?P<bits>\d{1,2}))?(?!\w|\.\d)"
)
_IPV6 = re.compile(
    r"(?<![\w:.])(?P<ip>(?:[0-9a-fA-F]{1,4}(?=:))?(?::{1,2}[0-9a-fA-F]{1,4}){1,8}(?:::)?|[0-9a-fA-F]{1,4}::)"
    r"(?:/(?P<bits>\d{1,3}))?(?![\w:])"
)
_MAC = re.compile(r"(?<![\w:-])[0-9a-fA-F]{2}(?P<mark>[:-])(?:[0-9a-fA-F]{2}(?P=mark)){4}[0-9a-fA-F]{2}(?![\w:-])")
_UUID = re.compile(r"(?<![\w-])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\w-])")
_HEX_COLOUR = re.compile(r"(?<![\w&#])#(?=[a-fA-F]{0,5}\d)[0-9a-fA-F]{6}(?!\w)")

_COUNTRIES = word_set(
    "ai at au be br ca ch cn cz de dk es eu fi fm fr gr hu ie il in io it jp kr mx nl no nz pl pt ro ru se sg to tr tv",
    "ua uk us za",
)
_NOT_BARE = word_set("run home one team work land host fun top life today link name art bot sh inc")
"""Top-level domains that need a scheme before them, since they may be the next sentence run into this one."""
_TOP = "|".join(sorted(WORD_DOMAINS - _NOT_BARE | _COUNTRIES, key=len, reverse=True))
_DOMAIN = re.compile(
    rf"{_BEFORE}(?P<host>[a-zA-Z0-9](?:[a-zA-Z0-9-]{{0,62}}\.){{1,6}}(?:{_TOP})"
    r"(?![A-Za-z0-9-]|\.[A-Za-z0-9]))"
    rf"(?P<rest>(?::\d{{2,5}}(?!\d))?(?:/{_URL_CHAR}*+)?)"
)
_LOCALHOST = re.compile(r"(?<![\w./-])localhost(?P<port>:\d{2,5})(?!\d)(?P<path>/[\w./-]*+)?")

EXTENSIONS = word_set(
    "7z avi bak bash bin bmp bz2 c cc cfg cjs conf cpp crt cs css csv db dll dmg doc docx env exe flac gif go",
    "gradle gz h hpp htm html ico ini ipynb iso java jpeg jpg js json jsonl jsx key kt less lock log lua md mdx mjs",
    "mkv mov mp3 mp4 npy odt ogg onnx parquet pdf pem php pl png ppt pptx properties proto py pyi rb rs rst sass",
    "scss service sh so sql sqlite srt svg swift tar tf tgz tmp toml ts tsv tsx txt vtt vue wasm wav webp xls xlsx",
    "xml xz yaml yml zip zsh",
)
_EXTENSION = "|".join(sorted(EXTENSIONS, key=len, reverse=True))
_FILE = re.compile(
    r"(?<![\w/\\.@:+-])(?P<path>(?:~/|\.{1,2}/)?(?:[\w@+-][\w@+.-]*+/){0,30}+)"
    rf"(?P<name>\.?[\w+-]{{1,80}}+(?:\.[\w+-]{{1,40}}+)*?\.(?:{_EXTENSION}))(?::(?P<line>\d{{1,6}})(?::\d{{1,4}})?)?(?![\w/-]|\.\w)"
)
_PATH = re.compile(
    r"(?<![\w/\\.:)<~€$£¥₹%°²³-])(?P<path>(?:~|\.{1,2})?/(?=[\w.@+-]|$)(?:(?:[\w@+-]|\.(?=[\w@+.-]))++/?)*+)"
    r"|(?<![\w/\\.:-])(?P<folder>[\w-]{2,60}+(?:/[\w-]{1,60}+){0,20}/)(?!\w|/)"
)
_WINDOWS = re.compile(r"(?<!\w)(?:[A-Za-z]:|\\)\\(?:[\w.@+$ -]{1,60}+\\)*+[\w.@+$-]*+")
_DOT_FILE = re.compile(r"(?<![\w.])\.(?P<name>env|gitignore|dockerignore|bashrc|zshrc|npmrc|editorconfig)(?!\w)")
_DOTTED = re.compile(r"(?<![\w.@/])(?P<name>[A-Za-z_]\w{0,60}+(?:\.[A-Za-z_]\w{1,60}+){1,8})(?P<call>\(\))?(?![\w@])")
_CALL = re.compile(r"(?<![\w.])(?P<name>[A-Za-z_]\w{0,60}+)\(\)")
_FLAG = re.compile(
    r"(?<![\w-])(?P<dashes>--(?=[A-Za-z])|-(?=[A-Za-z](?![\w-])))(?P<name>[A-Za-z][\w-]*+)(?:=(?P<value>[\w./:-]{1,40}+))?"
)
_HANDLE = re.compile(r"(?<![\w@./])@(?P<name>[A-Za-z0-9_][\w-]{0,38}+(?:/[\w.-]{1,40}+)?)")
_HASHTAG = re.compile(r"(?<![\w&#/])#(?P<name>[^\W\d_]\w{1,60}+)")
_LETTER_IN_SNAKE = re.compile(
    r"(?<![\w/.])(?:[^\W_]{1,40}+_)?(?<![^\W_])[aA](?:_[^\W_]{1,40}+){1,8}(?!\w)|(?<![\w/.])(?:[^\W_]{1,40}+_){1,8}[aA](?!\w)"
)
_SNAKE = re.compile(r"(?<![\w/.])_{0,2}[^\W_]++(?:_{1,2}[^\W_]++)+_{0,2}(?!\w)")


def addresses(draft: Draft, tongue: Tongue) -> None:
    """Say addresses and names in code, with the language's words for their marks."""
    draft.settle_spans([span for match in _URL.finditer(draft.text) if (span := _url(match, tongue))])
    draft.say(
        _MAIL, lambda match: f"{label_run(match['user'], tongue)} {tongue.address['@']} {domain(match['host'], tongue)}"
    )
    for pattern, reading in (
        (_MAC, _mac),
        (_UUID, _uuid),
        (_IPV6, _ipv6),
        (_IPV4, _ipv4),
        (_LOCALHOST, _localhost),
        (_FILE, _file),
        (_WINDOWS, _windows),
    ):
        draft.say(pattern, lambda match, reading=reading: reading(match, tongue))  # type: ignore[misc]
    draft.settle_spans([span for match in _DOMAIN.finditer(draft.text) if (span := _bare(match, tongue))])
    for pattern, reading in ((_PATH, _path), (_DOT_FILE, _dot_file), (_FLAG, _flag), (_HEX_COLOUR, _colour)):
        draft.say(pattern, lambda match, reading=reading: reading(match, tongue))  # type: ignore[misc]
    draft.say(_HANDLE, lambda match: f"{tongue.address['handle']} {label(match['name'], tongue)}")
    draft.say(_HASHTAG, lambda match: f"{tongue.address['hashtag']} {label(match['name'], tongue)}")
    draft.say(_DOTTED, lambda match: _dotted(match, tongue))
    draft.rewrite(_CALL, lambda match: match["name"])
    if tongue.locale == "en":
        draft.say(_LETTER_IN_SNAKE, lambda match: label(match.group().replace("_", " "), tongue))
    draft.rewrite(_SNAKE, lambda match: " ".join(match.group().replace("_", " ").split()))


def label_run(text: str, tongue: Tongue) -> str:
    """Return a name with periods in words: ``jo.lee`` "jo dot lee"."""
    return f" {tongue.address['.']} ".join(label(piece, tongue) for piece in text.split(".") if piece)


def _url(match: re.Match[str], tongue: Tongue) -> tuple[int, int, str] | None:
    rest = _trimmed(match["rest"])
    if not rest:
        return None
    words = _located(rest, tongue)
    return match.start(), match.start("rest") + len(rest), words


def _bare(match: re.Match[str], tongue: Tongue) -> tuple[int, int, str] | None:
    if any(key.lower().rstrip(".") == match["host"].lower() for key in tongue.abbreviations):
        return None  # p.es. is no domain in Spain
    rest = _trimmed(match["rest"])
    return match.start(), match.start("rest") + len(rest), _located(match["host"] + rest, tongue)


def _trimmed(text: str) -> str:
    """Return ``text`` without the marks at its end that belong to the sentence."""
    while text:
        last = text[-1]
        if (
            last in _TRAILING
            or (last == ")" and text.count("(") < text.count(")"))
            or (last == "]" and "[" not in text)
        ):
            text = text[:-1]
        else:
            break
    return text


def _located(text: str, tongue: Tongue) -> str:
    """Return what follows a URL's scheme, in words."""
    text, _, fragment = text.partition("#")
    text, _, query = text.partition("?")
    authority, _, path = text.partition("/")
    user, at, host = authority.rpartition("@")
    name, _, port = host.partition(":")
    words = [f"{label_run(user, tongue)} {tongue.address['@']}"] if at else []
    words.append(_host(name, tongue))
    if port.isdecimal():
        words.append(f"{tongue.address['port']} {figures(port, tongue)}")
    words += _steps(path, tongue)
    if query:
        words.append(_query(query, tongue))
    if fragment:
        if len(fragment) <= LONGEST_STEP:
            words.append(f", {tongue.address['fragment']} {label_run(unquote(fragment), tongue)}")
        else:
            left_out(len(fragment), "a long fragment of a URL")
    return " ".join(words).replace(" ,", ",")


def _host(name: str, tongue: Tongue) -> str:
    if re.fullmatch(r"\d{1,3}(\.\d{1,3}){3}", name):
        return f" {tongue.address['.']} ".join(octet(part, tongue) for part in name.split("."))
    if "." not in name:
        return label(name, tongue)
    return domain(name, tongue)


def _steps(path: str, tongue: Tongue) -> list[str]:
    """Return the steps of a path in words; those that would tire a listener are left out, and logged."""
    words: list[str] = []
    room = LONGEST_PATH
    unread = 0
    for step in unquote(path).split("/"):
        if not step:
            continue
        room -= len(step)
        if room < 0 or len(step) > LONGEST_STEP:
            unread += len(step) + 1
            room = min(room, 0)
            continue
        words.append(f"{tongue.address['/']} {label_run(step, tongue)}")
    if unread:
        left_out(unread, "the rest of a long path")
    return words


def _query(query: str, tongue: Tongue) -> str:
    if len(query) > LONGEST_QUERY or query.count("&") > 1:
        left_out(len(query), "a long query of a URL")
        return f", {tongue.address['query']}"
    return f"{tongue.address['?']} {label_run(unquote(query.replace('+', ' ')), tongue)}"


def _ipv4(match: re.Match[str], tongue: Tongue) -> str | None:
    parts = match["ip"].split(".")
    if any(int(part) > 255 for part in parts):
        return None
    words = f" {tongue.address['.']} ".join(octet(part, tongue) for part in parts)
    if match["port"]:
        words = f"{words} {tongue.address['port']} {figures(match['port'], tongue)}"
    if match["bits"]:
        words = f"{words} {tongue.address['/']} {figures(match['bits'], tongue)}"
    return words


def _ipv6(match: re.Match[str], tongue: Tongue) -> str | None:
    written = match["ip"]
    if "::" not in written and written.count(":") != 7:
        return None
    try:
        ipaddress.IPv6Address(written)
    except ValueError:
        return None
    colon = tongue.address[":"]
    words = re.sub(":", f" {colon} ", " : ".join(part for part in written.split(":"))).split()
    said = " ".join(word if word == colon or word in colon.split() else spelled(word, tongue) for word in words)
    if match["bits"]:
        said = f"{said} {tongue.address['/']} {figures(match['bits'], tongue)}"
    return said


def _mac(match: re.Match[str], tongue: Tongue) -> str:
    return ", ".join(spelled(pair, tongue) for pair in re.split("[:-]", match.group()))


def _uuid(match: re.Match[str], tongue: Tongue) -> str:
    return ", ".join(spelled(group, tongue) for group in match.group().split("-"))


def _colour(match: re.Match[str], tongue: Tongue) -> str:
    return f"{tongue.address['#']} {spelled(match.group()[1:], tongue)}"


def _localhost(match: re.Match[str], tongue: Tongue) -> str:
    words = f"localhost {tongue.address['port']} {figures(match['port'][1:], tongue)}"
    return " ".join([words, *_steps(match["path"] or "", tongue)])


def _file(match: re.Match[str], tongue: Tongue) -> str | None:
    if any(key.lower().rstrip(".") == match.group().lower() for key in tongue.abbreviations):
        return None  # c.c. is Italy's civil code
    words = _walked(match["path"] + match["name"], tongue)
    line = match["line"]
    return f"{words}, {tongue.phrases.get('line', tongue.address[':'])} {figures(line, tongue)}" if line else words


def _path(match: re.Match[str], tongue: Tongue) -> str | None:
    path = match["path"] or match["folder"]
    return None if path == "/" else _walked(path, tongue)


def _walked(path: str, tongue: Tongue) -> str:
    """Return a path in words, its leading ``./`` or ``~/`` too."""
    slash = tongue.address["/"]
    words = [_file_name(step, tongue) for step in path.split("/")]
    return " ".join(f" {slash} ".join(words).split())


def _file_name(name: str, tongue: Tongue) -> str:
    dot = tongue.address["."]
    return f" {dot} ".join(label(piece, tongue) for piece in name.split("."))


def _windows(match: re.Match[str], tongue: Tongue) -> str:
    backslash = tongue.address["\\"]
    drive, *steps = match.group().split("\\")
    first = f"{drive[0].upper()} {tongue.address[':']}" if drive else ""
    return " ".join(f" {backslash} ".join([first, *(_file_name(step, tongue) for step in steps)]).split())


def _dot_file(match: re.Match[str], tongue: Tongue) -> str:
    return f"{tongue.address['.']} {label(match['name'], tongue)}"


def _flag(match: re.Match[str], tongue: Tongue) -> str:
    dash = tongue.address["-"]
    words = f"{' '.join([dash] * len(match['dashes']))} {label(match['name'], tongue)}"
    if match["value"]:
        words = f"{words} {tongue.address['=']} {label_run(match['value'], tongue)}"
    return words


def _dotted(match: re.Match[str], tongue: Tongue) -> str | None:
    """Return a dotted name in code; sentences run together (*fine.Poi*) and abbreviations (*dott.ssa*) are left."""
    name = match["name"]
    if not match["call"]:
        parts = name.split(".")
        low = name.lower()
        if any(len(part) < 2 or part[0].isupper() for part in parts) or not name.isascii():
            return None
        if any(key.lower().rstrip(".") in {low, parts[0]} for key in (*tongue.abbreviations, *tongue.before_number)):
            return None
    return label_run(name, tongue)
