"""All charts of a session on one sheet, for a width and a height; each says its numbers beside its name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.screens.charts.history import PathHistory
from diligent_tui.ui.widgets.chart import (
    BLOCKS,
    LABEL_COLUMNS,
    BranchLine,
    Glyphs,
    MarkKind,
    Plot,
    Role,
    Row,
    draw_branches,
    draw_plot,
    width_of,
)

TWO_COLUMNS = 110
"""From this width on charts stand side by side."""
GAP = 3
LEAST_PLOT_ROWS = 4
MOST_PLOT_ROWS = 12
SMALL_CONTEXT_ROWS = 7
NEAR_LIMIT = 0.6
"""From this share of the window on the window is the top of the chart, and a line shows it."""
UNKNOWN_PRICES = "The price of this model is not known."
NOTHING_PAID = "Nothing was paid: this model is free."
NOTHING_COUNTED = "No answer was counted yet."
LEAST_DOLLARS = 0.001
"""The lowest top of the cost's axis: below that nobody counts, and labels would be long."""
LEAST_TOLD_DOLLARS = 0.01
"""At least so much can be told as an amount that is only part of the whole."""
MARK_NOUNS: dict[MarkKind, tuple[str, str]] = {
    "compaction": ("compaction", "compactions"),
    "model": ("model switch", "model switches"),
    "prune": ("prune", "prunes"),
    "undo": ("undo", "undos"),
    "redo": ("redo", "redos"),
}
NARROW_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is drawn: the path, the branches, and what the screen's edge knows of now."""

    path: PathHistory
    branches: Sequence[BranchLine] = ()
    branch_count: int = 0
    now_tokens: int | None = None
    limit_tokens: int | None = None
    total_cost: float | None = None
    """Of the whole session, with summaries and other branches."""
    is_estimated: bool = False
    """Whether nobody counted what is in the context now."""

    @property
    def has_moved(self) -> bool:
        """Whether the context is not what it was at the last answer."""
        return self.now_tokens is not None and self.path.context_tokens[-1:] != (self.now_tokens,)

    @property
    def context_tokens(self) -> tuple[int, ...]:
        """The context after each request, and at last that of now if it is another."""
        now = (self.now_tokens,) if self.now_tokens is not None and self.has_moved else ()
        return (*self.path.context_tokens, *now)

    def told(self, tokens: int) -> str:
        """A size of the context in words; that of now may be an estimate."""
        about = "≈" if self.is_estimated and tokens == self.now_tokens else ""
        return f"{about}{fmt.tokens(tokens)}"


@dataclass(frozen=True, slots=True)
class Chart:
    """A name, numbers in the order of their weight, and the picture."""

    title: str
    numbers: Sequence[tuple[str, Role]]
    rows: Sequence[Row]


def draw_sheet(figures: Figures, width: int, height: int, chosen: int | None, glyphs: Glyphs = BLOCKS) -> list[Row]:
    """The rows of the sheet; more than `height` where they do not fit."""
    if width < TWO_COLUMNS:
        return _one_column(figures, width, chosen, glyphs)
    half = (width - GAP) // 2
    edges = 3 * 3 - 1
    small = max(LEAST_PLOT_ROWS, min(MOST_PLOT_ROWS, (height - edges) // 3))
    large = max(small, min(MOST_PLOT_ROWS + 4, height - edges - 2 * small))
    pairs = (
        (cost_chart(figures, half, small, chosen, glyphs), cache_chart(figures, half, small, chosen, glyphs)),
        (tokens_chart(figures, half, small, chosen, glyphs), branch_chart(figures, half, glyphs, small + 1)),
    )
    rows = _panel(context_chart(figures, width, large, chosen, glyphs), width)
    for left, right in pairs:
        rows += [[], *_beside(_panel(left, half), _panel(right, half), half)]
    return rows


def context_chart(figures: Figures, width: int, height: int, chosen: int | None, glyphs: Glyphs) -> Chart:
    """The context after each request, with what made it smaller marked."""
    path, limit = figures.path, figures.limit_tokens
    values = figures.context_tokens
    highest = max(values, default=0)
    line = float(limit) if limit and highest >= NEAR_LIMIT * limit else None
    plot = Plot(
        values=values,
        label=_tokens,
        top=None if line is None else max(line, highest),
        is_area=True,
        pick="max",
        limit=line,
        marks=path.marks,
        chosen=range(0) if chosen is None else path.requests_of(chosen),
        is_last_apart=figures.has_moved,
    )
    numbers: list[tuple[str, Role]] = []
    if figures.now_tokens is not None and limit:
        share = "" if width < NARROW_COLUMNS else f", {fmt.percent(100 * figures.now_tokens / limit)}"
        numbers.append((f"{figures.told(figures.now_tokens)} of {fmt.tokens(limit)}{share}", "text"))
    for kind, (noun, nouns) in MARK_NOUNS.items():
        if count := path.count(kind):
            words = noun if count == 1 else nouns
            words = words.rpartition(" ")[2] if width < NARROW_COLUMNS else words
            numbers.append((f"{glyphs.mark(kind)} {count:,} {words}", "memory"))
    numbers.append((f"highest {figures.told(highest)}", "dim"))
    return Chart("Context", numbers, _drawn(plot, width, height, glyphs))


def cost_chart(figures: Figures, width: int, height: int, chosen: int | None, glyphs: Glyphs) -> Chart:
    """Dollars for each turn."""
    path = figures.path
    costs = [turn.cost for turn in path.turns]
    known = [cost for cost in costs if cost is not None]
    numbers: list[tuple[str, Role]] = [(f"{_paid(figures)} in all", "text"), *_crowd(len(costs), width)]
    if 0 < len(known) < len(costs):
        numbers.append(("some prices are unknown", "memory"))
    if dearest := max(known, default=0.0):
        numbers.append((f"dearest {fmt.money(dearest)}, turn {costs.index(dearest) + 1:,}", "dim"))
        numbers.append((f"mean {fmt.money(sum(known) / len(known))}", "dim"))
    plot = Plot(costs, _dollars, least_top=LEAST_DOLLARS, chosen=_turn(chosen))
    is_counted = any(turn.requests for turn in path.turns)
    why_none = NOTHING_COUNTED if not is_counted else NOTHING_PAID if known else UNKNOWN_PRICES
    return Chart("Cost by turn", numbers, _drawn(plot, width, height, glyphs, why_none))


def cache_chart(figures: Figures, width: int, height: int, chosen: int | None, glyphs: Glyphs) -> Chart:
    """How much of each turn's requests came from the cache."""
    usage = figures.path.usage
    percent = 100 * usage.cache_read_tokens / usage.prompt_tokens if usage.prompt_tokens else None
    numbers: list[tuple[str, Role]] = [
        (f"{fmt.percent(percent)} of what was sent", "text"),
        *_crowd(len(figures.path.turns), width),
        (f"{fmt.tokens(usage.cache_read_tokens)} read", "dim"),
        (f"{fmt.tokens(usage.cache_write_tokens)} written", "dim"),
    ]
    hits = [turn.cache_percent for turn in figures.path.turns]
    plot = Plot(hits, fmt.percent, 100.0, chosen=_turn(chosen))
    is_told = any(percent is not None for percent in hits)
    rows = draw_plot(plot, width, height, glyphs) if is_told else _words(NOTHING_COUNTED, width)
    return Chart("Cache hits by turn", numbers, rows)


def tokens_chart(figures: Figures, width: int, height: int, chosen: int | None, glyphs: Glyphs) -> Chart:
    """All that each turn sent and was answered."""
    usage, turns = figures.path.usage, figures.path.turns
    spent = [turn.usage.context_tokens for turn in turns]
    numbers: list[tuple[str, Role]] = [
        (f"↑{fmt.tokens(usage.prompt_tokens)} ↓{fmt.tokens(usage.output_tokens)}", "text"),
        *_crowd(len(turns), width),
        (fmt.count(len(turns), "turn"), "dim"),
        (fmt.count(sum(turn.requests for turn in turns), "request"), "dim"),
    ]
    plot = Plot(spent, _tokens, chosen=_turn(chosen))
    return Chart("Tokens by turn", numbers, _drawn(plot, width, height, glyphs))


def branch_chart(figures: Figures, width: int, glyphs: Glyphs, most_rows: int) -> Chart:
    """The branches, with the size of the context at the end of each."""
    lines = figures.branches[:most_rows]
    left_out = figures.branch_count - len(lines)
    if left_out:
        lines = figures.branches[: most_rows - 1]
        left_out = figures.branch_count - len(lines)
    rows = draw_branches([_as_of_now(line, figures) for line in lines], width, glyphs)
    if left_out:
        rows.append([(f"and {_branches(left_out)} more. The tree shows them all.", "dim")])
    numbers: list[tuple[str, Role]] = [
        (_branches(figures.branch_count), "text"),
        (f"{glyphs.here} you are here", "accent"),
    ]
    return Chart("Branches", numbers, rows)


def _as_of_now(line: BranchLine, figures: Figures) -> BranchLine:
    """The branch where one is has the size of now, and not that of its last answer."""
    if not line.is_here or figures.now_tokens is None:
        return line
    return replace(line, size=figures.told(figures.now_tokens))


def _paid(figures: Figures) -> str:
    """What was paid in all; where some prices are unknown, what is known of it."""
    path = figures.path
    if path.cost is None and path.known_cost >= LEAST_TOLD_DOLLARS:
        return f"at least {fmt.money(max(path.known_cost, figures.total_cost or 0.0))}"
    return fmt.money(path.cost if figures.total_cost is None else figures.total_cost)


def _drawn(plot: Plot, width: int, height: int, glyphs: Glyphs, why_none: str = NOTHING_COUNTED) -> list[Row]:
    """The plot; where there is nothing to show, words, for an axis without a bar says nothing."""
    if any(plot.values):
        return draw_plot(plot, width, height, glyphs)
    return _words(why_none, width)


def _words(words: str, width: int) -> list[Row]:
    return [[], [(fit(words, width), "dim")]]


def _one_column(figures: Figures, width: int, chosen: int | None, glyphs: Glyphs) -> list[Row]:
    small = LEAST_PLOT_ROWS
    charts = (
        context_chart(figures, width, SMALL_CONTEXT_ROWS, chosen, glyphs),
        cost_chart(figures, width, small, chosen, glyphs),
        cache_chart(figures, width, small, chosen, glyphs),
        tokens_chart(figures, width, small, chosen, glyphs),
        branch_chart(figures, width, glyphs, MOST_PLOT_ROWS),
    )
    rows: list[Row] = []
    for chart in charts:
        rows += [*([[]] if rows else []), *_panel(chart, width)]
    return rows


def _panel(chart: Chart, width: int) -> list[Row]:
    head: Row = [(f"{chart.title}  ", "title")]
    for words, role in chart.numbers:
        # Blanks stand behind words and not before them, so that no piece begins with one.
        more: Row = [*head, *([("· ", "dim")] if len(head) > 1 else []), (f"{words} ", role)]
        # What does not fit is left out whole; lesser numbers after it may fit.
        head = more if width_of(more) <= width else head
    return [head, *chart.rows]


def _beside(left: Sequence[Row], right: Sequence[Row], half: int) -> list[Row]:
    rows: list[Row] = []
    for at in range(max(len(left), len(right))):
        first = left[at] if at < len(left) else []
        second = right[at] if at < len(right) else []
        rows.append([*first, (" " * (half + GAP - width_of(first)), "text"), *second])
    return rows


def _turn(chosen: int | None) -> range:
    return range(0) if chosen is None else range(chosen, chosen + 1)


def _crowd(turns: int, width: int) -> list[tuple[str, Role]]:
    """About how many turns a column stands for where they are more than columns."""
    room = width - LABEL_COLUMNS - 1
    return [(f"means of {max(2, round(turns / room))} turns", "dim")] if turns > room > 0 else []


def _tokens(value: float) -> str:
    return fmt.tokens(round(value))


def _dollars(value: float) -> str:
    """Dollars for the axis, as exact as they are: $20, $2.50, $0.15, $0.0025."""
    if value >= 10 and value == round(value):
        return f"${value:.0f}"
    cents, more = f"{value:.2f}", f"{value:.6f}".rstrip("0")
    return f"${cents if len(more) <= len(cents) else more}"


def _branches(count: int) -> str:
    return "1 branch" if count == 1 else f"{count:,} branches"
