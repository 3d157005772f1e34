"""A screen with one pane beside a chat that only stands there."""

from typing import Generic, TypeVar

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES

PaneT = TypeVar("PaneT", bound=Widget)


class MainScreen(Screen[None]):
    """Stands in for the real one, whose name the style sheets know."""

    def __init__(self, pane: Widget, words: str = "The chat stands here. " * 40, *, is_left: bool = False) -> None:
        super().__init__()
        self._pane = pane
        self._words = words
        self._is_left = is_left

    def compose(self) -> ComposeResult:
        chat = Static(self._words, id="centre", markup=False)
        with Horizontal(id="body"):
            yield from (self._pane, chat) if self._is_left else (chat, self._pane)

    def on_mount(self) -> None:
        self._pane.focus()

    def on_resize(self) -> None:
        self.set_class(self.size.width < 100, "-narrow")


class PaneApp(App[None], Generic[PaneT]):
    """A screen with a pane, which the heir makes, and a place for what it asks for."""

    CSS_PATH = style_paths()
    pane: PaneT

    def __init__(self, theme: ThemeName) -> None:
        super().__init__()
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = THEMES[theme].name
        self.wishes: list[Message] = []

    def get_default_screen(self) -> MainScreen:
        return MainScreen(self.pane)
