"""Style sheets come in two lots; nobody may see that the second was not there from the start."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.dom import DOMNode

from diligent_tui.config.layout import Layout, save_layout
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import Opening, ThemeName
from diligent_tui.ui.stylesheets import FIRST, Sheets, first_paths, later_paths, style_paths, styles_folder
from tests.ui.stage import ask, make_app, ready, settled


def looks(root: DOMNode) -> dict[DOMNode, str]:
    """How each node is to look, by the sheets it has met so far."""
    return {node: node.styles.base.css for node in root.walk_children(with_self=True)}


@pytest.fixture
def unloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[ThemeName], DiligentApp]:
    """Makes apps that stay without their core."""

    def load_nothing(_: DiligentApp) -> None: ...

    monkeypatch.setattr(DiligentApp, "_load", load_nothing)
    return lambda theme: DiligentApp(Opening(tmp_path, {"HOME": str(tmp_path)}, theme=theme))


def test_each_sheet_is_in_one_of_the_two_lots_and_the_base_comes_first() -> None:
    paths = [Path(path) for path in style_paths()]
    assert sorted(paths) == sorted(styles_folder().glob("*.tcss"))
    assert paths[0].name == "base.tcss"
    assert [Path(path).name for path in first_paths()] == list(FIRST)
    assert {Path(path).name for path in later_paths()}.isdisjoint(FIRST)


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["narrow", "wide"])
@pytest.mark.parametrize("with_help", [False, True], ids=["the first frame", "help at once"])
async def test_what_is_seen_before_the_core_is_there_needs_no_later_sheet(
    size: tuple[int, int], with_help: bool, unloaded: Callable[[ThemeName], DiligentApp]
) -> None:
    app = unloaded("dark")
    async with app.run_test(size=size) as pilot:
        if with_help:
            await pilot.press("f1")
            await pilot.pause()
        before = looks(app) | looks(app.main)
        assert isinstance(app.stylesheet, Sheets)
        await app.stylesheet.read_later()
        for root in (app, app.main, app.screen):
            app.stylesheet.update(root)
        await pilot.pause()
        assert (looks(app) | looks(app.main)) == before


async def test_the_chat_needs_no_later_sheet_either(tmp_path: Path) -> None:
    first = make_app(tmp_path)
    async with first.run_test(size=(140, 40)) as pilot:
        await ask(pilot, "hello")
    app = make_app(tmp_path, goes_on=True, trust_once=True)
    async with app.run_test(size=(140, 40)) as pilot:
        while not app.main.query("#chat"):
            await pilot.pause(0)
        assert len(app.stylesheet.source) < len(style_paths()) + len(FIRST)
        before = looks(app.main.query_one("#chat"))
        await ready(pilot)
        app.stylesheet.update(app.main)
        assert looks(app.main.query_one("#chat")) == before


async def test_a_pane_asked_for_at_once_has_its_looks_when_it_comes(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 40)) as pilot:
        assert app.core is None
        await pilot.press("f4")
        await settled(pilot)
        assert app.main.query_one("#knowledge").has_focus_within
        before = looks(app.main)
        app.stylesheet.update(app.main)
        await pilot.pause()
        assert looks(app.main) == before


async def test_panes_of_the_remembered_layout_have_their_looks_when_they_come(tmp_path: Path) -> None:
    save_layout(tmp_path / "home" / ".local" / "state" / "diligent", Layout("tree", "knowledge", {"knowledge": 50}))
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 40)) as pilot:
        await settled(pilot)
        assert app.main.query_one("#knowledge").display
        before = looks(app.main)
        app.stylesheet.update(app.main)
        assert looks(app.main) == before


@pytest.mark.parametrize("theme", ["dark", "light", "ansi"])
async def test_the_first_frame_is_drawn_once_and_in_the_colours_of_its_theme(
    theme: ThemeName, unloaded: Callable[[ThemeName], DiligentApp]
) -> None:
    app = unloaded(theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = looks(app.main)
        app.stylesheet.set_variables(app.get_css_variables())
        app.stylesheet.reparse()
        app.stylesheet.update(app.main)
        assert looks(app.main) == before


def test_a_sheet_is_parsed_once_for_a_theme() -> None:
    sheets = Sheets({"ink": "red"})
    sheets.add_source("Static { color: $ink; }", ("one.tcss", ""))
    rules = list(sheets.rules)
    sheets.reparse()
    assert [id(rule) for rule in sheets.rules] == [id(rule) for rule in rules]
    sheets.set_variables({"ink": "blue"})
    sheets.reparse()
    assert [rule.styles.css for rule in sheets.rules] != [rule.styles.css for rule in rules]


def test_sheets_of_a_hundred_kinds_of_widgets_are_all_kept() -> None:
    sheets = Sheets({})
    for number in range(100):
        sheets.add_source(f".c{number} {{ color: red; }}", (f"{number}.tcss", ""))
    rules = [id(rule) for rule in sheets.rules]
    sheets.add_source(".more { color: red; }", ("more.tcss", ""))
    assert [id(rule) for rule in sheets.rules[:100]] == rules


async def test_the_loop_turns_between_two_later_sheets(unloaded: Callable[[ThemeName], DiligentApp]) -> None:
    turns = 0
    is_over = False

    async def count() -> None:
        nonlocal turns
        while not is_over:
            turns += 1
            await asyncio.sleep(0)

    app = unloaded("dark")
    async with app.run_test():
        assert isinstance(app.stylesheet, Sheets)
        counting = asyncio.create_task(count())
        await app.stylesheet.read_later()
        is_over = True
        await counting
    assert turns >= len(later_paths())
