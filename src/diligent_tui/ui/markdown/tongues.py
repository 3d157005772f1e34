"""The languages that code is coloured in, as Pygments knows them; loaded when code is first seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from pygments.lexer import ExtendedRegexLexer, Lexer, LexerContext, RegexLexer
from pygments.lexers import find_lexer_class, get_all_lexers

from diligent_tui.ui.markdown.code import START, State, Token


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language's lexer, also as one that can go on from where it stopped, if its kind allows that."""

    kind: type[Lexer]
    resumable: ExtendedRegexLexer | None

    def lex(self, text: str, state: State) -> tuple[list[Token], State]:
        """The tokens of a text that begins in some state, and the state after it."""
        if self.resumable is not None:
            context = LexerContext(text, 0, stack=list(state))
            try:
                tokens = _listed(self.resumable.get_tokens_unprocessed(context=context))
            except TypeError:  # a rule of this lexer was not written to be resumed
                pass
            else:
                return tokens, tuple(context.stack)
        return _listed(self.kind().get_tokens_unprocessed(text)), START


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


def _listed(tokens: Iterable[tuple[int, tuple[str, ...], str]]) -> list[Token]:
    return [(kind, text) for _, kind, text in tokens]
