"""The help: each key stands beside what it does, however long either is."""

from pathlib import Path

import pytest

from diligent_tui.ui.commands import commands_at
from diligent_tui.ui.screens.help import HelpScreen, KeyList
from diligent_tui.ui.widgets.fitted import Fitted
from tests.ui.stage import make_app, ready


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_a_key_does_begins_at_one_column_in_every_row(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        keys = app.screen.query_one(KeyList)
        shown = [command for command in commands_at("prompt") if command.where in ("prompt", "everywhere")]
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
