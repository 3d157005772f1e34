"""Esc is told with one meaning at a time: what it does next."""

import re
from pathlib import Path

import pytest

from diligent_tui.ui.app import DiligentApp
from tests.ui.stage import ask, make_app
from tests.ui.tour import rows

NEXT = re.compile(r"\besc ([a-z]+(?: [a-z]+)?)")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("pane", ["f2", "f3", "f4", "f7"])
async def test_a_filter_is_left_before_the_pane_and_nothing_else_is_told(
    pane: str, size: tuple[int, int], tmp_path: Path
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await ask(pilot, "run echo hi")
        await pilot.press(pane)
        await pilot.pause()
        before = told(app)
        assert len(before) <= 1
        await pilot.press("t" if pane == "f4" else "f")
        await pilot.pause()
        await pilot.pause()
        assert told(app) == ["show all"]
        await pilot.press("escape")
        await pilot.pause()
        await pilot.pause()
        assert told(app) == before


def told(app: DiligentApp) -> list[str]:
    return [words for strip in rows(app) for words in NEXT.findall(strip.text)]
