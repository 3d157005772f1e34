"""The help: each key stands beside what it does, however long either is."""

from pathlib import Path

import pytest

from diligent_tui.ui.commands import COMMANDS
from diligent_tui.ui.screens.help import HelpScreen, KeyList
from diligent_tui.ui.screens.palette import PaletteScreen
from diligent_tui.ui.screens.preview import PreviewScreen
from diligent_tui.ui.widgets.fitted import Fitted
from tests.ui.stage import ask, make_app, ready


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_a_key_does_begins_at_one_column_in_every_row(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        keys = app.screen.query_one(KeyList)
        shown = [command for command in COMMANDS if command.where in ("prompt", "everywhere")]
        column = 4 + max(len(command.first_key or f"/{command.slash}") for command in shown)
        rows = [keys.render_line(y).text.rstrip() for y in range(keys.size.height)]
        inside = [row for row in rows if row.startswith("  ")]
        assert len(inside) >= len(shown)
        assert {row[column - 2 : column] for row in inside} == {"  "}
        assert all(row[column] != " " for row in inside)
        assert max(map(len, rows)) <= keys.content_size.width
        assert any("/undo-compaction" in row for row in inside)


async def test_where_one_is_and_the_way_out_stay_in_sight_while_it_scrolls(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await ready(pilot)
        await pilot.press("f1", "end")
        await pilot.pause()
        body = app.screen.query_one("#help-body")
        assert body.scroll_offset.y == body.max_scroll_y > 0
        title = app.screen.query_one(Fitted)
        assert app.screen.region.contains_region(title.region)
        row = title.render_line(0).text
        assert row.startswith("In the prompt ")
        assert row.endswith(" esc closes")


async def test_a_dialog_with_many_keys_tells_of_them_and_comes_back(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        for words in ("hello", "one", "two", "three"):
            await ask(pilot, words)
        app.action_preview_compaction()
        while not isinstance(app.screen, PreviewScreen):
            await pilot.pause(0.01)
        preview = app.screen
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert app.screen.query_one(Fitted).render_line(0).text.startswith("In the preview of a compaction ")
        await pilot.press("f1")
        await pilot.pause()
        assert app.screen is preview


async def test_a_dialog_that_says_all_its_keys_is_not_covered_by_the_help_nor_are_panes_opened_behind_it(
    tmp_path: Path,
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        await pilot.press("ctrl+p")
        await pilot.press("f1", "f4", "f9")
        await pilot.pause()
        assert isinstance(app.screen, PaletteScreen)
        assert not app.main.query_one("#knowledge").display
        assert not app.main.zoomed
