"""Filling in the form of an entry: keys in order, the check for what is known already, and what came of saving."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from textual import events, work
from textual.content import Content

from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.times import Clock, now
from diligent_tui.ui.key_line import Hint, render_leaving, render_pane_keys
from diligent_tui.ui.panes.knowledge import keys, wishes
from diligent_tui.ui.panes.knowledge.drafts import Draft
from diligent_tui.ui.panes.knowledge.feed import Desk, KnowledgeFeed
from diligent_tui.ui.panes.knowledge.form import FieldName, Form, Purpose
from diligent_tui.ui.panes.knowledge.form_view import FormView

MUCH_THE_SAME = "There is an entry that says much the same:"


class KnowledgeEditor(KnowledgeFeed):
    """A form in the place of the details; nothing typed is lost without a question."""

    def __init__(self, clock: Clock = now) -> None:
        """No form yet."""
        super().__init__(clock)
        self.form: Form | None = None
        self._is_leaving = False
        self._warned_of = ""
        self._held: list[events.Key] = []
        """Keys typed while the form was being saved; they are for what comes after it."""

    def open_form(
        self,
        purpose: Purpose,
        draft: Draft,
        targets: tuple[str, ...] = (),
        *,
        at: FieldName = "text",
        is_new: bool = False,
    ) -> None:
        """Begin to fill in a form; `is_new` says that what stands in it would be lost."""
        self._is_leaving, self._warned_of = False, ""
        self._say("")
        self._show_form(Form.begin(purpose, draft, targets, at=at, is_new=is_new))

    @property
    def unsaved(self) -> Mapping[str, str]:
        """What would be lost of the form by leaving now, field by field."""
        return self.form.unsaved if self.form is not None else {}

    def go_on_with(self, fields: Mapping[str, str]) -> bool:
        """Open a form again that an earlier run left; False if that cannot be."""
        form = Form.go_on(fields)
        if form is not None:
            self._show_form(form)
        return form is not None

    def saved(self, entry: KnowledgeEntry) -> None:
        """What the form said is saved: go there, unless it came from the inbox, where one goes on."""
        self._wanted = entry if self.mode == "list" else None
        self._close_form()
        self.read_soon()
        for event in self._held_keys():
            self.press(event)

    def refused(self, problem: str, rival: KnowledgeEntry | None = None) -> None:
        """What the form said was not saved, and why."""
        if self.form is not None:
            self._show_form(self.form.refused(problem, rival))
            for event in self._held_keys():
                self.press(event)
        else:
            self._say(problem)

    def press(self, event: events.Key) -> None:
        """Do what a key means here; the heir has those that are not for the form."""
        form = self.form
        if form is None:
            return
        if form.is_sent:
            event.stop()
            self._held.append(event)
        elif self._is_leaving:
            event.stop()
            self._answer(form, event.key)
        elif event.key == "escape":
            event.stop()
            self._leave(form)
        elif event.key in ("enter", "ctrl+s"):
            event.stop()
            self._send(form)
        elif event.key == "ctrl+r" and form.rival is not None:
            event.stop()
            self._send(form.in_place_of_rival())
        else:
            changed = form.press(event.key, event.character, self.query_one(FormView).text_cells)
            if changed is not None:
                event.stop()
                self._show_form(changed)

    def on_key(self, event: events.Key) -> None:
        """Look at each key before any later one."""
        self.press(event)

    def on_paste(self, event: events.Paste) -> None:
        """Into the form, or into the words to find."""
        event.stop()
        if self.form is not None and not self.form.is_sent:
            self._show_form(self.form.paste(event.text))
        elif self._line is not None:
            self._line = self._line.paste(event.text)
            self.sift(replace(self.sieve, words=self._line.text))

    def _send(self, form: Form) -> None:
        if problem := form.draft.problem:
            self._show_form(form.refused(problem, form.rival))
        elif form.purpose == "add" and self._desk is not None and self._warned_of != form.draft.content:
            self._show_form(form.sent())
            self._look_for_rivals(self._desk, form)
        else:
            self._show_form(form.sent())
            self.post_message(wishes.Filled(form.purpose, form.draft, form.targets))

    @work(group="knowledge-near", exclusive=True)
    async def _look_for_rivals(self, desk: Desk, form: Form) -> None:
        near = await asyncio.to_thread(desk.near, form.draft.content)
        if self.form is None:
            return
        if near:
            self._warned_of = form.draft.content
            self.refused(MUCH_THE_SAME, near[0].entry)
        else:
            self.post_message(wishes.Filled(form.purpose, form.draft, form.targets))

    def _leave(self, form: Form) -> None:
        if form.is_changed:
            self._is_leaving = True
            self.show_foot()
        else:
            self._close_form()

    def _answer(self, form: Form, key: str) -> None:
        """Save or drop the changes; what is none of the two means: go on writing."""
        self._is_leaving = False
        match key:
            case "s":
                self._send(form)
            case "x":
                self._close_form()
            case _:
                self.show_foot()

    def _show_form(self, form: Form | None) -> None:
        before, self.form = self.unsaved, form
        if self.unsaved != before:
            self.post_message(wishes.Unsaved(self.unsaved))
        self.set_class(form is not None, "-editing")
        self.query_one(FormView).show(form)
        self.show_foot()

    def _close_form(self) -> None:
        self._show_form(None)

    def _held_keys(self) -> list[events.Key]:
        held, self._held = self._held, []
        return held

    def _foot(self, width: int) -> Content:
        if self._is_leaving:
            return render_leaving(width)
        if self.form is not None:
            return render_pane_keys(_hints_in(self.form), width)
        return super()._foot(width)


def _hints_in(form: Form) -> Sequence[Hint]:
    if form.rival is None:
        return [hint for hint in keys.IN_THE_FORM if hint != keys.NEXT_FIELD or len(form.fields) > 1]
    return keys.BESIDE_ITS_LIKE if form.purpose == "add" else keys.BEHIND_A_NEWER_ONE
