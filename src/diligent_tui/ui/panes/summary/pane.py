"""The summary pane: what its keys do, and the wishes that leave it; the pane itself changes nothing."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.content import Content

from diligent_tui.domain.events import (
    CompactionFailed,
    CompactionFinished,
    CompactionPlanned,
    CompactionReverted,
    CompactionStarted,
    Event,
    SummaryEdited,
)
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.times import Clock, now
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import hints_now
from diligent_tui.ui.commands.summary import SUMMARY_COMMANDS
from diligent_tui.ui.key_line import Hint, render_leaving, render_pane_keys
from diligent_tui.ui.panes.summary import keys, wishes
from diligent_tui.ui.panes.summary.browser import TWO_SIDES_COLUMNS
from diligent_tui.ui.panes.summary.editing import ONLY_ACTIVE, SummaryEditing
from diligent_tui.ui.panes.summary.findings import listed, next_heading, next_kind
from diligent_tui.ui.panes.summary.news import KNOWLEDGE_EVENTS, PATH_EVENTS
from diligent_tui.ui.widgets.foot import Foot


class SummaryPane(SummaryEditing):
    """Every summary of a session, worked in by keys."""

    BORDER_TITLE = "Summary"

    ToChat = wishes.ToChat
    Edited = wishes.Edited
    Unsaved = wishes.Unsaved
    ToSummary = wishes.ToSummary
    ToKnowledge = wishes.ToKnowledge
    Undo = wishes.Undo
    Redo = wishes.Redo
    WriteAgain = wishes.WriteAgain
    CopyRequested = wishes.CopyRequested
    Planned = wishes.Planned
    Failed = wishes.Failed
    Succeeded = wishes.Succeeded

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS, clock: Clock = now) -> None:
        """Know the user's own keys."""
        super().__init__(keymap, clock)
        self._keys = by_key(SUMMARY_COMMANDS, keymap)
        self.deeds = self._table()

    def compose(self) -> ComposeResult:
        """What one walks about in, an editor and a foot."""
        yield from super().compose()
        yield self.editor
        yield Foot(self._foot, "summary")

    def take(self, events: Sequence[Event]) -> None:
        """Hear what happened."""
        was_running = self.live.is_running
        is_live = is_other = is_known = False
        for event in events:
            is_live = self.live.take(event) or is_live
            is_other = is_other or isinstance(event, PATH_EVENTS)
            is_known = is_known or isinstance(event, KNOWLEDGE_EVENTS)
            if isinstance(event, SummaryEdited) and event.supersedes == self._edits_id:
                self._end_editing()
            match event:
                case CompactionPlanned():
                    self.post_message(self.Planned())
                case CompactionFailed():
                    self.post_message(self.Failed(event))
                    self._said = f"Not compacted: {event.problem.message}"
                case CompactionFinished():
                    self.view = "text"
                    self.post_message(self.Succeeded())
                case CompactionStarted() | CompactionReverted() | SummaryEdited():
                    # What was said was about a summary that is not in force any more.
                    self._said = ""
                case _:
                    pass
        if is_other:
            self.forget()
        elif is_known:
            self.count_again()
        elif is_live and self.is_ready and self.display:
            if was_running:
                self.show_live()
            else:
                self.show_all()

    def show_edges(self) -> None:
        """Show head, ways, detail and foot."""
        super().show_edges()
        self.query_one(Foot).refresh()

    def on_focus(self) -> None:
        """The cursor shows; an open editor is written on in."""
        self.list.refresh()
        if self.is_editing and not self._is_leaving:
            self.screen.set_focus(self.editor)

    def on_blur(self) -> None:
        """The cursor hides."""
        self.list.refresh()

    def on_key(self, event: events.Key) -> None:
        """Do what a key means here, before any later key is looked at."""
        if self._is_leaving:
            self._answer(event)
            return
        if self.editor.has_focus:
            return
        command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
        if command_id is None or (command_id == "summary_back" and not self._has_something_open):
            return
        event.stop()
        self.deeds[command_id]()

    def step(self, step: int) -> None:
        """Go by rows."""
        if self.is_listing:
            self.list.step(step)
        else:
            self.page.move(step)

    def step_page(self, step: int) -> None:
        """Go by screens."""
        if self.is_listing:
            self.list.step(step * max(1, self.list.page_items - 1))
        else:
            self.page.move(step * max(1, self.page.page_rows - 1))

    def go_to_end(self, step: int) -> None:
        """Go to the beginning or to the end."""
        if not self.is_listing:
            self.page.move(step * self.page.row_count)
        elif step < 0:
            self.list.put_cursor(0)
        else:
            self.list.go_to_last()

    def open(self) -> None:
        """Read the version under the cursor, or go to the fact in the chat."""
        if self.view == "versions" and self.is_listing:
            self.view = "text"
            self.show_version(self.versions[-1 - self.list.cursor])
        elif item := self.item:
            if item.entry_id:
                self.post_message(self.ToChat(item.entry_id))
            else:
                self.say("It comes from nowhere in this session: the summary made it up. {summary_edit} edits it out.")

    def go_beside(self, step: int) -> None:
        """The version before or after; among facts the group before or after."""
        version = self.shown
        if self.is_listing and self.view == "coverage":
            if report := self._report():
                self.list.put_cursor(next_heading(listed(report, self.kind), self.list.cursor, step))
        elif version is not None and not self.live.is_running:
            place = self.versions.index(version) + step
            if 0 <= place < len(self.versions):
                self.show_version(self.versions[place])
            else:
                self.say("There is no newer version." if step > 0 else "There is no older version.")

    def next_filter(self) -> None:
        """Facts of the next kind."""
        report = self._report()
        if self.view == "coverage" and report is not None:
            self.kind = next_kind(report, self.kind)
            self.show_all()

    def show_diff(self) -> None:
        """The diff; from there one below the other or side by side, on the whole width if it needs that."""
        if self.view != "diff":
            self._choose_version_under_cursor()
            self.go_to_view("diff")
        elif self.diff_style == "side by side":
            self.diff_style = "unified"
            self.remove_class("-wide")
        elif not self.has_room_for_two_sides:
            self.say(f"Side by side needs a screen of {TWO_SIDES_COLUMNS} columns.")
            return
        else:
            self.diff_style = "side by side"
            self.add_class("-wide")
        self.call_after_refresh(self.show_all)

    def rescue(self, wish: type[wishes.ToSummary] | type[wishes.ToKnowledge]) -> None:
        """Ask to put the fact under the cursor somewhere safe."""
        item = self.item
        if item is None:
            self.say("{summary_coverage} shows the facts; choose one there.")
        elif item.place == "invented":
            self.say("The summary made this up. {summary_edit} edits it out.")
        elif item.place == "summary" and wish is wishes.ToSummary:
            self.say("It is in the summary already.")
        elif item.place == "knowledge" and wish is wishes.ToKnowledge:
            self.say("It is in your knowledge already.")
        elif wish is wishes.ToSummary and not self._is_active_shown:
            self.say(ONLY_ACTIVE)
        else:
            self.post_message(wish(item))

    def ask_for(self, wish: type[wishes.Undo] | type[wishes.Redo] | type[wishes.WriteAgain]) -> None:
        """Ask for something that needs no more words."""
        if self.live.is_running:
            self.say("A compaction is going on. {stop} {stop} stops it.")
        else:
            self.post_message(wish())

    def copy(self) -> None:
        """Ask to copy the fact under the cursor, or the summary."""
        if item := self.item:
            self.post_message(self.CopyRequested(item.text))
        elif version := self.shown:
            self.post_message(self.CopyRequested(version.entry.summary))

    def toggle_wide(self) -> None:
        """Use the whole width, or give it back."""
        self.toggle_class("-wide")
        self.call_after_refresh(self.show_edges)

    def go_back(self) -> None:
        """Leave what is open, the newest first."""
        if self.has_class("-wide"):
            self.diff_style = "unified"
            self.remove_class("-wide")
        else:
            self._shown_id = None
            self.view = "text"
        self.show_all()

    @property
    def _has_something_open(self) -> bool:
        return self.has_class("-wide") or (
            not self.live.is_running and (self.view != "text" or self._shown_id is not None)
        )

    def _choose_version_under_cursor(self) -> None:
        if self.view == "versions" and self.is_listing and self.versions:
            self._shown_id = self.versions[-1 - self.list.cursor].entry.id

    def _go(self, view: keys.View) -> None:
        self._choose_version_under_cursor()
        self.go_to_view(view)

    def _foot(self, width: int) -> Content:
        if self._is_leaving:
            return render_leaving(width)
        if self._said:
            return Content.styled(clean_line(self._said), "$foreground")
        return render_pane_keys(self._hints(), width)

    def _hints(self) -> Sequence[Hint]:
        if self.is_editing:
            return keys.IN_THE_EDITOR
        if self.live.is_running:
            return keys.WHILE_IT_RUNS
        if self.shown is None:
            return hints_now(keys.NOTHING_THERE, "summary", self._keymap)
        hints = keys.hints_in(self.view, is_active=self._is_active_shown, diff_style=self.diff_style_hints)
        return hints_now(self.means.among(hints), "summary", self._keymap)

    def _table(self) -> dict[str, Callable[[], None]]:
        return {
            "summary_text": partial(self._go, "text"),
            "summary_versions": partial(self.go_to_view, "versions"),
            "summary_diff": self.show_diff,
            "summary_coverage": partial(self._go, "coverage"),
            "summary_open": self.open,
            "summary_up": partial(self.step, -1),
            "summary_down": partial(self.step, 1),
            "summary_page_up": partial(self.step_page, -1),
            "summary_page_down": partial(self.step_page, 1),
            "summary_first": partial(self.go_to_end, -1),
            "summary_last": partial(self.go_to_end, 1),
            "summary_older": partial(self.go_beside, -1),
            "summary_newer": partial(self.go_beside, 1),
            "summary_filter": self.next_filter,
            "summary_add": partial(self.rescue, wishes.ToSummary),
            "summary_keep": partial(self.rescue, wishes.ToKnowledge),
            "summary_edit": self.edit,
            "summary_undo": partial(self.ask_for, wishes.Undo),
            "summary_redo": partial(self.ask_for, wishes.Redo),
            "summary_write": partial(self.ask_for, wishes.WriteAgain),
            "summary_wide": self.toggle_wide,
            "summary_copy": self.copy,
            "summary_back": self.go_back,
        }
