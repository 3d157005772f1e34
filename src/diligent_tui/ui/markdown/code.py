"""Colours code while it grows: each line once as a draft, and once for good with the lines around it.

Lines are gathered into pieces of a few kilobytes, cut where the text alone says so. A full piece is lexed as a whole,
from the state in which the piece before it ended, so multi-line strings are right and no step is long.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from pygments.lexer import ExtendedRegexLexer, Lexer, LexerContext, RegexLexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import Token
from rich.style import Style

from diligent_tui.ui.markdown.inline import Span
from diligent_tui.ui.markdown.look import MarkdownLook

LONGEST_LINE_CHARS = 1000  # longer lines go on in a new one, so that a line without end stays cheap
USUAL_PIECE_CHARS = 1500
MOST_PIECE_CHARS = 3000
ROLES = (
    (Token.Comment.Preproc, "decorator"),
    (Token.Comment, "comment"),
    (Token.Keyword.Type, "type_name"),
    (Token.Keyword, "keyword"),
    (Token.Name.Function, "function"),
    (Token.Name.Class, "type_name"),
    (Token.Name.Exception, "type_name"),
    (Token.Name.Namespace, "type_name"),
    (Token.Name.Builtin, "builtin"),
    (Token.Name.Constant, "builtin"),
    (Token.Name.Decorator, "decorator"),
    (Token.Name.Attribute, "attribute"),
    (Token.Name.Tag, "keyword"),
    (Token.Name, "name"),
    (Token.Literal.Number, "number"),
    (Token.Literal.Date, "number"),
    (Token.Literal, "string"),
    (Token.Operator.Word, "keyword"),
    (Token.Operator, "operator"),
    (Token.Generic.Inserted, "inserted"),
    (Token.Generic.Deleted, "deleted"),
    (Token.Generic.Heading, "heading"),
    (Token.Generic.Subheading, "heading"),
    (Token.Error, "error"),
)
COMMON_TONGUES = ("python", "bash", "json", "javascript", "typescript", "css", "sql")
State = tuple[str, ...]
START: State = ("root",)


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language's lexer, also as one that can go on from where it stopped, if its kind allows that."""

    kind: type[Lexer]
    resumable: ExtendedRegexLexer | None


@cache
def tongue_named(name: str) -> Tongue | None:
    """The lexer for a language's name; the first use of a language takes some tens of milliseconds."""
    title = _titles().get(name)
    kind = find_lexer_class(title) if title else None
    if kind is None:
        return None
    if not issubclass(kind, RegexLexer) or kind.get_tokens_unprocessed is not RegexLexer.get_tokens_unprocessed:
        return Tongue(kind, None)
    return Tongue(kind, type(f"Resumable{kind.__name__}", (ExtendedRegexLexer, kind), {})())


def warm_up() -> None:
    """Load the languages one meets most, for a thread, so that none of them stops a stream when it first appears."""
    for name in COMMON_TONGUES:
        tongue_named(name)


@cache
def _titles() -> dict[str, str]:
    """Every name and file ending that a fence may be labelled with."""
    titles: dict[str, str] = {}
    lexers = list(get_all_lexers(plugins=False))
    for title, _, patterns, _ in lexers:
        for pattern in patterns:
            if pattern.startswith("*.") and pattern[2:].isalnum():
                titles.setdefault(pattern[2:].lower(), title)
    for title, aliases, _, _ in lexers:
        titles |= dict.fromkeys(aliases, title)
    return titles


class CodeStyles:
    """The style of every kind of token in one look."""

    def __init__(self, look: MarkdownLook) -> None:
        """Lay the colours over the code block's own style."""
        self.base = look.text + look.code_block
        self._roles: dict[object, Style] = {token: self.base + getattr(look.code, role) for token, role in ROLES}
        self._known: dict[object, Style] = {}

    def style(self, token: object) -> Style:
        """The style of a token, or of the nearest kind above it."""
        known = self._known.get(token)
        if known is None:
            kind = token
            while kind is not None and kind not in self._roles:
                kind = getattr(kind, "parent", None)
            known = self._known[token] = self._roles.get(kind, self.base)
        return known


class Highlighter:
    """The lines of one growing code block as coloured spans."""

    def __init__(self, styles: CodeStyles, language: str) -> None:
        """Start a block in a language, by whatever name the author gave it."""
        self.lines: list[list[Span]] = []
        self._styles = styles
        self._tongue = tongue_named(language.lower()) if language else None
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

    def _lex(self, tongue: Tongue, text: str, state: State) -> tuple[list[list[Span]], State]:
        if tongue.resumable is not None:
            context = LexerContext(text, 0, stack=list(state))
            try:
                lines = self._lines(tongue.resumable.get_tokens_unprocessed(context=context))
            except TypeError:  # a rule of this lexer was not written to be resumed
                pass
            else:
                return lines, tuple(context.stack)
        return self._lines(tongue.kind().get_tokens_unprocessed(text)), START

    def _lines(self, tokens: Iterable[tuple[int, object, str]]) -> list[list[Span]]:
        lines: list[list[Span]] = [[]]
        for _, token, text in tokens:
            style = self._styles.style(token)
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
