"""Many pictures of one run: an app is prepared once, then looked at in each size and each theme."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from textual.app import App
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.chat import chat_look
from diligent_tui.ui.theme import THEMES
from tests.ui.accepted import Accepted

Answer = TypeVar("Answer")
Size = tuple[int, int]
NARROW, USUAL, WIDE = SIZES = ((80, 24), (120, 40), (160, 50))
SMALLEST = (60, 20)
FROM_WIDE = SIZES[::-1]
"""For what can only be asked for where there is room."""
BOTH: tuple[ThemeName, ...] = ("dark", "light")
SELDOM = frozenset({(WIDE, "dark"), (NARROW, "light"), (USUAL, "light")})
"""Looks that only `make soak` and `make snapshots` take: each size and each theme is seen in the others."""


class Album:
    """Holds what an app looks like against the pictures of a test, and tells at the end which differ."""

    def __init__(self, accepted: Accepted, *, is_whole: bool) -> None:
        """A whole album has the looks too that are compared seldom."""
        self._accepted = accepted
        self._is_whole = is_whole
        self._different: list[str] = []

    @asynccontextmanager
    async def open(self, app: App[Answer], size: Size = USUAL) -> AsyncGenerator[Pilot[Answer]]:
        """Run an app to take pictures of; at its end all of them must have been as expected."""
        async with app.run_test(size=size) as pilot:
            yield pilot
        names = ", ".join(self._different)
        assert not self._different, f"other than the accepted picture: {names}; see {self._accepted.others}"

    async def fill(
        self,
        app: App[Answer],
        prepare: Callable[[Pilot[Answer]], Awaitable[None]],
        *,
        sizes: Sequence[Size] = SIZES,
        themes: Sequence[ThemeName] = BOTH,
    ) -> None:
        """Prepare an app at the first size, and take its picture in all of them."""
        async with self.open(app, sizes[0]) as pilot:
            await prepare(pilot)
            await self.take(pilot, sizes=sizes, themes=themes)

    async def take(
        self,
        pilot: Pilot[Answer],
        moment: str = "",
        *,
        sizes: Sequence[Size] = SIZES,
        themes: Sequence[ThemeName] = BOTH,
    ) -> None:
        """Take a picture of this moment in each size and theme; the app is left in the last of them."""
        for theme in themes:
            wanted = [size for size in sizes if self._is_whole or (size, theme) not in SELDOM or len(themes) == 1]
            if wanted:
                await wear(pilot, theme)
            for size in wanted:
                await resize(pilot, size)
                self.compare(pilot.app, f"{moment} {size[0]}x{size[1]}-{theme}".strip())

    def compare(self, app: App[Answer], name: str) -> None:
        """Hold an app, as it is now, against one picture."""
        if not self._accepted.is_like(name, app.export_screenshot(title=app.title, simplify=True)):
            self._different.append(name)


async def wear(pilot: Pilot[Answer], theme: ThemeName) -> None:
    """Change the theme of a running app."""
    app = pilot.app
    if app.theme == THEMES[theme].name:
        return
    app.theme = THEMES[theme].name
    if isinstance(app, DiligentApp) and app.core is not None:
        app.core.chat.wear(chat_look(theme, app.get_css_variables()))
    await pilot.pause()


async def resize(pilot: Pilot[Answer], size: Size) -> None:
    """Give a running app another size, and wait until it is painted."""
    if pilot.app.size != size:
        await pilot.resize_terminal(*size)
        # The app knows its size before the screen does.
        while pilot.app.screen.size != size:
            await pilot.pause(0.01)
        await pilot.pause()
    await pilot.pause()
