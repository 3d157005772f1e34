"""One dialect of regular expressions for both searchers: what Python and Rust mean the same by, spelled for each.

Lines are matched one by one; bytes that are no UTF-8 are matched by nothing. What only Python can do (looking around,
back references, \\B, possessive repeats) has no spelling for Rust, and Python is used.
"""

import re
from dataclasses import dataclass, field

SPACES = r"\t\x0b\x0c\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
RUST_SPACES = re.sub(r"\\u([0-9a-f]{4})", r"\\x{\1}", SPACES)
PYTHON_SETS = {"d": r"\d", "w": r"\w", "s": SPACES}
# Rust counts marks as letters and Python does not; so Rust is told what Python means.
RUST_SETS = {"d": r"\p{Nd}", "w": r"\p{L}\p{N}_", "s": RUST_SPACES}
# A carriage return at the end belongs to the line ending. Python sees bytes that are no UTF-8 as surrogates.
PYTHON_NEVER = r"\n\r\ud800-\udfff"
RUST_NEVER = r"\n\r"
SIGNS = {"t": "\t", "f": "\f", "v": "\v", "r": "\r", "a": "\a", "0": "\0"}
POSIX = {
    "alpha": r"a-zA-Z",
    "digit": r"0-9",
    "alnum": r"a-zA-Z0-9",
    "upper": r"A-Z",
    "lower": r"a-z",
    "xdigit": r"0-9A-Fa-f",
    "space": r"\t\x0b\x0c\r ",
    "blank": r"\t ",
    "punct": r"!-\/:-@\[-`{-~",
    "word": r"a-zA-Z0-9_",
}
RUST_SPECIAL = frozenset(r"\.+*?()|[]{}^$#&-~")
REPEAT = re.compile(r"\{[0-9]{1,5}(?:,[0-9]{0,5})?\}|[*+?]")
HEX = re.compile(r"x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}")
IN_BOTH = re.compile(r"\?(?::|P?<[A-Za-z_]\w*>)")
IN_PYTHON = re.compile(r"\?(?:<?[=!]|>|P=\w+|[aimsux]+:)")


class NotUnderstood(Exception):
    """Why a pattern is no regular expression, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression in both spellings; without one for Rust, only Python can search it."""

    python: str
    rust: str | None
    ignores_case: bool


def read_pattern(given: str, ignores_case: bool) -> Pattern:
    """The pattern that was given; NotUnderstood if it is none."""
    if given.startswith("(?i)"):
        given, ignores_case = given[4:], True
    reader = _Reader(given)
    reader.read()
    python = "".join(reader.python)
    try:
        re.compile(python, flags(ignores_case))
    except (re.error, OverflowError, RecursionError) as error:
        raise NotUnderstood(str(error).partition(" at position")[0]) from None
    return Pattern(python, None if reader.needs_python else "".join(reader.rust), ignores_case)


def read_literal(given: str, ignores_case: bool) -> Pattern:
    """A pattern that means these letters and nothing else."""
    return Pattern(re.escape(given), "".join(map(_rust_sign, given)), ignores_case)


def flags(ignores_case: bool) -> re.RegexFlag:
    """How Python compiles a pattern."""
    return re.MULTILINE | re.IGNORECASE if ignores_case else re.MULTILINE


@dataclass(slots=True)
class _Reader:
    given: str
    at: int = 0
    python: list[str] = field(default_factory=list[str])
    rust: list[str] = field(default_factory=list[str])
    needs_python: bool = False

    def read(self) -> None:
        while self.at < len(self.given):
            sign = self.given[self.at]
            repeat = REPEAT.match(self.given, self.at)
            if sign == "\\":
                self._escape()
            elif sign == "[":
                self._class()
            elif sign == "(":
                self._group()
            elif repeat:
                self._repeat(repeat)
            else:
                self.at += 1
                self._plain(sign)

    def _plain(self, sign: str) -> None:
        match sign:
            case ".":
                self._both(f"[^{PYTHON_NEVER}]", f"[^{RUST_NEVER}]")
            case "$":
                self._both(r"(?:\r?$)", r"(?:\r?$)")
            case "^" | ")" | "|":
                self._both(sign, sign)
            case _:
                self._sign(sign)

    def _both(self, python: str, rust: str) -> None:
        self.python.append(python)
        self.rust.append(rust)

    def _sign(self, sign: str) -> None:
        if sign == "\n":
            raise NotUnderstood("lines are matched one by one, so it cannot hold a line break")
        self._both(re.escape(sign), _rust_sign(sign))

    def _only_python(self, text: str) -> None:
        self.python.append(text)
        self.needs_python = True

    def _repeat(self, repeat: re.Match[str]) -> None:
        self.at = repeat.end()
        self._both(repeat[0], repeat[0])
        after = self.given[self.at : self.at + 1]
        if after == "?":
            self.at += 1
            self._both("?", "?")
        elif after == "+":
            self.at += 1
            self._only_python("+")

    def _group(self) -> None:
        self.at += 1
        if found := IN_BOTH.match(self.given, self.at):
            named = found[0].replace("?<", "?P<")
            self._both(f"({named}", f"({named}")
        elif found := IN_PYTHON.match(self.given, self.at):
            self._only_python(f"({found[0]}")
        elif self.given.startswith("?", self.at):
            raise NotUnderstood(f"`({self.given[self.at : self.at + 3]}` is not known here")
        else:
            self._both("(", "(")
            return
        self.at = found.end()

    def _escape(self) -> None:
        letter = self.given[self.at + 1 : self.at + 2]
        if letter in ("d", "w", "s"):
            self._both(f"[{PYTHON_SETS[letter]}]", f"[{RUST_SETS[letter]}]")
        elif letter in ("D", "W", "S"):
            self._both(*_all_but(letter.lower()))
        elif letter == "b":
            self._both(r"\b", r"\b")
        elif letter == "B":
            self._only_python(r"\B")
        elif letter in ("A", "Z", "z"):
            self._plain("^" if letter == "A" else "$")
        elif letter in "123456789" and letter:
            self._only_python(f"\\{letter}(?:)")
        else:
            self._sign(self.escaped_sign())
            return
        self.at += 2

    def escaped_sign(self) -> str:
        """The one sign that stands after a backslash, here or in a class; moves past it."""
        if found := HEX.match(self.given, self.at + 1):
            self.at = found.end()
            code = int(next(filter(None, found.groups())), 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                raise NotUnderstood(f"there is no character {code:#x}")
            return chr(code)
        letter = self.given[self.at + 1 : self.at + 2]
        self.at += 2
        if letter == "n":
            return "\n"
        if letter in SIGNS and letter:
            return SIGNS[letter]
        if not letter or letter.isalnum():
            raise NotUnderstood(f"`\\{letter}` is not known here" if letter else "it ends with a backslash")
        return letter

    def _class(self) -> None:
        read = _ClassReader(self)
        read.read()
        if not read.python and not read.negative:
            raise NotUnderstood("a class in it is empty")
        python, rust = "".join(read.python), "".join(read.rust)
        if not read.negative:
            if read.is_negated:
                self._both(f"[^{python}{PYTHON_NEVER}]", f"[^{rust}{RUST_NEVER}]")
            else:
                self._both(f"[{python}]", f"[{rust}]")
        elif read.is_negated:
            first, *others = (f"[{PYTHON_SETS[letter]}]" for letter in read.negative)
            ahead = "".join([f"(?![{python}])" if python else "", *(f"(?={other})" for other in others)])
            self._only_python(f"(?:{ahead}{first})")
        else:
            choices = [_all_but(letter) for letter in read.negative] + (
                [(f"[{python}]", f"[{rust}]")] if python else []
            )
            self._both(*(f"(?:{'|'.join(spelled)})" for spelled in zip(*choices, strict=True)))


@dataclass(slots=True)
class _ClassReader:
    """Reads what is between brackets: `negative` are the letters of \\D, \\W and \\S in it."""

    reader: _Reader
    is_negated: bool = False
    python: list[str] = field(default_factory=list[str])
    rust: list[str] = field(default_factory=list[str])
    negative: list[str] = field(default_factory=list[str])

    def read(self) -> None:
        given, reader = self.reader.given, self.reader
        reader.at += 1
        if given.startswith("^", reader.at):
            self.is_negated = True
            reader.at += 1
        is_first = True
        while is_first or not given.startswith("]", reader.at):
            if reader.at >= len(given):
                raise NotUnderstood("a class in it has no `]`")
            is_first = False
            self._item()
        reader.at += 1

    def _item(self) -> None:
        given, reader = self.reader.given, self.reader
        if found := re.compile(r"\[:(\w+):\]").match(given, reader.at):
            if found[1] not in POSIX:
                raise NotUnderstood(f"`{found[0]}` is not known here")
            reader.at = found.end()
            self._both(POSIX[found[1]], POSIX[found[1]])
            return
        if found := re.compile(r"\\([dwsDWS])").match(given, reader.at):
            reader.at = found.end()
            if found[1].isupper():
                self.negative.append(found[1].lower())
            else:
                self._both(PYTHON_SETS[found[1]], RUST_SETS[found[1]])
            return
        first = last = self._sign()
        is_range = given.startswith("-", reader.at) and not given.startswith("-]", reader.at)
        if is_range and not re.compile(r"-\\[dwsDWS]").match(given, reader.at):
            reader.at += 1
            last = self._sign()
        if last < first:
            raise NotUnderstood(f"the range {first}-{last} goes backwards")
        self._range(ord(first), ord(last))

    def _sign(self) -> str:
        given, reader = self.reader.given, self.reader
        if reader.at >= len(given):
            raise NotUnderstood("a class in it has no `]`")
        if given[reader.at] == "\\":
            return reader.escaped_sign() if given[reader.at : reader.at + 2] != "\\b" else self._backspace()
        reader.at += 1
        return given[reader.at - 1]

    def _backspace(self) -> str:
        self.reader.at += 2
        return "\b"

    def _range(self, first: int, last: int) -> None:
        # Without the line break, and for Python without the surrogates.
        for begin, end in ((first, min(last, 9)), (max(first, 11), last)):
            if begin > end:
                continue
            self.rust.append(f"\\x{{{begin:x}}}-\\x{{{end:x}}}")
            for low, high in ((begin, min(end, 0xD7FF)), (max(begin, 0xE000), end)):
                if low <= high:
                    self.python.append(f"\\U{low:08x}-\\U{high:08x}")

    def _both(self, python: str, rust: str) -> None:
        self.python.append(python)
        self.rust.append(rust)


def _all_but(letter: str) -> tuple[str, str]:
    return f"[^{PYTHON_SETS[letter]}{PYTHON_NEVER}]", f"[^{RUST_SETS[letter]}{RUST_NEVER}]"


def _rust_sign(sign: str) -> str:
    return f"\\{sign}" if sign in RUST_SPECIAL else sign
