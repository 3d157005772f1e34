"""Coloured output of programs as pieces of clean text with a style each: SGR is the one sequence with a meaning."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from diligent_tui.domain.plain_text.characters import is_harmless
from diligent_tui.domain.plain_text.cleaning import CharacterFlow, clean
from diligent_tui.domain.plain_text.runs import leading_run
from diligent_tui.domain.plain_text.sequences import split_sequences, strip_sequences
from diligent_tui.domain.plain_text.surrogates import mend_text

_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_CUBE_LEVELS = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text looks; colours are '#rrggbb' or names such as 'ansi_red' and 'ansi_bright_red'."""

    fg: str | None = None
    bg: str | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    reverse: bool = False


PLAIN = Style()


class StyledText(NamedTuple):
    """A piece of clean text in one style."""

    text: str
    style: Style = PLAIN


def styled(text: str) -> list[StyledText]:
    """The cleaned text in pieces by style; joined they are what `clean` gives."""
    if "\x1b" not in text and "\x9b" not in text:
        text = clean(text)
        return [StyledText(text)] if text else []
    text = mend_text(text)
    painter = _Painter()
    # Joiners, returns and marks look beyond a change of colour, so text that has any goes through one flow.
    flow = None if is_harmless(strip_sequences(text)) else CharacterFlow()
    for piece, codes in split_sequences(text):
        painter.add(flow.feed(piece) if flow else piece)
        if codes is not None:
            painter.switch(codes)
    if flow:
        painter.add(flow.finish())
    return painter.painted()


class _Painter:
    """Gathers pieces of clean text under the style that is switched on."""

    def __init__(self) -> None:
        self._style = PLAIN
        self._pieces: list[tuple[list[str], Style]] = []
        self._switches: dict[tuple[Style, str], Style] = {}

    def add(self, text: str) -> None:
        # A mark belongs to the letter before it, whatever colour was switched on between the two.
        if self._pieces and not text.isascii() and (run := leading_run(text)):
            self._pieces[-1][0].append(run)
            text = text[len(run) :]
        if not text:
            return
        if self._pieces and self._pieces[-1][1] == self._style:
            self._pieces[-1][0].append(text)
        else:
            self._pieces.append(([text], self._style))

    def switch(self, codes: str) -> None:
        key = (self._style, codes)
        if key not in self._switches:
            self._switches[key] = _after(*key)
        self._style = self._switches[key]

    def painted(self) -> list[StyledText]:
        return [StyledText("".join(texts), _readable(style)) for texts, style in self._pieces]


def _readable(style: Style) -> Style:
    """Text in the colour of its own background would be hidden text."""
    return replace(style, fg=None, bg=None) if style.fg is not None and style.fg == style.bg else style


def _after(style: Style, codes: str) -> Style:
    """The style after an SGR sequence; blinking, concealed and unknown codes change nothing."""
    waiting = codes.split(";")[::-1]
    while waiting:
        code, *details = waiting.pop().split(":")
        match code.lstrip("0"):
            case "38":
                style = replace(style, fg=_extended_colour(details, waiting) or style.fg)
            case "48":
                style = replace(style, bg=_extended_colour(details, waiting) or style.bg)
            case "58":
                _extended_colour(details, waiting)
            case "4":
                style = replace(style, underline=details[:1] != ["0"])
            case number:
                style = _after_code(style, int(number[:4] or 0))
    return style


def _after_code(style: Style, code: int) -> Style:
    match code:
        case 0:
            return PLAIN
        case 1:
            return replace(style, bold=True)
        case 2:
            return replace(style, dim=True)
        case 3:
            return replace(style, italic=True)
        case 7:
            return replace(style, reverse=True)
        case 9:
            return replace(style, strike=True)
        case 21:
            return replace(style, underline=True)
        case 22:
            return replace(style, bold=False, dim=False)
        case 23:
            return replace(style, italic=False)
        case 24:
            return replace(style, underline=False)
        case 27:
            return replace(style, reverse=False)
        case 29:
            return replace(style, strike=False)
        case 39:
            return replace(style, fg=None)
        case 49:
            return replace(style, bg=None)
        case _ if 30 <= code <= 37 or 90 <= code <= 97:
            return replace(style, fg=_named(code % 10 + (8 if code >= 90 else 0)))
        case _ if 40 <= code <= 47 or 100 <= code <= 107:
            return replace(style, bg=_named(code % 10 + (8 if code >= 100 else 0)))
        case _:
            return style


def _extended_colour(details: list[str], waiting: list[str]) -> str | None:
    """The colour after 38, 48 or 58: in `details` when colons divide it, else taken off the codes that wait."""
    if not details:
        kind = waiting.pop() if waiting else ""
        count = {"2": 3, "5": 1}.get(kind, 0)
        details = [kind, *(waiting.pop() for _ in range(min(count, len(waiting))))]
    match details:
        case ["5", number, *_]:
            return _palette_colour(_byte(number))
        case ["2", red, green, blue] | ["2", _, red, green, blue, *_]:
            return f"#{_byte(red):02x}{_byte(green):02x}{_byte(blue):02x}"
        case _:
            return None


def _byte(number: str) -> int:
    digits = number.lstrip("0")
    return min(255, int(digits[:4])) if digits.isdecimal() else 0


def _named(index: int) -> str:
    return f"ansi_{'bright_' if index >= 8 else ''}{_NAMES[index % 8]}"


def _palette_colour(index: int) -> str:
    if index < 16:
        return _named(index)
    if index >= 232:
        grey = 8 + 10 * (index - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    red, green, blue = (_CUBE_LEVELS[(index - 16) // step % 6] for step in (36, 6, 1))
    return f"#{red:02x}{green:02x}{blue:02x}"
