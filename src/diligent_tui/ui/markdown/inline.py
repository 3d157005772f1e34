"""Turns the inline markup of a growing text into styled spans, parsing each stretch of markup once.

Words without markup are taken as they are. A word with markup begins a stretch, which ends at the first blank where
all that was opened is closed again; only stretches go through markdown-it, each alone. Where a stretch ends depends
on the text alone, never on how it arrived, so a streamed text and a whole one give the same spans.
"""

import re
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.style import Style

from diligent_tui.ui.markdown.look import MarkdownLook
from diligent_tui.ui.markdown.stretch import MOST_STRETCH_CHARS, next_markup, stretch_end, unclosed
from diligent_tui.ui.markdown.targets import target_of

MOST_DELIMITERS = 64  # in one stretch; more is not prose, and markdown-it takes quadratic time over it
MARKUP_LOOKAHEAD_CHARS = 16  # enough to tell what begins here
BLANKS = " \n"
BLANK = re.compile(r"[ \n]")
MOST_BLANKS = 1000  # in a row, so that a line that ends in blanks stays cheap
LONG_BLANK = re.compile(rf" {{{MOST_BLANKS},}}")
DELIMITER = re.compile(r"[\[\]*_`<~]")
NEWLINE = re.compile(r"( *)\n *")
TRAILING_DELIMITERS = re.compile(r"[*_`~\[!]+$")
UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200d\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
OPENING = {"strong_open", "em_open", "s_open"}
CLOSING = {"strong_close", "em_close", "s_close"}


class Span(NamedTuple):
    """A run of text in one style; a newline in it is a line break that the author asked for."""

    text: str
    style: Style


class InlineStyles:
    """Parses finished stretches for one look."""

    def __init__(self, look: MarkdownLook) -> None:
        """Draw in these styles."""
        self.look = look
        self._parser = _parser()

    def parse(self, text: str, base: Style) -> list[Span]:
        """The spans of one stretch of markup."""
        if sum(1 for _ in DELIMITER.finditer(text)) > MOST_DELIMITERS:
            return [Span(plain(text), base)]
        tokens = self._parser.inline.parse(text, self._parser, {}, [])
        return self._styled(tokens, base)

    def _styled(self, tokens: list[Token], base: Style) -> list[Span]:
        look = self.look
        spans: list[Span] = []
        styles = [base]
        links: list[tuple[str, int]] = []
        for token in tokens:
            kind = token.type
            if kind in OPENING:
                style = {"strong_open": look.strong, "em_open": look.emphasis, "s_open": look.strike}[kind]
                styles.append(styles[-1] + style)
            elif kind in CLOSING:
                styles.pop()
            elif kind == "code_inline":
                spans.append(Span(token.content, styles[-1] + look.inline_code))
            elif kind == "link_open":
                address = str(token.attrs.get("href", ""))
                links.append((address, len(spans)))
                styles.append(styles[-1] + look.link + hyperlink(address))
            elif kind == "link_close":
                styles.pop()
                address, first = links.pop()
                spans += self._address(address, "".join(span.text for span in spans[first:]), styles[-1])
            elif kind == "image":
                spans.append(Span(f"[image: {plain(token.content)}]", styles[-1] + look.image))
                spans += self._address(str(token.attrs.get("src", "")), "", styles[-1])
            elif kind == "hardbreak":
                spans.append(Span("\n", styles[-1]))
            elif kind == "softbreak":
                spans.append(Span(" ", styles[-1]))
            elif token.content:
                style = styles[-1] + look.html if kind == "html_inline" else styles[-1]
                spans.append(Span(fit(token.content) if kind == "text_special" else plain(token.content), style))
        return spans

    def bare_address(self, address: str, base: Style) -> list[Span]:
        """An address that stands in the text as it is."""
        link = base + self.look.link + hyperlink(address)
        return [Span(address, link), *self._address(address, address, base)]

    def _address(self, address: str, shown: str, base: Style) -> list[Span]:
        """Where a link leads, unless that is what is read already; a host that reads otherwise is spelled out."""
        target = target_of(address)
        told = target.url if target is not None and target.is_odd else address
        if not told or told in (shown, f"mailto:{shown}"):
            return []
        style = base + self.look.link_address
        return [Span(" (", style), Span(fit(told), style + hyperlink(address)), Span(")", style)]


class InlineStream:
    """One growing text: finished spans that stay, and a tail that may still change."""

    def __init__(self, styles: InlineStyles, base: Style) -> None:
        """Start with nothing, in a base style that all markup is laid over."""
        self.spans: list[Span] = []
        self._styles = styles
        self._base = base
        self._tail = ""
        self._in_long_word = False

    def feed(self, text: str) -> None:
        """Take more of the text and finish what nothing later can change."""
        text = self._tail + text
        if len(text) > MOST_BLANKS:
            text = LONG_BLANK.sub(" " * MOST_BLANKS, text)
        self._tail = text[self._take(text, _after_last_blank(text.rstrip(BLANKS))) :]

    def finish(self) -> None:
        """Take the tail as it is: the text has ended."""
        text, self._tail = self._tail.rstrip(BLANKS), ""
        rest = text[self._take(text, len(text)) :]
        if rest:
            self.spans += self._styles.parse(rest, self._base)

    @property
    def tail(self) -> str:
        """The text that is not finished yet."""
        return self._tail

    def tail_spans(self) -> list[Span]:
        """The tail as it would look if all that is open in it were closed here."""
        text = TRAILING_DELIMITERS.sub("", self._tail.rstrip())
        if not text:
            return []
        if next_markup(text, 0, len(text)) is None:
            return [Span(plain(text), self._base)]
        return self._styles.parse(text + unclosed(text), self._base)

    def _take(self, text: str, limit: int) -> int:
        """Finish words up to a limit, and beyond it what is too long to wait for; say how far it came."""
        position = 0
        while True:
            if self._in_long_word:
                position = self._rest_of_word(text, position)
            most = position + MOST_STRETCH_CHARS
            has_long_word = position >= limit and _is_long_word(text, position)
            if position >= limit and not has_long_word:
                return position
            found = next_markup(text, position, most + MARKUP_LOOKAHEAD_CHARS if has_long_word else limit)
            start = max(position, _after_last_blank(text, position, found.start())) if found else position
            is_address = found is not None and found.lastgroup == "address"
            if has_long_word and (found is None or is_address or found.start() >= most):
                self._plain(text[position:most])
                self._in_long_word = True
                position = most
            elif found is None:
                self._plain(text[position:limit])
                position = limit
            elif found.start() - start >= MOST_STRETCH_CHARS or (is_address and _is_long_word(text, start)):
                self._plain(text[position:start])
                self._in_long_word = True
                position = start
            elif is_address:
                position = self._bare_address(text, position, found, limit)
            else:
                self._plain(text[position:start])
                end = stretch_end(text, start)
                if end is None:
                    return start
                self.spans += self._styles.parse(text[start:end], self._base)
                self._in_long_word = end < len(text) and text[end] not in BLANKS
                position = end

    def _rest_of_word(self, text: str, position: int) -> int:
        """A word that was cut for its length goes on without markup."""
        blank = BLANK.search(text, position)
        end = blank.start() if blank else len(text)
        self._plain(text[position:end])
        self._in_long_word = blank is None
        return end

    def _bare_address(self, text: str, position: int, found: re.Match[str], limit: int) -> int:
        address = found.group().rstrip(".,;:!?)'\"")
        self._plain(text[position : found.start()])
        self.spans += self._styles.bare_address(address, self._base)
        blank = BLANK.search(text, found.end(), limit)
        end = blank.start() if blank else limit
        self._plain(text[found.start() + len(address) : end])
        return end

    def _plain(self, text: str) -> None:
        if text:
            self.spans.append(Span(plain(text), self._base))


def hyperlink(address: str) -> Style:
    """The style that makes a terminal follow a link: the only way in which any text comes to have one."""
    target = target_of(address)
    return Style() if target is None else Style(link=target.url)


@cache
def _parser() -> MarkdownIt:
    """One for all answers: to make it costs more than to parse most stretches."""
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).enable("strikethrough")
    parser.normalizeLink = _as_written
    return parser


def _as_written(url: str) -> str:
    return url


def _after_last_blank(text: str, start: int = 0, end: int | None = None) -> int:
    return max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1


def _is_long_word(text: str, start: int) -> bool:
    most = start + MOST_STRETCH_CHARS + MARKUP_LOOKAHEAD_CHARS
    return len(text) > most and BLANK.search(text, start, most + 1) is None


def plain(text: str) -> str:
    """Text without markup: line ends become blanks, or breaks where two blanks came before."""
    if "\n" not in text:
        return text
    return NEWLINE.sub(lambda found: "\n" if len(found.group(1)) > 1 else " ", text)


def fit(text: str) -> str:
    """Text without what could drive a terminal: an entity may stand for characters that no gate has seen."""
    return UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)
