"""Panes moved about by keys in the real app, and remembered."""

import random
from pathlib import Path

import pytest
from textual.events import Resize, Show
from textual.geometry import Size
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from diligent_tui.config.layout import Layout, load_layout, save_layout
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.widgets.status_bar import StatusBar
from tests.ui.stage import ask, make_app, ready, settled

STORM = 1_000
KEYS_OF_PANES = ("f2", "f3", "f4", "f5", "f6", "f7")
PANES = ("tree", "tools", "knowledge", "summary", "context", "trace")


def seen(app: DiligentApp) -> set[str]:
    ids = ("tree", "centre", "tools", "knowledge", "summary", "context", "trace")
    return {name for name in ids if app.main.query_one(f"#{name}").display}


def widths(app: DiligentApp, *names: str) -> list[int]:
    return [app.main.query_one(f"#{name}").outer_size.width for name in names]


async def kept(pilot: Pilot[int], state: Path, wanted: Layout) -> None:
    while load_layout(state) != wanted:
        await pilot.pause(0.01)


@pytest.fixture
def state_folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / ".local" / "state" / "diligent"


async def test_panes_stand_at_the_next_start_as_they_were_left(tmp_path: Path, state_folder: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 30)) as pilot:
        await ready(pilot)
        await pilot.press("f2", "f3")
        await pilot.pause()
        (before,) = widths(app, "tools")
        await pilot.press("ctrl+left", "ctrl+left", ">")
        await pilot.pause()
        (after,) = widths(app, "tools")
        assert before < after < before + 14
        share = round(100 * after / 140)
        await kept(pilot, state_folder, Layout("tree", "tools", {"tools": share}))
    again = make_app(tmp_path)
    async with again.run_test(size=(140, 30)) as pilot:
        await ready(pilot)
        await pilot.pause()
        assert seen(again) == {"tree", "centre", "tools"}
        assert widths(again, "tools") == [after]
        assert again.main.prompt.has_focus


async def test_a_narrow_screen_opens_without_the_panes_that_stood_beside_the_chat(
    tmp_path: Path, state_folder: Path
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 30)) as pilot:
        await ready(pilot)
        await pilot.press("f2")
        await kept(pilot, state_folder, Layout("tree"))
    again = make_app(tmp_path)
    async with again.run_test(size=(60, 20)) as pilot:
        await ready(pilot)
        assert seen(again) == {"centre"}
        await pilot.resize_terminal(140, 30)
        await pilot.pause()
        assert seen(again) == {"tree", "centre"}


async def test_zoom_gives_all_the_room_and_says_how_to_get_back(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 30)) as pilot:
        await ask(pilot, "hello")
        await pilot.press("f2", "f3", "f9")
        await pilot.pause()
        assert seen(app) == {"tools"}
        assert widths(app, "tools") == [120]
        assert "F9 back" in app.main.query_one("Header").render_line(0).text
        await pilot.press("f9")
        await pilot.pause()
        assert seen(app) == {"tree", "centre", "tools"}
        core = await ready(pilot)
        await pilot.press("f9")
        core.chat.focus()
        await pilot.pause()
        assert seen(app) == {"tree", "centre", "tools"}
        await pilot.press("f9")
        assert seen(app) == {"centre"}


@pytest.mark.parametrize(("key", "name"), list(zip(KEYS_OF_PANES, PANES, strict=True)))
async def test_a_pane_that_changed_while_it_was_hidden_is_told_that_it_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, name: str
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        pane = app.main.query_one(f"#{name}")
        told: list[str] = []
        heard = type(pane).post_message

        def hear(widget: Widget, message: Message) -> bool:
            if widget is pane and isinstance(message, Resize | Show):
                told.append(type(message).__name__)
            return heard(widget, message)

        monkeypatch.setattr(type(pane), "post_message", hear)
        pane.children[0].refresh()
        await pilot.pause()
        await pilot.press(key)
        await settled(pilot)
        assert pane.size
        assert {"Resize", "Show"} <= set(told)


async def test_an_overlay_closes_when_one_goes_back_to_the_prompt(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await pilot.press("f7")
        await pilot.pause()
        assert seen(app) == {"centre", "trace"}
        await pilot.press("escape")
        await pilot.pause()
        assert app.main.prompt.has_focus
        assert seen(app) == {"centre"}


async def test_the_prompt_has_the_focus_when_a_resize_takes_its_pane_away(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 30)) as pilot:
        await ready(pilot)
        await pilot.press("f2", "f3")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert seen(app) == {"centre", "tools"}
        await pilot.press("f3")
        await pilot.pause()
        assert seen(app) == {"centre"}
        assert app.main.prompt.has_focus


async def test_a_storm_of_a_thousand_sizes_with_panes_open_is_survived(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    chance = random.Random(8)
    async with app.run_test(size=(140, 40)) as pilot:
        await ask(pilot, "[[t=300 r=0 id=a]]")
        await pilot.press("f2", "f3")
        for number in range(STORM):
            size = Size(chance.randint(1, 200), chance.randint(1, 60))
            app.post_message(Resize(size, size))
            # A terminal sends them faster than one can paint; the newest counts.
            if number % 40 == 0:
                await pilot.resize_terminal(size.width, size.height)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(140, 40)
        await settled(pilot)
        assert seen(app) == {"tree", "centre", "tools"}
        await pilot.press("escape")
        await ask(pilot, "hello")


async def test_what_one_reads_stays_through_a_thousand_chunks_a_compaction_pruning_and_a_resize(tmp_path: Path) -> None:
    app = make_app(tmp_path, flags={"compaction.keep_recent_tokens": 500})
    (tmp_path / "project" / "long.txt").write_text("swans on the lake\n" * 400)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "read long.txt")
        await ask(pilot, "[[t=2000 r=0 id=a]]")
        core = await ready(pilot)
        core.chat.scroll_to(y=20, animate=False)
        await pilot.pause()
        held = core.chat.render_line(3).text
        shown = core.chat.row_at(3)
        assert held.strip()
        assert shown is not None
        await ask(pilot, "[[t=4000 r=0 id=b]]")
        assert core.chat.render_line(3).text == held
        app.action_compact()
        while not (app.main.state and app.main.state.compactions):
            await pilot.pause(0.01)
        await settled(pilot)
        assert core.session is not None
        assert core.session.store.tree.counts["prune"] or core.session.store.tree.counts["compaction"]
        # Its mark in the gutter may be another now; the words are where they were.
        assert core.chat.render_line(3).text[1:] == held[1:]
        assert not core.chat.model.is_following
        await pilot.resize_terminal(72, 30)
        await settled(pilot)
        top = core.chat.row_at(0)
        assert top is not None
        assert top.block_id == shown.block_id
        await pilot.resize_terminal(100, 30)
        await settled(pilot)
        assert core.chat.render_line(3).text[1:] == held[1:]
        assert app.main.query_one("#badge").display


@pytest.mark.parametrize("size", [(99, 30), (80, 24), (60, 20)])
async def test_on_a_narrow_screen_a_pane_has_the_whole_width_and_says_how_to_close_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        for key, name in zip(KEYS_OF_PANES, PANES, strict=True):
            await pilot.press(key)
            await settled(pilot)
            assert (name, widths(app, name)) == (name, [size[0]])
            assert "esc back" in app.main.query_one(StatusBar).render_line(0).text


@pytest.mark.parametrize("shares", [{"tree": 80, "knowledge": 80}, {"knowledge": 65}, {"tree": 80}, {}])
async def test_however_wide_panes_were_made_all_of_them_stand_on_the_screen(
    tmp_path: Path, state_folder: Path, shares: dict[str, int]
) -> None:
    save_layout(state_folder, Layout("tree", "knowledge", shares))
    app = make_app(tmp_path)
    async with app.run_test(size=(160, 40)) as pilot:
        await ready(pilot)
        for columns in (160, 120, 100):
            await pilot.resize_terminal(columns, 40)
            await settled(pilot)
            edges = [app.main.query_one(f"#{name}").region.right for name in ("tree", "centre", "knowledge")]
            assert edges == sorted(edges)
            assert edges[-1] == columns
            assert widths(app, "centre")[0] >= 30


async def test_a_border_that_can_go_no_further_comes_back_with_the_first_key(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        await pilot.press("f4", *["ctrl+left"] * 20)
        await pilot.pause()
        (widest,) = widths(app, "knowledge")
        assert widest == 90
        await pilot.press("ctrl+right")
        await pilot.pause()
        assert widths(app, "knowledge")[0] < widest


async def test_who_goes_from_a_zoomed_pane_to_the_prompt_sees_the_chat(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        await pilot.press("f3", "f9")
        await pilot.pause()
        assert seen(app) == {"tools"}
        await pilot.press("escape")
        await pilot.pause()
        assert app.main.prompt.has_focus
        assert seen(app) == {"centre", "tools"}
        await pilot.press("f9")
        await pilot.pause()
        assert seen(app) == {"centre"}
