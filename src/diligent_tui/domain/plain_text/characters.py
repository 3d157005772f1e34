"""Single characters that act on a terminal or hide: which are shown as a mark and which are taken out."""

import re
from functools import cache

from diligent_tui.domain.plain_text.marks import COMBINING_MARKS

REPLACEMENT = "\ufffd"
TAB_SPACES = "    "
ZERO_WIDTH_JOINERS = "\u200c\u200d"
EMOJI_SELECTOR = "\ufe0f"
ASTRAL = "\U00010000-\U0010ffff"

# Ordinary in typeset text and harmless once gone: soft hyphens, byte order marks, fillers, variation selectors.
_REMOVED = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0"
)
_ASTRAL_REMOVED = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
# Never ordinary, or with a place of its own in the text: worth a mark each.
_MARKED = (
    "\u0080-\u0084\u0086-\u009f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u202a-\u202e\u2065-\u2069"
    "\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff"
)
_ASTRAL_MARKED = "\U000110bd\U000110cd\U00013430-\U0001343f\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
_FOREIGN_LINE_ENDS = "\u0085\u2028\u2029"
_CONTROLS = "\x00-\x09\x0b-\x1f\x7f"
_ODD = _CONTROLS + _FOREIGN_LINE_ENDS + _MARKED + _REMOVED

_CONTROL = re.compile(f"[{_CONTROLS}]")
_HIDDEN = f"{_ODD}{ZERO_WIDTH_JOINERS}{EMOJI_SELECTOR}\ud800-\udfff"
_WORTH_A_LOOK = f"{_HIDDEN}{COMBINING_MARKS}{ASTRAL}"
_CARRIAGE_RETURNS = re.compile(r"\r+\n?")


def is_harmless(text: str) -> bool:
    """Whether every character can be shown as it is; a no may be overcautious, a yes never is."""
    if text.isascii():
        return _CONTROL.search(text) is None
    return _worth_a_look().search(text) is None or _trouble().search(text) is None


def show_characters(text: str) -> str:
    """The text with each odd character marked or removed.

    A carriage return, with those that follow it and their newline, is one newline: every state of a progress bar stays
    readable on a line of its own, and no text is lost. A tab is four spaces, wherever it stands.
    """
    text = text.replace("\t", TAB_SPACES)
    if "\r" in text:
        text = _CARRIAGE_RETURNS.sub("\n", text.replace("\r\n", "\n"))
    return (_CONTROL if text.isascii() else _odd_characters()).sub(_shown, text)


def reveal_characters(text: str) -> str:
    """The text with each odd character, joiner and selector shown and none taken out."""
    return (_CONTROL if text.isascii() else _hidden_character()).sub(_revealed, text)


def code_point(character: str) -> str:
    """The visible name of a character that cannot be seen."""
    return f"⟨U+{ord(character):04X}⟩"


def character_class(inside: str, astral: str) -> str:
    """A regex for one character, quick to rule out those up to U+FFFF however many ranges lie beyond."""
    return f"[{inside}{ASTRAL}](?:(?<=[\x00-\uffff])|(?<=[{astral}]))"


# The patterns below are compiled on first need: most text never meets them, and start-up is short.


@cache
def _worth_a_look() -> re.Pattern[str]:
    return re.compile(f"[{_WORTH_A_LOOK}]")


@cache
def _trouble() -> re.Pattern[str]:
    pile = f"[{COMBINING_MARKS}{ASTRAL}]"
    # One class in front lets the search skip plain text at full speed, which an alternation would not.
    return re.compile(
        f"[{_WORTH_A_LOOK}](?:(?<=[{_HIDDEN}])|(?<=[{_ASTRAL_MARKED}{_ASTRAL_REMOVED}])|(?<={pile}){pile}{{8}})"
    )


@cache
def _odd_characters() -> re.Pattern[str]:
    return re.compile(character_class(_ODD, _ASTRAL_MARKED + _ASTRAL_REMOVED))


@cache
def _hidden_character() -> re.Pattern[str]:
    return re.compile(character_class(_ODD + ZERO_WIDTH_JOINERS + EMOJI_SELECTOR, _ASTRAL_MARKED + _ASTRAL_REMOVED))


@cache
def _removed_character() -> re.Pattern[str]:
    return re.compile(f"[{_REMOVED}{_ASTRAL_REMOVED}]")


def _shown(odd: re.Match[str]) -> str:
    character = odd[0]
    if character < "\x80":
        return _control_picture(character)
    if character in _FOREIGN_LINE_ENDS:
        return "␤"
    return "" if _removed_character().match(character) else REPLACEMENT


def _revealed(hidden: re.Match[str]) -> str:
    return _control_picture(hidden[0]) if hidden[0] < "\x80" else code_point(hidden[0])


def _control_picture(control: str) -> str:
    return "␡" if control == "\x7f" else chr(0x2400 + ord(control))
