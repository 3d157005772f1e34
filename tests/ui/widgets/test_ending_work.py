"""A screen may go at any moment; whoever works for it is ended before its parts are gone."""

import asyncio
import inspect
from importlib import import_module
from pkgutil import walk_packages

from textual import work
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from diligent_tui.ui import screens
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.widgets.ending_work import EndsItsWork

PARTS = 20


class Busy(EndsItsWork[None]):
    """Looks for its parts over and over."""

    looks = 0

    def compose(self) -> ComposeResult:
        for number in range(PARTS):
            yield Static(id=f"part-{number}")

    def on_mount(self) -> None:
        self.look()

    @work
    async def look(self) -> None:
        while True:
            await asyncio.sleep(0)
            for number in range(PARTS):
                self.query_one(f"#part-{number}")
            self.looks += 1


async def test_who_works_for_a_screen_never_finds_its_parts_gone() -> None:
    app = App[None]()
    async with app.run_test() as pilot:
        busy = Busy()
        await app.push_screen(busy)
        while not busy.looks:
            await pilot.pause()
        await app.pop_screen()
        await pilot.pause()
    assert busy.looks


def screens_with_work() -> list[type]:
    modules = [import_module(found.name) for found in walk_packages(screens.__path__, f"{screens.__name__}.")]
    known = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    own = [each for each in known if Screen in each.__mro__ and each.__module__.startswith(screens.__name__)]
    return [each for each in own if "@work" in inspect.getsource(each)]


def test_every_screen_with_workers_ends_them() -> None:
    working = screens_with_work()
    assert len(working) > 5
    assert [screen for screen in (MainScreen, *working) if EndsItsWork not in screen.__mro__] == []
