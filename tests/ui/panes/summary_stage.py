"""Summaries made in memory, and a screen with the summary pane on it."""

import threading
from dataclasses import replace
from datetime import UTC, datetime

from textual.message import Message
from textual.pilot import Pilot

from diligent_tui.compaction.coverage import CoverageItem, CoverageReport
from diligent_tui.compaction.views import Version, VersionState
from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import CompactionEntry, TurnPrefix
from diligent_tui.domain.progress import Stopped, Tell
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.summary import SummaryPane
from tests.ui.panes.pane_stage import PaneApp

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
SUMMARY = """\
## Goal

- Make the config loader read each file once [a1b2c3d4]

## Constraints & Preferences

- Answer in short sentences; never touch `legacy/` [b2c3d4e5]

## Progress

### Done

- `merge()` keeps the text in `Layer` [c3d4e5f6]
- 41 tests pass

### In Progress

- the schema in `src/config/schema.py`

### Blocked

- (none)

## Key Decisions

- JSONC and not TOML, because comments must survive [d4e5f6a7]

## Next Steps

- pass positions along, then remove `read_twice`

## Critical Context

- `src/config/loader.py:88` raises `KeyError: 'positions'` when a layer is empty; mended by a default
"""
LEDGER = """\
---
Kept by the program, word for word; recall(id) shows any entry whole.

## The user's own words, newest first
- [e5f6a7b8] and now the schema
- [b2c3d4e5] answer in short sentences, and never touch legacy/
- [a1b2c3d4] why does the loader read the file twice?

## Files changed, newest first
- src/config/loader.py
- src/config/layers.py

## Files read, newest first
- src/config/schema.py
- tests/config/test_loader.py"""
REPORT = CoverageReport(
    (
        CoverageItem("file", "src/config/loader.py", "c3d4e5f6", "summary"),
        CoverageItem("file", "src/config/layers.py", "c3d4e5f6", "ledger"),
        CoverageItem("file", "docs/settings.md", "f6a7b8c9", "dropped"),
        CoverageItem("decision", "JSONC and not TOML, because comments must survive", "d4e5f6a7", "summary"),
        CoverageItem(
            "decision",
            "We settled on reading layers in one pass instead of sorting them first, for the folder gives the order",
            "d4e5f6a7",
            "dropped",
        ),
        CoverageItem("constraint", "never touch legacy/", "b2c3d4e5", "ledger"),
        CoverageItem("constraint", "Tests must run with make test", "b2c3d4e5", "knowledge"),
        CoverageItem("error", "KeyError: 'positions'", "c3d4e5f6", "summary"),
        CoverageItem("error", "AssertionError: 3 != 4 in test_order", "f6a7b8c9", "dropped"),
        CoverageItem("number", "41 tests", "c3d4e5f6", "summary"),
        CoverageItem("identifier", "read_twice", "c3d4e5f6", "summary"),
        CoverageItem("path", "src/config/positions.py", "", "invented"),
    )
)


def version(
    number: int = 1,
    revision: int = 1,
    state: VersionState = "active",
    *,
    summary: str = SUMMARY,
    reason: str = "threshold",
    minutes_ago: int = 2,
    **more: object,
) -> Version:
    """A version with figures like those of a long session."""
    entry = CompactionEntry(
        id=f"comp{number}{revision}00",
        timestamp=f"2026-03-04T11:{60 - minutes_ago:02}:00.000Z" if minutes_ago else "2026-03-04T12:00:00.000Z",
        summary=summary,
        first_kept_entry_id="e5f6a7b8",
        tokens_before=142_000,
        tokens_after=28_000,
        strategy="auto",
        reason=reason,
        ledger=LEDGER,
        coverage=REPORT.counts() if reason != "edit" else None,
    ).model_copy(update=more)
    return Version(entry, number, revision, f"comp{number}100", state)


def three_versions() -> tuple[Version, ...]:
    """A compaction that is summarised on, and a second one that was edited."""
    edited = SUMMARY.replace("41 tests pass", "44 tests pass, none is skipped").replace("- (none)", "- CI is down")
    return (
        version(1, 1, "covered", summary=SUMMARY.replace("the schema in", "a look at"), minutes_ago=50),
        version(2, 1, "superseded", reason="manual", focus="the loader", minutes_ago=9, tokens_before=131_000),
        version(2, 2, "active", reason="edit", summary=edited, minutes_ago=2, tokens_before=131_000),
    )


def cut_inside_a_turn() -> Version:
    """A version whose cut lies inside a turn."""
    prefix = TurnPrefix(prompt_id="e5f6a7b8", summary="- read `schema.py` and began to edit it")
    return version(turn_prefix=prefix)


class FakeMemory:
    """What a session's memory would tell."""

    def __init__(self, *versions: Version, report: CoverageReport = REPORT) -> None:
        self.all = versions
        self.report = report
        self.threads: list[str] = []
        self.stopped = threading.Event()
        self.let_go = threading.Event()
        self.let_go.set()
        self.asked = 0

    def versions(self) -> tuple[Version, ...]:
        self.asked += 1
        return self.all

    def coverage(self, compaction_id: str, tell: Tell) -> CoverageReport:
        assert any(known.entry.id == compaction_id for known in self.all)
        self.threads.append(threading.current_thread().name)
        try:
            while not self.let_go.wait(0.005):
                tell(5, 20)
        except Stopped:
            self.stopped.set()
            raise
        return self.report

    def save(self, summary: str) -> ev.SummaryEdited:
        """Put a new version in force, as an edit does."""
        *earlier, last = self.all
        entry = last.entry.model_copy(update={"id": f"{last.entry.id}e", "summary": summary, "reason": "edit"})
        new = replace(last, entry=entry, revision=last.revision + 1)
        self.all = (*earlier, replace(last, state="superseded"), new)
        return ev.SummaryEdited(new.entry.id, last.entry.id)


class SummaryApp(PaneApp[SummaryPane]):
    """A screen with the summary pane, keeping what it asks for; the clock stands still."""

    def __init__(self, memory: FakeMemory | None = None, theme: ThemeName = "dark") -> None:
        super().__init__(theme)
        self.fake = memory or FakeMemory()
        self.pane = SummaryPane(clock=lambda: NOW)
        self.pane.read_from(self.fake)

    def on_event_of_pane(self, message: Message) -> None:
        self.wishes.append(message)

    on_summary_pane_to_chat = on_event_of_pane
    on_summary_pane_edited = on_event_of_pane
    on_summary_pane_to_summary = on_event_of_pane
    on_summary_pane_to_knowledge = on_event_of_pane
    on_summary_pane_undo = on_event_of_pane
    on_summary_pane_redo = on_event_of_pane
    on_summary_pane_write_again = on_event_of_pane
    on_summary_pane_copy_requested = on_event_of_pane
    on_summary_pane_failed = on_event_of_pane


async def settled(pilot: Pilot[None]) -> None:
    """Wait until coverage is counted and all is painted."""
    app = pilot.app
    assert isinstance(app, SummaryApp)
    await pilot.pause()
    if app.pane.counting is not None and not app.pane.counting.is_finished:
        await app.pane.counting.wait()
    await pilot.pause()
    await pilot.pause()


def read(app: SummaryApp) -> str:
    """The page on screen as text."""
    page = app.pane.page
    return "\n".join(page.render_line(y).text.rstrip() for y in range(page.size.height))


def listed(app: SummaryApp) -> list[str]:
    """The list on screen as text."""
    rows = app.pane.list
    return [text for y in range(rows.size.height) if (text := rows.render_line(y).text.rstrip())]


def part(app: SummaryApp, name: str) -> str:
    """Head, ways, detail or foot as text."""
    return str(app.pane.query_one(f"#summary-{name}").render())


def begun(*words: str) -> list[ev.Event]:
    """A compaction that has pruned and writes."""
    return [
        ev.CompactionStarted("c1", 142_000, 200_000, "auto", "threshold"),
        ev.CompactionPruned("c1", 6, 12_400, ("read", "bash")),
        ev.CompactionSummarising("c1", 46),
        *(ev.CompactionSummaryDelta("c1", text) for text in words),
    ]


def finished() -> ev.CompactionFinished:
    """The end of it."""
    return ev.CompactionFinished("c1", 142_000, 28_000, 46, 6, 46, SUMMARY, "auto", "threshold", 11.0)
