"""The main screen: header, chat, tools, prompt, gauge. It composes and routes, and decides nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from diligent_tui.ui.widgets.header import Header
from diligent_tui.ui.widgets.prompt import PromptInput
from diligent_tui.ui.widgets.queue_strip import QueueStrip
from diligent_tui.ui.widgets.status_bar import StatusBar
from diligent_tui.ui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from textual.widget import Widget

    from diligent_tui.ui.state import ScreenState

NARROW_COLUMNS = 100


class MainScreen(Screen[None]):
    """What is there from the first frame on; panes that need the core are put in when it is loaded."""

    state: "reactive[ScreenState | None]" = reactive(None)

    def __init__(self, recall: Callable[[], bool]) -> None:
        """`recall` puts a queued text back into the prompt, if one waits."""
        super().__init__()
        self._recall = recall
        self._right_ids: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The first frame."""
        yield Header().data_bind(MainScreen.state)
        with Horizontal(id="body"):
            yield Container(Welcome(), id="centre")
        yield Static(id="badge", markup=False)
        yield QueueStrip().data_bind(MainScreen.state)
        yield PromptInput(recall=self._recall)
        yield StatusBar().data_bind(MainScreen.state)

    @property
    def prompt(self) -> PromptInput:
        """Where one types."""
        return self.query_one(PromptInput)

    def on_mount(self) -> None:
        """Typing goes to the prompt."""
        self.prompt.focus()

    async def put_in_chat(self, chat: "Widget") -> None:
        """Put in the chat, unseen until something was said."""
        chat.display = False
        await self.query_one("#centre").mount(chat)

    async def put_in_panes(self, left: "Widget", *right: "Widget") -> None:
        """Put in the panes beside the chat, unseen until they are asked for."""
        for pane in (left, *right):
            pane.display = False
        self._right_ids = tuple(pane.id for pane in right if pane.id)
        body = self.query_one("#body")
        await body.mount(left, before="#centre")
        await body.mount_all(right)

    def show_chat(self) -> None:
        """Something was said: the chat takes the place of the welcome."""
        self.query_one(Welcome).display = False
        self.query_one("#chat").display = True

    def show_welcome(self) -> None:
        """Nothing was said yet."""
        self.query_one("#chat").display = False
        self.query_one(Welcome).display = True

    def toggle(self, pane_id: str) -> None:
        """Show a pane and go there, go there if it is shown, hide it if one is there; narrow ones lie over the chat."""
        pane = self.query_one(f"#{pane_id}")
        if pane.display and pane.has_focus_within:
            pane.display = False
            self.prompt.focus()
        else:
            self.show(pane_id)

    def show(self, pane_id: str) -> None:
        """Show a pane and go there; of those at the right, one at a time."""
        if pane_id in self._right_ids:
            for other in self._right_ids:
                self.query_one(f"#{other}").display = False
        pane = self.query_one(f"#{pane_id}")
        pane.display = True
        pane.focus()

    def show_new_below(self, count: int, *, is_following: bool) -> None:
        """Say how much waits below where one reads."""
        badge = self.query_one("#badge", Static)
        badge.display = not is_following
        words = f" {count} new ↓ " if count else " ↓ "
        badge.update(Content.styled(f"{words} ctrl+end", "$accent"))

    def on_resize(self) -> None:
        """Narrow screens lay side panes over the chat."""
        self.set_class(self.size.width < NARROW_COLUMNS, "-narrow")
