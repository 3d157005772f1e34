"""Colours code while it grows: each line once as a draft, and once for good with the lines around it.

Lines are gathered into pieces of a few kilobytes, cut where the text alone says so. A full piece is lexed as a whole,
from the state in which the piece before it ended, so multi-line strings are right and no step is long.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

from rich.style import Style

from diligent_tui.ui import markdown
from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.look import MarkdownLook

LONGEST_LINE_CHARS = 1000  # longer lines go on in a new one, so that a line without end stays cheap
USUAL_PIECE_CHARS = 1500
MOST_PIECE_CHARS = 3000
ROLES: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("Comment", "Preproc"): "decorator",
        ("Comment",): "comment",
        ("Keyword", "Type"): "type_name",
        ("Keyword",): "keyword",
        ("Name", "Function"): "function",
        ("Name", "Class"): "type_name",
        ("Name", "Exception"): "type_name",
        ("Name", "Namespace"): "type_name",
        ("Name", "Builtin"): "builtin",
        ("Name", "Constant"): "builtin",
        ("Name", "Decorator"): "decorator",
        ("Name", "Attribute"): "attribute",
        ("Name", "Tag"): "keyword",
        ("Name",): "name",
        ("Literal", "Number"): "number",
        ("Literal", "Date"): "number",
        ("Literal",): "string",
        ("Operator", "Word"): "keyword",
        ("Operator",): "operator",
        ("Generic", "Inserted"): "inserted",
        ("Generic", "Deleted"): "deleted",
        ("Generic", "Heading"): "heading",
        ("Generic", "Subheading"): "heading",
        ("Error",): "error",
    }
)
"""Kinds of tokens, as Pygments names them from the widest on, and what each is in a look."""
State = tuple[str, ...]
START: State = ("root",)
COMMON_TONGUES = ("python", "bash", "json", "javascript", "typescript", "css", "sql")
Token = tuple[tuple[str, ...], str]
"""A kind and its text."""


class Lexing(Protocol):
    """A language, as code needs it."""

    def lex(self, text: str, state: State) -> tuple[list[Token], State]:
        """The tokens of a text that begins in some state, and the state after it."""
        ...


def warm_up() -> None:
    """Load the languages one meets most, for a thread, so that none of them stops a stream when it first appears."""
    for name in COMMON_TONGUES:
        markdown.tongue_named(name)


class CodeStyles:
    """The style of every kind of token in one look."""

    def __init__(self, look: MarkdownLook) -> None:
        """Lay the colours over the code block's own style."""
        self.base = look.text + look.code_block
        self._known: dict[tuple[str, ...], Style] = {
            (): self.base,
            **{kind: self.base + getattr(look.code, role) for kind, role in ROLES.items()},
        }

    def style(self, kind: tuple[str, ...]) -> Style:
        """The style of a kind of token, or of the nearest kind above it."""
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = self.style(kind[:-1])
        return known


class Highlighter:
    """The lines of one growing code block as coloured spans."""

    def __init__(self, styles: CodeStyles, language: str) -> None:
        """Start a block in a language, by whatever name the author gave it."""
        self.lines: list[list[Span]] = []
        self._styles = styles
        self._tongue: Lexing | None = markdown.tongue_named(language.lower()) if language else None
        self._state = START
        self._piece: list[str] = []
        self._piece_chars = 0
        self._drafts: list[list[Span]] = []
        self._draft_state = START

    def add(self, line: str, is_part: bool = False) -> None:
        """Take a finished line; a part of a line that was too long is data more than code, and stays plain."""
        if self._tongue is None or is_part:
            self.close()
            self.lines.append([Span(line, self._styles.base)])
            return
        is_new_part = line[:1] not in ("", " ", "}", ")", "]")
        if self._piece_chars >= (USUAL_PIECE_CHARS if is_new_part else MOST_PIECE_CHARS):
            self.close()
        self._piece.append(line)
        self._piece_chars += len(line) + 1

    def close(self) -> None:
        """Colour the open piece for good."""
        if self._tongue is None or not self._piece:
            return
        lines, self._state = self._lex(self._tongue, "\n".join(self._piece) + "\n", self._state)
        self.lines += lines[: len(self._piece)]
        self._piece, self._piece_chars = [], 0
        self._drafts, self._draft_state = [], self._state

    def drafts(self) -> list[list[Span]]:
        """The lines of the open piece, each lexed alone when it was first asked for."""
        if self._tongue is not None:
            for line in self._piece[len(self._drafts) :]:
                lines, self._draft_state = self._lex(self._tongue, line + "\n", self._draft_state)
                self._drafts.append(lines[0])
        return self._drafts

    def _lex(self, tongue: Lexing, text: str, state: State) -> tuple[list[list[Span]], State]:
        tokens, state = tongue.lex(text, state)
        return self._lines(tokens), state

    def _lines(self, tokens: Iterable[Token]) -> list[list[Span]]:
        lines: list[list[Span]] = [[]]
        for kind, text in tokens:
            style = self._styles.style(kind)
            first, *later = text.split("\n")
            if first:
                _join(lines[-1], first, style)
            lines += [[Span(part, style)] if part else [] for part in later]
        return lines


def _join(line: list[Span], text: str, style: Style) -> None:
    if line and line[-1].style is style:
        line[-1] = Span(line[-1].text + text, style)
    else:
        line.append(Span(text, style))
