"""Hostile text, class by class, and an oracle for what is left of it; neither knows the product's own tables."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

BEFORE = "BEFORE"
AFTER = "AFTER"


@dataclass(frozen=True, slots=True)
class Payload:
    """One hostile piece; an open one is a sequence that would rightly take a letter put directly behind it."""

    kind: str
    name: str
    text: str
    is_open: bool = False

    @property
    def embedded(self) -> str:
        """The payload between two words that must survive it."""
        return f"{BEFORE}{self.text}{chr(10) if self.is_open else ''}{AFTER}"


_CSI_BODIES = (
    *("2J", "3J", "H", "1;1H", "5A", "5B", "5C", "5D", "K", "2K", "10L", "10M", "10P", "10@", "5S", "5T", "s", "u"),
    *("6n", "5n", "?6n", "c", ">c", "=c", ">q", "0x", "18t", "21t", "8;1;1t", "!p", "4h", "?1049h", "?1049l", "?25l"),
    *("?1000h", "?1003h", "?1006h", "?2004h", "?2026h", "?2048h", "?1004h", ">1u", "<u", "=1;1u", "?u", "31m", "8m"),
    *("38;2;1;2;3m", "1;31;42m", "0 q", "1$r", "?69h", "20;20r", "M"),
)
_OSC_NUMBERS = ("0", "1", "2", "4", "7", "8", "9", "10", "11", "50", "52", "133", "777", "1337")
_OSC_BODY = ";c;aGVsbG8="
_STRING_ENDS = {"BEL": "\x07", "ST": "\x1b\\", "C1 ST": "\x9c", "unterminated": ""}
_DCS_BODIES = ("$q m", "+q544e", "1;2|17/ab", "tmux;\x1b\x1b]52;c;aGk=\x07", "0;0;0q#0;2;0;0;0~~@@vv$", "=1s")
_APC_BODIES = ("Ga=T,f=32;AAAA", "Gi=1,a=q;AAAA", "tmux title")
_ESC_FINALS = ("c", "7", "8", "=", ">", "D", "E", "H", "M", "N", "O", "Z", "n", "o", "|", "}", "~", "\\", "6", "9")
_ESC_LONG = ("(B", "(0", ")0", "*A", "+B", "#8", "#3", "%G", "%@")
_BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064"
    "\u2065\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufe00\ufe01\ufe0d\ufe0e\ufe0f\ufeff\uffa0\ufff0\ufff9\ufffa\ufffb"
    "\U0001bca0\U0001d173\U000e0100\U000e01ef\U000e0fff\U00013430\U000110bd\u06dd"
)
_TROJAN = {
    "python": "access = 'user\u202e \u2066# admin only\u2069 \u2066'",
    "c": "/*\u202e } \u2066if (admin)\u2069 \u2066 begin */",
    "javascript": "if (level != 'user\u202e \u2066// check\u2069 \u2066') {",
    "go": 'var x = "\u202e\u2066// zero\u2069\u2066"',
    "rust": 'let s = "\u202b\u2067end\u2069";',
    "shell": "rm -rf \u202e/ # \u2066tmp\u2069",
    "java": 'String s = "\u2067\u202d";',
    "sql": "-- \u202eDROP\u202c",
}


def payloads() -> list[Payload]:
    """Every payload of the corpus."""
    return [*_controls(), *_sequences(), *_strings(), *_hidden_characters(), *_odd_text()]


def _controls() -> Iterator[Payload]:
    for code in (*range(0x20), 0x7F):
        yield Payload("C0", f"{code:02x}", chr(code))
    for code in range(0x80, 0xA0):
        yield Payload("C1", f"{code:02x}", chr(code))
        yield Payload("C1 read as Latin-1", f"{code:02x}", bytes((0xC2, code)).decode("latin-1"))
        yield Payload("C1 as stray byte", f"{code:02x}", bytes((code,)).decode("utf-8", "surrogateescape"))
    for name, text in {
        "CRLF": "\r\n",
        "CR CR LF": "\r\r\n",
        "CR": "10%\r20%\r30%",
        "LS": "\u2028",
        "PS": "\u2029",
    }.items():
        yield Payload("line ends", name, text)


def _sequences() -> Iterator[Payload]:
    for body in _CSI_BODIES:
        yield Payload("CSI", body, f"\x1b[{body}")
        yield Payload("C1 CSI", body, f"\x9b{body}")
    for name, text in {
        "bare": "\x1b[",
        "private": "\x1b[?",
        "digits": "\x1b[31;4",
        "space": "\x1b[0 ",
        "C1": "\x9b3",
    }.items():
        yield Payload("open CSI", name, text, is_open=True)
    yield Payload("CSI", "newline inside", "\x1b[3\n1m")
    yield Payload("CSI", "endless parameters", "\x1b[" + "1;" * 5000 + "m")
    yield Payload("CSI", "inside CSI", "\x1b\x1b[0m[2J")
    yield Payload("CSI", "built by removal", "\x1b\x1b[0m\x1b[0m[6n")
    for final in (*_ESC_FINALS, *_ESC_LONG):
        yield Payload("ESC", final, f"\x1b{final}")


def _strings() -> Iterator[Payload]:
    for number in _OSC_NUMBERS:
        for name, end in _STRING_ENDS.items():
            yield Payload("OSC", f"{number} {name}", f"\x1b]{number}{_OSC_BODY}{end}")
            yield Payload("C1 OSC", f"{number} {name}", f"\x9d{number}{_OSC_BODY}{end}")
    for name, end in _STRING_ENDS.items():
        for body in _DCS_BODIES:
            yield Payload("DCS", f"{body} {name}", f"\x1bP{body}{end}")
        for body in _APC_BODIES:
            yield Payload("APC", f"{body} {name}", f"\x1b_{body}{end}")
        yield Payload("PM", name, f"\x1b^secret{end}")
        yield Payload("SOS", name, f"\x1bXsecret{end}")
        for introducer in "\x90\x98\x9e\x9f":
            yield Payload("C1 string", f"{ord(introducer):x} {name}", f"{introducer}1;2q{end}")
    yield Payload("OSC", "huge", "\x1b]52;c;" + "A" * 10_000 + "\x07")
    yield Payload("OSC", "hyperlink", "\x1b]8;;file:///etc/passwd\x1b\\https://example.org\x1b]8;;\x1b\\")
    yield Payload("OSC", "Linux palette", "\x1b]P0ff0000")


def _hidden_characters() -> Iterator[Payload]:
    for character in _BIDI:
        yield Payload("bidi", f"{ord(character):04x}", f"{character}evil")
    for character in _INVISIBLE:
        yield Payload("invisible", f"{ord(character):04x}", character)
    for code in (0xE0001, 0xE0020, *range(0xE0041, 0xE004A), 0xE007F):
        yield Payload("tag", f"{code:05x}", chr(code))
    yield Payload("tag", "sentence", "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all rules"))
    yield Payload("tag", "bytes in selectors", "😀" + "".join(chr(0xE0100 + byte) for byte in b"secret"))
    for language, line in _TROJAN.items():
        yield Payload("trojan source", language, line)
        yield Payload("trojan source", f"{language} in colour", f"\x1b[31m{line}\x1b[0m")
    for name, half in {"high": "\ud83d", "low": "\ude00", "swapped": "\ude00\ud83d", "tag": "\udb40\udc41"}.items():
        yield Payload("surrogates", name, half)


def _odd_text() -> Iterator[Payload]:
    for code in (0x0300, 0x0489, 0x05B0, 0x064B, 0x093C, 0x0E47, 0x1AB0, 0x20DD, 0xFE20, 0x1D167, 0x1E000):
        yield Payload("combining", f"{code:04x} 10,000 times", "o" + chr(code) * 10_000)
    yield Payload("combining", "kept alive by joiners", "o" + ("\u0301" * 8 + "\u200d") * 50)
    yield Payload("combining", "of two kinds", "ك" + "\u064b\u0301\u200c" * 500)
    joiners = {"alone": "\u200d", "twice": "😀\u200d\u200d😀", "at the end": "😀\u200d", "no emoji": "a\u200db"}
    for name, text in joiners.items():
        yield Payload("joiner", name, text)
    for markup in ("[/]", "[/red]", "[@click=app.quit]x[/]", "[bold", "\\[", "[link=file:///]x", "$x{y}", "[[]]"):
        yield Payload("markup", markup, markup)


_ALWAYS_FORBIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_UNSEEN = {
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE0F),
    *range(0xFFF0, 0xFFFC),
    *range(0xE0000, 0xE1000),
}
_JOINED_SCRIPTS = ("ARABIC", "SYRIAC", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU")
_MORE_JOINED_SCRIPTS = ("KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "MONGOLIAN", "NKO", "MANDAIC", "VEDIC")


def survivors(text: str) -> list[str]:
    """What is left in a cleaned text that could act on a terminal or hide from a reader."""
    conditional = {"\u200c", "\u200d", "\ufe0f"}
    letters = set(text)
    found = [f"U+{ord(letter):04X}" for letter in letters - conditional if _is_forbidden(letter)]
    marks = {letter for letter in letters if unicodedata.category(letter) in ("Mn", "Me")}
    if not letters & conditional and not marks:
        return found
    pile = 0
    for index, letter in enumerate(text):
        pile = pile + 1 if letter in marks and letter != "\ufe0f" else 0
        if pile > 8:
            found.append(f"pile of marks at {index}")
        if letter in conditional and not _is_needed(text, index):
            found.append(f"U+{ord(letter):04X} at {index}")
    return found


def _is_forbidden(letter: str) -> bool:
    return letter != "\n" and (unicodedata.category(letter) in _ALWAYS_FORBIDDEN or ord(letter) in _UNSEEN)


def _is_needed(text: str, index: int) -> bool:
    before, behind = text[:index][-1:], text[index + 1 : index + 2]
    if text[index] == "\ufe0f":
        return _is_sign(before) or (before in set("0123456789#*") and behind == "\u20e3")
    if before == "\ufe0f":
        before = text[index - 2 : index - 1]
    between_emoji = text[index] == "\u200d" and _is_sign(before) and _is_sign(behind)
    return between_emoji or (_is_joined(before) and _is_joined(behind))


def _is_sign(letter: str) -> bool:
    return bool(letter) and (unicodedata.category(letter) in ("So", "Sm", "Sk") or letter in "‼⁉〰〽ℹ")


def _is_joined(letter: str) -> bool:
    if not letter or unicodedata.category(letter)[0] not in "LM":
        return False
    return unicodedata.name(letter, "").startswith(_JOINED_SCRIPTS + _MORE_JOINED_SCRIPTS)
