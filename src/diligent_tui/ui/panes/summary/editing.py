"""Editing a summary in its pane: the version in force, a question before leaving, and what is not saved yet."""

from collections.abc import Mapping

from textual import events

from diligent_tui.agent.session import AgentSession
from diligent_tui.config.summary_drafts import SummaryDraft
from diligent_tui.domain.times import Clock, now
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.panes.summary import wishes
from diligent_tui.ui.panes.summary.browser import SummaryBrowser
from diligent_tui.ui.panes.summary.editor import SummaryEditor
from diligent_tui.ui.panes.summary.version_words import active_of

ONLY_ACTIVE = "Only the active version can be edited. {summary_undo} and {summary_redo} change which one is active."


class SummaryEditing(SummaryBrowser):
    """The editor of the pane; a text that is not saved is told of, so that somebody can keep it."""

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS, clock: Clock = now) -> None:
        """Nothing is being edited; `keymap` has the user's own keys."""
        super().__init__(clock)
        self._keymap = keymap
        self.editor = SummaryEditor("summary-editor")
        """Where a summary is edited; its text is read after it left the screen, too."""
        self._edits_id: str | None = None
        """The version that is being edited."""
        self._is_leaving = False
        self._session_id = ""
        self._waiting: dict[str, SummaryDraft] = {}
        """By session: a version and the text that somebody was about to put in its place."""

    @property
    def is_editing(self) -> bool:
        """True while a summary is being edited."""
        return self._edits_id is not None

    @property
    def unsaved(self) -> wishes.Unsaved | None:
        """The text that would be lost by leaving now, or an empty one; None if nothing is being edited."""
        if self._edits_id is None:
            return None
        text = self.editor.text if self.editor.is_changed else ""
        return wishes.Unsaved(self._session_id, SummaryDraft(self._edits_id, text))

    def expect(self, waiting: Mapping[str, SummaryDraft]) -> None:
        """Go on with texts of an earlier run, by session, once that session is shown."""
        self._waiting = {**self._waiting, **waiting}

    def attach(self, session: AgentSession) -> None:
        """Show another session; a text that was not saved waits until one comes back to its session."""
        if (unsaved := self.unsaved) is not None and unsaved.draft.text:
            self._waiting[unsaved.session_id] = unsaved.draft
        self._close_editor()
        self._session_id = session.id
        self.read_from(session.memory)
        if waiting := self._waiting.pop(session.id, None):
            self._edits_id, text = waiting
            self.add_class("-editing")
            self.editor.go_on_with(text)
            if self.is_ready:
                self.show_edges()

    def edit(self) -> None:
        """Edit the version in force."""
        version = self.shown
        if self.live.is_running:
            self.say("It is being written. Edit it when it is there.")
        elif version is None or not self._is_active_shown:
            self.say(ONLY_ACTIVE if version else "There is no summary yet.")
        else:
            self._edits_id = version.entry.id
            self.add_class("-editing")
            self.editor.edit_text(version.entry.summary)
            self.screen.set_focus(self.editor)
            self.show_edges()

    def say(self, words: str) -> None:
        """Say a sentence in the foot; commands in braces are told by their keys."""
        self._said = sentence_now(words, self._keymap)
        self.show_edges()

    def on_summary_editor_written(self, message: SummaryEditor.Written) -> None:
        """Let somebody keep what is written."""
        message.stop()
        if (unsaved := self.unsaved) is not None:
            self.post_message(unsaved)

    def on_summary_editor_save_wanted(self, message: SummaryEditor.SaveWanted) -> None:
        """Ask to save; the editor stays open until it is."""
        message.stop()
        self._save()

    def on_summary_editor_leave_wanted(self, message: SummaryEditor.LeaveWanted) -> None:
        """Leave at once if nothing changed; ask otherwise."""
        message.stop()
        if self.editor.is_changed:
            self._is_leaving = True
            self.screen.set_focus(self)
            self.show_edges()
        else:
            self._end_editing()

    def _save(self) -> None:
        text = self.editor.text.strip()
        if self._edits_id is None:
            return
        if not self.editor.is_changed:
            self._end_editing()
        elif not text:
            self.say("An empty summary cannot be saved.")
        else:
            self.post_message(wishes.Edited(self._edits_id, text))

    def _answer(self, event: events.Key) -> None:
        """An answer to whether changes are to be saved; what is none of the two means: go on writing."""
        if event.key.startswith("f") and event.key[1:].isdigit():
            return
        event.stop()
        event.prevent_default()
        self._is_leaving = False
        if event.key == "x":
            self._end_editing()
            return
        self.screen.set_focus(self.editor)
        if event.key == "s":
            self._save()
        self.show_edges()

    def _end_editing(self) -> None:
        """The text is saved, or nobody wants it."""
        if self._edits_id is not None:
            self.post_message(wishes.Unsaved(self._session_id, SummaryDraft(self._edits_id, "")))
            self._close_editor()

    def _close_editor(self) -> None:
        if self._edits_id is None:
            return
        had_focus = self.has_focus_within
        self._edits_id, self._is_leaving = None, False
        self.remove_class("-editing")
        if had_focus:
            self.screen.set_focus(self)
        self.show_all()

    @property
    def _is_active_shown(self) -> bool:
        return self.shown is not None and self.shown is active_of(self.versions)
