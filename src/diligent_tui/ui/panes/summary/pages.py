"""What the pane shows to read, as rows of a width: a summary with its ledger, a diff of two, a text that grows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from diligent_tui.compaction.views import Version
from diligent_tui.domain.plain_text import StreamCleaner, clean
from diligent_tui.ui import format as fmt
from diligent_tui.ui.markdown import LiveMarkdown, MarkdownLook, render
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.panes.summary.live import LiveSummary
from diligent_tui.ui.panes.summary.look import SummaryLook
from diligent_tui.ui.panes.summary.version_words import age_of, name_of, origin_of, saving_of, sizes_of
from diligent_tui.ui.widgets.diff import Diff, DiffLayout, DiffStyle, diff_texts
from diligent_tui.ui.widgets.drawn_rows import DrawnRows, Rows

LEDGER_RULE = "---\n"
SAME = "Both versions say the same."
WAITING = "Waiting for the first words …"


class Page(Protocol):
    """Something to read, drawn for a width."""

    def draw(self, width: int, look: SummaryLook) -> Rows:
        """Its rows."""
        ...


class TextPage:
    """A version: figures, the summary, what the cut turn did, and the ledger apart from it."""

    def __init__(self, version: Version, now: datetime) -> None:
        """Show this version, with its age at a moment."""
        self._version = version
        self._now = now

    def draw(self, width: int, look: SummaryLook) -> Rows:
        """Its rows."""
        entry = self._version.entry
        rows = [*self._figures(width, look), []]
        rows += render(clean(entry.summary).strip(), width, look.diff.code)
        if entry.turn_prefix is not None and entry.turn_prefix.summary.strip():
            rows += [[], rule("the turn that was cut, up to the cut", width, look), []]
            rows += render(clean(entry.turn_prefix.summary).strip(), width, look.diff.code)
        if entry.ledger.strip():
            rows += [[], rule("ledger", width, look), []]
            rows += _ledger(clean(entry.ledger), width, look)
        return DrawnRows(rows)

    def _figures(self, width: int, look: SummaryLook) -> list[list[Segment]]:
        entry = self._version.entry
        saving = saving_of(entry)
        left = [Segment(sizes_of(entry), look.memory), Segment(f"  {saving}" if saving else "", look.text)]
        rows = [spread(left, [Segment(age_of(entry, self._now), look.dim)], width)]
        rows += [[Segment(line, look.dim)] for line in wrapped(origin_of(self._version), width)]
        if entry.coverage and (lost := entry.coverage.get("dropped", 0) + entry.coverage.get("invented", 0)):
            words = [f"{entry.coverage.get('dropped', 0):,} dropped"]
            words += [f"{made_up:,} invented"] if (made_up := entry.coverage.get("invented", 0)) else []
            told = f"{fmt.count(lost, 'fact')} to check: {', '.join(words)}."
            rows += [[Segment(line, look.memory)] for line in wrapped(told, width)]
            offer = [Segment("c", look.key), Segment(f" shows {'it' if lost == 1 else 'them'}.", look.memory)]
            if cell_len(rows[-1][0].text) + 1 + sum(cell_len(segment.text) for segment in offer) <= width:
                rows[-1] += [Segment(" "), *offer]
            else:
                rows.append(offer)
        return rows


class DiffPage:
    """What changed from one text to the next."""

    def __init__(self, name: str, old: str, new: str, style: DiffStyle) -> None:
        """Compare these; they are compared once, whatever the width."""
        self._style: DiffStyle = style
        self._diff: Diff = diff_texts(old, new, name)

    @classmethod
    def of_versions(cls, old: Version, new: Version, style: DiffStyle) -> "DiffPage":
        """What changed from one version to the next, ledger included."""
        return cls(f"{name_of(old)} → {name_of(new)}", _whole(old), _whole(new), style)

    def draw(self, width: int, look: SummaryLook) -> Rows:
        """Its rows."""
        if not self._diff.files:
            return DrawnRows([[Segment(SAME, look.dim)]])
        return DiffLayout(self._diff, width, look.diff, self._style)


class WordsPage:
    """A sentence in place of something to read."""

    def __init__(self, words: str) -> None:
        """Say these words."""
        self._words = words

    def draw(self, width: int, look: SummaryLook) -> Rows:
        """Its rows."""
        return DrawnRows([[Segment(line, look.dim)] for line in wrapped(self._words, width)])


class LivePage:
    """A summary while it is written; rows that are done are drawn once."""

    def __init__(self, live: LiveSummary) -> None:
        """Show what comes."""
        self.first_changed = 0
        """The first row that is not as it was when the page was drawn before."""
        self._live = live
        self._draft = -1
        self._taken = 0
        self._look: MarkdownLook | None = None
        self._cleaner = StreamCleaner()
        self._markdown = LiveMarkdown(MarkdownLook())

    def draw(self, width: int, look: SummaryLook) -> Rows:
        """Its rows."""
        if self._draft != self._live.draft or self._look != look.diff.code:
            self._draft, self._taken, self._look = self._live.draft, 0, look.diff.code
            self._cleaner, self._markdown = StreamCleaner(), LiveMarkdown(look.diff.code)
        for piece in self._live.pieces[self._taken :]:
            self._markdown.append(self._cleaner.feed(piece))
        self._taken = len(self._live.pieces)
        rows, self.first_changed = self._markdown.lines(width)
        return DrawnRows(rows if rows else [[Segment(WAITING, look.dim)]])


def rule(words: str, width: int, look: SummaryLook) -> list[Segment]:
    """A thin line with words in it."""
    shown = f"─ {words} "
    return [Segment(shown[:width], look.dim), Segment("─" * max(0, width - cell_len(shown)), look.rule)]


def spread(left: Sequence[Segment], right: Sequence[Segment], width: int) -> list[Segment]:
    """Some words at the left and some at the right."""
    used = sum(cell_len(segment.text) for segment in (*left, *right))
    return [*left, Segment(" " * max(1, width - used)), *right]


def wrapped(text: str, width: int) -> list[str]:
    """Lines no wider than the width."""
    return [text[found.begin : found.end] for found in break_text(text, max(1, width))] or [""]


def _whole(version: Version) -> str:
    entry = version.entry
    ledger = f"\n\n{entry.ledger.strip()}\n" if entry.ledger.strip() else "\n"
    return f"{entry.summary.strip()}{ledger}"


def _ledger(text: str, width: int, look: SummaryLook) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    for line in text.removeprefix(LEDGER_RULE).split("\n"):
        is_heading = line.startswith("## ")
        style = look.text + Style(bold=True) if is_heading else look.dim
        rows += [[Segment(part, style)] for part in wrapped(line.removeprefix("## "), width)]
    return rows
