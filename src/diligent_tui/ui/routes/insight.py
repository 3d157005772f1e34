"""Wishes to look inside: charts of the session, rows of the trace."""

import asyncio
from functools import cached_property, partial
from typing import TYPE_CHECKING

from diligent_tui.domain.errors import DiligentError
from diligent_tui.ui.routes.keys import KeyRoutes
from diligent_tui.ui.routes.looks import LookRoutes

if TYPE_CHECKING:
    from diligent_tui.ui.core import Core
    from diligent_tui.ui.panes.trace import TracePane


class InsightRoutes(LookRoutes, KeyRoutes):
    """Opens what shows the inside, and takes one from there to the chat."""

    @cached_property
    def _exporting(self) -> asyncio.Lock:
        """Held while a trace is written: one at a time, so that each finds a name of its own."""
        return asyncio.Lock()

    def action_show_charts(self) -> None:
        """The session in pictures."""
        if self.core is not None:
            self._begin_place(self._show_charts(self.core))

    async def _show_charts(self, core: "Core") -> None:
        from diligent_tui.ui.screens.charts import ChartsScreen, begin_reading, name_of, words_of

        session = core.session
        if session is None:
            return
        screen = ChartsScreen(
            partial(begin_reading, session, core.ground.given.find_model),
            partial(words_of, session),
            name_of(session),
            keymap=self.opening.keys,
            # A terminal without colours of its own often has few signs, too.
            is_plain=self.family == "ansi" or self.plain_signs is not None,
        )
        if (entry_id := await self.push_screen_wait(screen)) and self.memory is not None:
            self.memory.show_in_chat(entry_id)

    def on_trace_pane_to_chat(self, message: "TracePane.ToChat") -> None:
        """A row of the trace in the chat."""
        if self.memory is not None:
            self.memory.show_in_chat(message.entry_id)

    def on_trace_pane_export_requested(self, message: "TracePane.ExportRequested") -> None:
        """The trace in a file."""
        if self.core is not None:
            self.run_worker(self._export_trace(self.core, message), group="export")

    async def _export_trace(self, core: "Core", message: "TracePane.ExportRequested") -> None:
        from diligent_tui.config.session_files import mask
        from diligent_tui.ui.panes.trace import save_trace

        house = core.ground.house
        try:
            async with self._exporting:
                path, size_bytes = await asyncio.to_thread(
                    save_trace, message.recorder, mask(house), house.places.cwd, message.session_id
                )
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}")
        else:
            self._say(
                f"Exported to {path.name}, {size_bytes:,} bytes. "
                "What looks like a key is masked; look at it before you share it."
            )
