"""The context as a bar: what fills it, by kind, told apart by glyph and by colour; and its figures."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from textual.content import Content

from diligent_tui.ui import format as fmt

Level = Literal["calm", "warning", "critical"]
Parts = Sequence[tuple[str, int]]
WARNING_PERCENT = 80
CRITICAL_PERCENT = 95
FULL_PERCENT = 100
LEVEL_STYLES: dict[Level, str] = {"calm": "$foreground", "warning": "$memory", "critical": "bold $error"}
LEVEL_WORDS: dict[Level, str] = {"calm": "", "warning": "getting full", "critical": "almost full"}
FREE = "·"


class Shade(NamedTuple):
    """How a kind of content is drawn."""

    glyph: str
    style: str


SHADES: dict[str, Shade] = {
    "system": Shade("▓", "$dim"),
    "tools": Shade("▒", "$dim"),
    "knowledge": Shade("░", "$dim"),
    "summary": Shade("≡", "$memory"),
    "pins": Shade("◆", "$memory"),
    "turns": Shade("█", "$secondary"),
}
"""In the order in which they stand in a request."""
DRAWN_AS = {"ledgers": "summary"}


class Fill(NamedTuple):
    """How full a context is; `parts` are tokens by kind."""

    tokens: int | None
    limit: int | None
    parts: Parts = ()
    is_estimated: bool = False
    limit_is_assumed: bool = False

    @property
    def share(self) -> float | None:
        """How full it is, from 0 to 1 and beyond."""
        return None if not self.limit or self.tokens is None else self.tokens / self.limit

    @property
    def level(self) -> Level:
        """Whether it is time to make room."""
        percent = 100 * (self.share or 0)
        return "calm" if percent < WARNING_PERCENT else "warning" if percent < CRITICAL_PERCENT else "critical"


def shade_of(kind: str) -> Shade:
    """How a kind is drawn; one that is not known is talk."""
    return SHADES.get(DRAWN_AS.get(kind, kind), SHADES["turns"])


def by_shade(parts: Parts) -> dict[str, int]:
    """Tokens of each kind that is drawn apart, without those that are empty."""
    drawn = dict.fromkeys(SHADES, 0)
    for kind, tokens in parts:
        name = DRAWN_AS.get(kind, kind)
        drawn[name if name in drawn else "turns"] += tokens
    return {kind: tokens for kind, tokens in drawn.items() if tokens > 0}


def split_cells(parts: Parts, cells: int) -> dict[str, int]:
    """So many cells shared out by kind: all of them, and one at least to each kind where there are enough."""
    drawn = by_shade(parts) or {"turns": 1}
    least = 1 if cells >= len(drawn) else 0
    total = sum(drawn.values())
    wanted = {kind: max(float(least), cells * tokens / total) for kind, tokens in drawn.items()}
    given = {kind: max(least, int(share)) for kind, share in wanted.items()}
    while (rest := cells - sum(given.values())) != 0:
        step = 1 if rest > 0 else -1
        open_to = [kind for kind in given if step > 0 or given[kind] > least]
        # Whoever is furthest from its share: the largest remainder gets a cell, the most favoured gives one back.
        kind = max(open_to, key=lambda name: (wanted[name] - given[name]) * step)
        given[kind] += step
    return given


def bar(fill: Fill, cells: int, shown_share: float | None = None) -> Content:
    """The bar, as wide as asked; `shown_share` is how far it is drawn while it glides."""
    share = fill.share if shown_share is None else shown_share
    filled = 0 if not share else min(cells, max(1, round(cells * share)))
    talk = "$secondary" if fill.level == "calm" else LEVEL_STYLES[fill.level]
    pieces = [
        (SHADES[kind].glyph * count, talk if kind == "turns" else SHADES[kind].style)
        for kind, count in split_cells(fill.parts, filled).items()
        if count
    ]
    return Content.assemble(*pieces, (FREE * (cells - filled), "$dim"))


def figures(fill: Fill) -> Content:
    """Tokens, limit and share, with a word when it is time to make room."""
    about, assumed = "≈" if fill.is_estimated else "", "?" if fill.limit_is_assumed else ""
    percent = None if fill.share is None else 100 * fill.share
    if percent is not None and percent < FULL_PERCENT:
        percent = min(percent, FULL_PERCENT - 1)
    words = f"{about}{_filled(fill)} / {fmt.tokens(fill.limit)}{assumed}  {fmt.percent(percent)}"
    warning = LEVEL_WORDS[fill.level]
    return Content.styled(f"{words} {warning}" if warning else words, LEVEL_STYLES[fill.level])


def _filled(fill: Fill) -> str:
    """The tokens, rounded down and more exactly where they would else look like the limit that they are below."""
    tokens, words = fill.tokens, fmt.tokens(fill.tokens)
    if tokens is None or fill.limit is None or tokens >= fill.limit or words != fmt.tokens(fill.limit):
        return words
    size, unit = (1_000_000, "M") if tokens >= 1_000_000 else (1_000, "k")
    return f"{tokens * 10 // size / 10:.1f}{unit}"


def legend(parts: Parts) -> list[Content]:
    """What each glyph of the bar stands for, with its tokens."""
    return [
        Content.assemble((SHADES[kind].glyph, SHADES[kind].style), f" {kind} ", (fmt.tokens(tokens), "$dim"))
        for kind, tokens in by_shade(parts).items()
    ]
