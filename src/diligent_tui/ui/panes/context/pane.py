"""The context pane: the exact next request, counted again when it changes and only while it is looked at."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Self

from textual import work
from textual.app import ComposeResult
from textual.worker import Worker

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.events import (
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    ContextMeasured,
    Event,
    LeafMoved,
    MessageSaved,
    ModelChanged,
    Pinned,
    SummaryEdited,
    TurnFinished,
    Unpinned,
)
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.panes.context import wishes
from diligent_tui.ui.panes.context.board import ContextBoard
from diligent_tui.ui.panes.context.sheet import ContextSheet, sheet_of
from diligent_tui.ui.widgets.side_pane import SidePane

CHANGES = (
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    ContextMeasured,
    LeafMoved,
    MessageSaved,
    ModelChanged,
    Pinned,
    SummaryEdited,
    TurnFinished,
    Unpinned,
)
"""After each of these the next request is another one."""


class ContextPane(SidePane):
    """What the model will see next, part by part."""

    ToChat = wishes.ToChat
    PinToggled = wishes.PinToggled
    CopyRequested = wishes.CopyRequested

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Know the user's own keys."""
        super().__init__(id="context")
        self.board = ContextBoard(keymap)
        self.looking: Worker[None] | None = None
        """The counting that runs, or ran last."""
        self._session: AgentSession | None = None
        self._is_stale = False

    def compose(self) -> ComposeResult:
        """One board."""
        yield self.board

    def attach(self, session: AgentSession) -> None:
        """Show another session."""
        self._session = session
        self._changed()

    def take(self, events: Sequence[Event]) -> None:
        """Count again if the next request is another one now."""
        if any(isinstance(event, CHANGES) for event in events):
            self._changed()

    def focus(self, scroll_visible: bool = True) -> Self:
        """One works in the board; it is counted now, for nothing is while nobody looks."""
        self._look_again()
        self.board.focus(scroll_visible)
        return self

    def on_show(self) -> None:
        """Nothing was counted while it was hidden, as by a zoom."""
        self._look_again()

    def _changed(self) -> None:
        self._is_stale = True
        self._look_again()

    def _look_again(self) -> None:
        is_looking = self.looking is not None and not self.looking.is_finished
        if self._is_stale and self.is_mounted and self.display and not is_looking:
            self.looking = self._look()

    @work(group="context")
    async def _look(self) -> None:
        """Count until nothing has changed meanwhile."""
        while self._is_stale and self.display and (session := self._session) is not None:
            self._is_stale = False
            try:
                sheet = await asyncio.to_thread(_sheet_now, session)
            except DiligentError as error:
                self.board.say(f"{error.message} {error.advice}")
            else:
                if session is self._session:
                    self.board.show(sheet)


def _sheet_now(session: AgentSession) -> ContextSheet:
    return sheet_of(session.memory.context(), session.memory.pinned)
