"""The summaries as one walks about in them: text, versions, diff and coverage of a version, and one being written."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from diligent_tui.compaction.coverage import CoverageItem, CoverageReport
from diligent_tui.compaction.views import Version
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.progress import Pace, Stopped, Tell
from diligent_tui.domain.times import Clock, now
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.panes.summary.findings import kind_word, listed
from diligent_tui.ui.panes.summary.keys import Means, View
from diligent_tui.ui.panes.summary.listings import FindingListing, VersionListing
from diligent_tui.ui.panes.summary.live import STEPS, LiveSummary
from diligent_tui.ui.panes.summary.pages import DiffPage, LivePage, TextPage, WordsPage
from diligent_tui.ui.panes.summary.rows_view import SummaryRows
from diligent_tui.ui.panes.summary.sheet import SummarySheet
from diligent_tui.ui.panes.summary.version_words import STATE_MARKS, STATE_WORDS, active_of, before, moment_of, name_of
from diligent_tui.ui.widgets.diff import SIDE_BY_SIDE_COLUMNS, DiffStyle, style_hints
from diligent_tui.ui.widgets.side_pane import SidePane

VIEWS: tuple[View, ...] = ("text", "versions", "diff", "coverage")
TEACHING = (
    "There is no summary yet.\n"
    "When the context fills up, old turns are replaced by a summary. You read and edit it here.\n"
)
EMPTY = Content.assemble((TEACHING, "$dim"), ("/compact", "$accent"), (" makes one now.", "$dim"))
FIRST = "This is the first version: there is nothing before it to compare it with."
READING = "Comparing the summary with what it covers …"
TWO_SIDES_COLUMNS = SIDE_BY_SIDE_COLUMNS + 4
"""The width of a screen on which a diff has two sides, with rule, margins and scrollbar beside it."""
DETAIL_CHARS = 600
AGES_EVERY_SECONDS = 30


class SummaryMemory(Protocol):
    """What the pane reads; a session's memory is one."""

    def versions(self) -> tuple[Version, ...]:
        """Every compaction of the path, oldest first."""
        ...

    def coverage(self, compaction_id: str, tell: Tell) -> CoverageReport:
        """What became of the facts that a compaction covers; slow."""
        ...


class SummaryBrowser(SidePane, can_focus=True):
    """Shows one version in one of four ways; what it can be asked for is its heir's affair."""

    def __init__(self, clock: Clock = now) -> None:
        """Nothing to show yet."""
        super().__init__(id="summary")
        self.view: View = "text"
        self.live = LiveSummary()
        self.kind: str | None = None
        self.diff_style: DiffStyle = "unified"
        self.counting: Worker[None] | None = None
        """The coverage that is being found out, or was last."""
        self._memory: SummaryMemory | None = None
        self._clock = clock
        self._shown_id: str | None = None
        self._versions: tuple[Version, ...] = ()
        self._reports: dict[str, CoverageReport] = {}
        self._counted_id = ""
        """The version that `counting` is about, as long as what it finds out still holds."""
        self._live_page = LivePage(self.live)
        self._is_stale = True
        self._edge: dict[str, Content] = {}
        self._said = ""
        self.is_ready = False
        """True once there is a screen to show something on."""

    def compose(self) -> ComposeResult:
        """A head with the four ways, a page or a list, and a foot."""
        yield Static(id="summary-head", markup=False)
        yield Static(id="summary-ways", markup=False)
        yield Static(EMPTY, id="summary-empty", markup=False)
        yield SummarySheet("summary-page")
        yield SummaryRows("summary-list")
        yield Static(id="summary-detail", markup=False)

    @property
    def page(self) -> SummarySheet:
        """Where one reads."""
        return self.query_one(SummarySheet)

    @property
    def list(self) -> SummaryRows:
        """Where one chooses."""
        return self.query_one(SummaryRows)

    @property
    def is_listing(self) -> bool:
        """True where the cursor walks about in a list."""
        return not self.live.is_running and self.view in ("versions", "coverage")

    @property
    def versions(self) -> tuple[Version, ...]:
        """Every version of the path, oldest first; a key typed before the first paint must find them, too."""
        if self._is_stale and self._memory is not None:
            self._versions, self._is_stale = self._memory.versions(), False
        return self._versions

    @property
    def shown(self) -> Version | None:
        """The version that is looked at: the chosen one, else the one in force, else the newest."""
        chosen = next((version for version in self.versions if version.entry.id == self._shown_id), None)
        return chosen or active_of(self.versions) or (self.versions[-1] if self.versions else None)

    @property
    def item(self) -> CoverageItem | None:
        """The fact under the cursor."""
        report = self._report()
        if not self.is_listing or self.view != "coverage" or report is None:
            return None
        return FindingListing(listed(report, self.kind)).item(self.list.cursor)

    @property
    def has_room_for_two_sides(self) -> bool:
        """True if the screen is wide enough for a diff side by side."""
        return self.screen.size.width >= TWO_SIDES_COLUMNS

    @property
    def diff_style_hints(self) -> Sequence[Hint]:
        """What the key for the style of a diff would do; nothing where there is no diff, or no room."""
        has_diff = self.shown is not None and before(self.versions, self.shown) is not None
        return style_hints(self.diff_style, has_room=has_diff and self.has_room_for_two_sides)

    @property
    def means(self) -> Means:
        """What can be done now with the version in force and with the width."""
        # What was undone before something was compacted anew cannot be brought back.
        return Means(
            can_undo=active_of(self.versions) is not None,
            can_redo=bool(self.versions) and self.versions[-1].state == "undone",
            can_widen=self.outer_size.width < self.screen.size.width,
            is_wide=self.has_class("-wide"),
        )

    def read_from(self, memory: SummaryMemory | None) -> None:
        """Show another session's summaries from now on."""
        self._memory = memory
        self.live.stop()
        self.forget()

    def forget(self) -> None:
        """Another path or another summary: what is in force is read anew when somebody looks."""
        self._is_stale, self._shown_id, self.kind = True, None, None
        self.count_again()

    def count_again(self) -> None:
        """What became of the facts is another: it is found out anew when somebody looks."""
        self._reports.clear()
        self._counted_id = ""
        if self.is_ready and self.display:
            self.show_all()

    def on_mount(self) -> None:
        """Show what was given before there was a screen."""
        self.is_ready = True
        self.set_interval(AGES_EVERY_SECONDS, self.show_all)
        self.show_all()

    def on_show(self) -> None:
        """What happened while the pane was hidden is read now."""
        self.call_after_refresh(self.show_all)

    def on_resize(self) -> None:
        """Head and foot go by the width."""
        self.call_after_refresh(self.show_all)

    def on_summary_rows_cursor_moved(self, message: SummaryRows.CursorMoved) -> None:
        """Tell of what is under the cursor."""
        message.stop()
        self._said = ""
        self.show_edges()

    def go_to_view(self, view: View) -> None:
        """Look at the version in another way."""
        self.view, self._said = view, ""
        self.show_all()

    def show_version(self, version: Version) -> None:
        """Look at another version."""
        self._shown_id, self._said = version.entry.id, ""
        self.show_all()

    def show_live(self) -> None:
        """Show the text that grows."""
        self.page.follow(self._live_page)
        self.show_edges()

    def show_all(self) -> None:
        """Show all there is to show; nothing is read while nobody looks."""
        if not self.is_ready or not self.display:
            return
        if self.live.is_running:
            self.show_live()
            return
        if (version := self.shown) is not None:
            self._show_view(version)
        self.show_edges()

    def show_edges(self) -> None:
        """Show head, ways and detail, and those parts of the pane that are wanted now."""
        head, ways, detail = self._edges()
        for part, words in (("head", head), ("ways", ways), ("detail", detail)):
            # Fifteen times a second while a summary streams: what is the same is not laid out anew.
            if words != self._edge.get(part):
                shown: Content = words
                self._edge[part] = shown
                self.query_one(f"#summary-{part}", Static).update(shown, layout=part == "detail")
        version = self.shown
        is_counted = self.view != "coverage" or self._report() is not None
        # All at once: each change by itself would look up the styles of everything in the pane.
        self.update_classes(
            {
                "-empty": version is None and not self.live.is_running,
                "-list": self.is_listing and version is not None and is_counted,
                "-telling": bool(detail),
            }
        )

    def _show_view(self, version: Version) -> None:
        key = f"{self.view} {version.entry.id}"
        match self.view:
            case "text":
                self.page.show(TextPage(version, self._clock()), key)
            case "diff":
                old = before(self.versions, version)
                page = WordsPage(FIRST) if old is None else DiffPage.of_versions(old, version, self.diff_style)
                self.page.show(page, f"{key} {self.diff_style}")
            case "versions":
                listing = VersionListing(self.versions, self._clock())
                self.list.show(listing, "versions", listing.versions.index(version))
            case "coverage":
                self._show_coverage(version)

    def _show_coverage(self, version: Version) -> None:
        report = self._reports.get(version.entry.id)
        if report is None:
            self.page.show(WordsPage(READING), "reading")
            if self._counted_id != version.entry.id:
                self._counted_id = version.entry.id
                self.counting = self._count(version.entry.id)
        else:
            self.list.show(FindingListing(listed(report, self.kind)), f"coverage of {self.kind}")

    @work(group="summary-coverage", exclusive=True)
    async def _count(self, compaction_id: str) -> None:
        """Find out in a thread what became of the facts; a newer wish ends this one."""
        memory = self._memory
        if memory is None:
            return
        pace = Pace("reading", partial(self.call_later, self._tell_reading, compaction_id))

        def tell(done: int, total: int) -> None:
            # Nobody waits for it any more who has gone elsewhere.
            if compaction_id != self._counted_id or self.view != "coverage" or not self.is_running:
                raise Stopped
            pace(done, total)

        try:
            report = await asyncio.to_thread(memory.coverage, compaction_id, tell)
        except Stopped:
            if compaction_id == self._counted_id:
                self._counted_id = ""
                # One may be back by now.
                self.show_all()
            return
        except DiligentError as error:
            self._counted_id = ""
            self.page.show(WordsPage(clean_line(f"{error.message} {error.advice}")), "failed")
            return
        if memory is self._memory and compaction_id == self._counted_id:
            self._reports[compaction_id] = report
            self.show_all()

    def _tell_reading(self, compaction_id: str, words: str) -> None:
        if compaction_id == self._counted_id and self.view == "coverage" and not self.live.is_running:
            self.page.show(WordsPage(f"{words[:1].upper()}{words[1:]}"), words)

    def _report(self) -> CoverageReport | None:
        return self._reports.get(self.shown.entry.id) if self.shown else None

    def _edges(self) -> tuple[Content, Content, Content]:
        width = self.query_one("#summary-head").content_size.width
        if self.live.is_running:
            steps = [f"{self.live.mark(step)} {step}" for step in STEPS]
            styles = ["$memory" if self.live.step == step else "$dim" for step in STEPS]
            ways = Content("  ").join(
                [Content.styled(words, style) for words, style in zip(steps, styles, strict=True)]
            )
            return _spread("⟳ being written", width), ways, Content.styled(clean_line(self.live.told), "$dim")
        version = self.shown
        if version is None:
            return _spread("", width), Content(""), Content("")
        state = f"{STATE_MARKS[version.state]} {name_of(version)} {STATE_WORDS[version.state]}"
        ways = Content("  ").join([self._way(view) for view in VIEWS])
        return _spread(state, width), ways, self._detail(version)

    def _way(self, view: View) -> Content:
        # The colour of a letter is the style sheet's: it is quiet while the letter would be typed, or go elsewhere.
        if view == self.view:
            return Content.styled(f"▸{view}", "bold")
        return Content.assemble(" ", view[0], (view[1:], "$dim"))

    def _detail(self, version: Version) -> Content:
        """What a row has no room for."""
        match self.view:
            case "versions":
                listing = VersionListing(self.versions, self._clock())
                under = listing.versions[min(self.list.cursor, listing.count - 1)]
                focus = f" · focus: {clean_line(under.entry.focus, DETAIL_CHARS)}" if under.entry.focus else ""
                return Content.styled(f"{name_of(under)} · {moment_of(under.entry)}{focus}", "$dim")
            case "coverage" if item := self.item:
                source = f"from [{clean_line(item.entry_id, 40)}]" if item.entry_id else "from nowhere in the session"
                told = f"{kind_word(item.kind)}, {source}"
                return Content.assemble((told, "$dim"), "\n", clean_line(item.text, DETAIL_CHARS))
            case "coverage" if (report := self._report()) and not report.items:
                return Content.styled(
                    f"Nothing that could be lost was found in what {name_of(version)} covers.", "$dim"
                )
            case _:
                return Content("")


def _spread(right: str, width: int) -> Content:
    space = max(1, width - len("Summary") - len(right))
    return Content.assemble(
        ("Summary", "bold"), " " * space, (right, "$memory" if "●" in right or "⟳" in right else "$dim")
    )
