"""Pasted text: made safe to show, and folded into a short token when it is long.

A token stands in the editor's text between two code points that no outside text can hold, for `clean` takes them away
and no keyboard types them; so words that merely look like a token never are one. The screen shows them as brackets.
"""

import re
from collections.abc import Iterable

from diligent_tui.domain.plain_text import clean, clean_line

LONGEST_UNFOLDED_LINES = 8
LONGEST_UNFOLDED_CHARS = 800
# With this much in it the editor still answers a key within some 20 ms; it wraps the whole line at each.
MOST_EDITOR_CHARS = 40_000
LONGEST_EDITOR_LINE_CHARS = 4_000
# A token must be shorter than the reach of a step of the cursor.
LONGEST_LABEL_CHARS = 80

OPENS_A_WORD = "([{'\",:;"
ENDS_A_WORD = ".,;:!?)]}'\""
OPENING, CLOSING = "\ufdd0", "\ufdd1"
TOKEN = re.compile(f"{OPENING}[^{OPENING}{CLOSING}\n]*#([0-9]+){CLOSING}")
_SHOWN = str.maketrans({OPENING: "[", CLOSING: "]"})


def clean_pasted(text: str) -> str:
    """The text with line ends as newlines, tabs as they are, and nothing else that acts on a terminal or hides."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "\t".join(map(clean, text.split("\t"))) if "\t" in text else clean(text)


def is_long(text: str) -> bool:
    """Whether a paste is better folded."""
    return len(text) > LONGEST_UNFOLDED_CHARS or _line_count(text) > LONGEST_UNFOLDED_LINES


def is_too_long_to_edit(text: str) -> bool:
    """Whether an editor that holds the text whole would be slow."""
    return len(text) > MOST_EDITOR_CHARS or max(map(len, text.split("\n"))) > LONGEST_EDITOR_LINE_CHARS


def show_tokens(line: str) -> str:
    """The line as it is shown; no character moves."""
    return line.translate(_SHOWN) if OPENING in line else line


def stands_apart(before: str) -> bool:
    """Whether a word that follows this is one of its own, and no rest of another."""
    return not before or before[-1].isspace() or before[-1] in OPENS_A_WORD


class Pastes:
    """The folded pastes of one prompt, by number."""

    def __init__(self) -> None:
        """Begin without any."""
        self._texts: dict[int, str] = {}
        self._names: set[int] = set()

    def fold(self, text: str, label: str = "") -> str:
        """Keep a paste and give the token that stands for it; the label says what it is, if that is known."""
        number = max(self._texts, default=0) + 1
        self._texts[number] = text
        if label:
            self._names.add(number)
        lines = _line_count(text)
        size = f"{lines:,} lines" if lines > LONGEST_UNFOLDED_LINES else f"{len(text):,} characters"
        return f"{OPENING}{clean_line(label, LONGEST_LABEL_CHARS) or f'pasted {size}'} #{number}{CLOSING}"

    def expand(self, text: str) -> str:
        """The text with each token replaced by its paste; what has a label is a name and stays a word of its own."""
        return TOKEN.sub(self._text_of, text) if OPENING in text else text

    def keep_only(self, texts: Iterable[str]) -> None:
        """Forget the pastes that have no token in these texts."""
        used = {int(token[1]) for text in texts for token in TOKEN.finditer(text)}
        self._texts = {number: text for number, text in self._texts.items() if number in used}
        self._names &= used

    def _text_of(self, token: re.Match[str]) -> str:
        number, line = int(token[1]), token.string
        text = self._texts[number]
        if number not in self._names:
            return text
        behind = line[token.end() : token.end() + 1]
        is_ended = not behind or behind.isspace() or behind in ENDS_A_WORD
        return ("" if stands_apart(line[: token.start()]) else " ") + text + ("" if is_ended else " ")


def _line_count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))
