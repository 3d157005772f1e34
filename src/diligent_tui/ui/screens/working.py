"""Does something slow aside; if it takes long, a box tells how far it is and escape stops it."""

import asyncio
from collections.abc import Callable
from typing import ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import ProgressBar, Static

from diligent_tui.domain.progress import QUIET_SECONDS, Pace, Stopped, Tell
from diligent_tui.ui.key_line import render_keys

Answer = TypeVar("Answer")
STOPPING = "Stopping …"
AFTER_THIS_STEP = "The current step is finished first."


class WorkingScreen(ModalScreen[None]):
    """Stands over the screen while a thread works; whoever opened it closes it at the end."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "stop", "Stop", show=False)]

    def __init__(self, doing: str) -> None:
        """What is done, as a word such as `exporting`."""
        super().__init__()
        self._doing = doing
        self._words = _sentence(f"{doing} …")
        self._done, self._total = 0, 0
        self._pace = Pace(doing, self._say)
        self._is_stopped = False

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="working"):
            yield Static(Content(self._words), id="working-words", markup=False)
            yield ProgressBar(id="working-bar", show_percentage=False, show_eta=False)
            yield Static(render_keys((("esc", "stop"),)), id="working-keys", markup=False)

    def tell(self, done: int, total: int) -> None:
        """Called by the thread at each step; raises Stopped if there is to be no next one."""
        if self._is_stopped:
            raise Stopped
        self._done, self._total = done, total
        self._pace(done, total)

    def action_stop(self) -> None:
        """Let the thread end at its next step."""
        self._is_stopped = True
        if self._total:
            self.query_one(ProgressBar).update(total=self._total, progress=self._done)
        self.query_one("#working-words", Static).update(Content(STOPPING))
        self.query_one("#working-keys", Static).update(Content.styled(AFTER_THIS_STEP, "$dim"))

    def on_mount(self) -> None:
        """Steps may have been told before."""
        self._show()

    def _say(self, words: str) -> None:
        self._words = _sentence(words)
        self.call_later(self._show)

    def _show(self) -> None:
        if not self._is_stopped and self.is_mounted:
            self.query_one("#working-words", Static).update(Content(self._words))
            self.query_one(ProgressBar).update(total=self._total or None, progress=self._done)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


async def work_aside(app: App[int], doing: str, work: Callable[[Tell], Answer]) -> Answer | None:
    """Do it in a thread, without a box if it is quick; None if the user stopped it."""
    screen = WorkingScreen(doing)
    working = asyncio.ensure_future(asyncio.to_thread(work, screen.tell))
    try:
        await asyncio.wait({working}, timeout=QUIET_SECONDS)
        if not working.done():
            await app.push_screen(screen)
        return await working
    except Stopped:
        return None
    finally:
        if screen.is_current:
            screen.dismiss()
