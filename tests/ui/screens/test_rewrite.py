"""A second summary beside the one there is: what is offered, and what each key does."""

import pytest
from textual.app import App
from textual.widgets import Static

from diligent_tui.compaction.coverage import CoverageReport
from diligent_tui.compaction.strategies.base import Written
from diligent_tui.ui.screens.rewrite import RewriteAnswer, RewriteScreen
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES
from tests.ui.panes.summary_stage import three_versions


class Choosing(App[None]):
    """A screen over which two summaries stand to choose from."""

    CSS_PATH = style_paths()

    def __init__(self) -> None:
        super().__init__()
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = THEMES["dark"].name
        _, old, self._new = three_versions()
        self.rewrite = RewriteScreen("strategy summarize", old.entry)
        self.answers: list[RewriteAnswer | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.rewrite, self.answers.append)
        self.rewrite.compare(Written(self._new.entry, CoverageReport()))

    def offered(self) -> str:
        return str(self.rewrite.query_one("#rewrite-keys", Static).render())

    def is_split(self) -> bool:
        return any("│" in self.rewrite.sheet.render_line(row).text for row in range(8))


async def test_the_key_for_the_style_says_what_it_would_do() -> None:
    app = Choosing()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.is_split()
        assert "d one column" in app.offered()
        await pilot.press("d")
        await pilot.pause()
        assert not app.is_split()
        assert "d side by side" in app.offered()


async def test_without_room_for_two_sides_they_are_not_offered() -> None:
    app = Choosing()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.offered() == "⏎ esc keep the old  t take the new  j k scroll"
        await pilot.press("d")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "d one column" in app.offered()


@pytest.mark.parametrize(("key", "answer"), [("enter", "keep"), ("escape", "keep"), ("t", "take")])
async def test_the_answer_is_the_summary_that_was_chosen(key: str, answer: RewriteAnswer) -> None:
    app = Choosing()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press(key)
        await pilot.pause()
    assert app.answers == [answer]
