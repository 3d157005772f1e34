"""The palette: what a few letters find, and where Enter goes."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.app import App
from textual.events import Key
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.screens.help import HelpScreen
from diligent_tui.ui.screens.palette import PaletteScreen, Thing
from diligent_tui.ui.screens.palette.listing import PaletteList
from diligent_tui.ui.screens.palette.rows import draw_row, rows_of
from diligent_tui.ui.screens.palette.things import Kind, Section, search
from tests.ui.screens.sessions_stage import BareApp
from tests.ui.stage import MOST_PAUSES, ask, make_app, ready, settled

MANY = 20_000


def things(kind: Kind, *labels: str) -> list[Thing]:
    return [Thing(kind, label, label) for label in labels]


KNOWN: dict[Kind, Sequence[Thing]] = {
    "command": things("command", "Help", "Tools", "New session"),
    "entry": things("entry", "why does the loader read twice?", "it reads the file for its positions"),
    "file": things("file", "src/loader.py", "docs/help.md", "tools/new.py"),
}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("help", ["Help", "docs/help.md"]),
        ("loader", ["src/loader.py", "why does the loader read twice?"]),
        ("ns", ["New session", "it reads the file for its positions"]),
        ("read file", ["it reads the file for its positions"]),
        ("lodr", ["src/loader.py"]),
        ("zzz", []),
    ],
)
def test_letters_find_names_best_first_and_words_find_sentences(words: str, found: list[str]) -> None:
    assert [thing.label for section in search(words, KNOWN) for thing in section.things] == found


def test_without_letters_the_newest_of_each_kind_are_listed() -> None:
    many: dict[Kind, Sequence[Thing]] = {
        **KNOWN,
        "session": things("session", *(f"session {number}" for number in range(40))),
    }
    sections = search(" ", many)
    assert [section.title for section in sections] == ["Commands", "In this session", "Files", "Sessions"]
    assert [thing.label for thing in sections[-1].things] == [f"session {number}" for number in range(5)]
    assert sections[-1].found == 40


def test_twenty_thousand_entries_are_searched_and_a_few_are_drawn() -> None:
    entries = things("entry", *(f"entry {number} about swans" for number in range(MANY)))
    (section,) = search("swans 1999", {"entry": entries})
    assert section.found == 12
    assert section.things[0].label == "entry 1999 about swans"


@pytest.mark.parametrize("width", [1, 2, 7, 20, 80])
@pytest.mark.parametrize("label", ["plain", "你好世界" * 20, "e\u0301" * 50, "👩‍👩‍👧‍👦" * 9, ""])
def test_a_row_is_as_wide_as_asked(label: str, width: int) -> None:
    section = Section("entry", (Thing("entry", "1", label, "a note"),), 7)
    for row in rows_of([section]):
        for is_cursor in (True, False):
            drawn = draw_row(row, "pl", width, is_cursor=is_cursor)
            assert drawn.cell_length <= width


def test_what_hides_or_acts_is_taken_out_of_a_label() -> None:
    thing = Thing("entry", "1", "a\x1b]52;c;x\x07\u202eb\nc", "\x1b[2J")
    assert "\x1b" not in thing.label + thing.note
    assert "\u202e" not in thing.label
    assert "\n" not in thing.label


def session_id(core: Core) -> str:
    return core.session.id if core.session is not None else ""


async def opened(pilot: Pilot[int]) -> PaletteScreen:
    await pilot.press("ctrl+p")
    while not isinstance(pilot.app.screen, PaletteScreen):
        await pilot.pause(0.01)
    return pilot.app.screen


async def find(pilot: Pilot[int], words: str, kind: Kind) -> None:
    """Type the words, wait until they are found, and choose the first of the kind."""
    screen = await opened(pilot)
    await pilot.press(*words)
    listing = screen.query_one(PaletteList)
    for _ in range(1_000):
        if listing.chosen is not None and listing.chosen.kind == kind:
            break
        await pilot.press("tab")
        await pilot.pause(0.01)
    assert listing.chosen is not None
    assert listing.chosen.kind == kind
    await pilot.press("enter")
    while pilot.app.screen is screen:
        await pilot.pause(0.01)
    await pilot.pause()


async def told(tmp_path: Path) -> DiligentApp:
    app = make_app(tmp_path)
    (tmp_path / "project" / "swans.md").write_text("seven\n")
    return app


async def test_enter_runs_a_command_goes_to_an_entry_and_puts_a_file_into_the_prompt(tmp_path: Path) -> None:
    app = await told(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "count the geese")
        await ask(pilot, "hello")
        core = await ready(pilot)
        await find(pilot, "geese", "entry")
        assert core.chat.has_focus
        assert core.chat.cursor_block is not None
        assert "geese" in core.chat.renderer.source(core.chat.cursor_block)
        await find(pilot, "swans", "file")
        assert "swans.md" in app.main.prompt.text
        await find(pilot, "help", "command")
        assert isinstance(app.screen, HelpScreen)


async def test_enter_switches_the_session_and_the_model(tmp_path: Path) -> None:
    app = await told(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot, "about geese")
        core = await ready(pilot)
        assert core.session is not None
        first = core.session.id
        await app.action_new_session()
        await settled(pilot)
        await find(pilot, "geese", "session")
        while session_id(core) != first:
            await pilot.pause(0.01)
        await find(pilot, "offline/", "model")
        assert core.session.model.id.startswith("offline/")


async def test_escape_closes_it_and_a_question_is_not_covered(tmp_path: Path) -> None:
    app = await told(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await ready(pilot)
        await opened(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.main
        await pilot.press("f1", "ctrl+p")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)


async def test_what_comes_later_above_the_best_takes_its_place_unless_the_cursor_was_moved() -> None:
    app = BareApp()
    commands = Section("command", tuple(things("command", "Theme")), 1)
    sessions = Section("session", tuple(things("session", "a", "b")), 2)
    async with app.run_test(size=(60, 20)):
        listing = PaletteList()
        await app.screen.mount(listing)
        listing.show([sessions], "")
        listing.show([commands, sessions], "")
        assert listing.chosen is not None
        assert listing.chosen.label == "Theme"
        listing.move(1)
        listing.show([sessions], "")
        listing.show([commands, sessions], "")
        assert listing.chosen.label == "a"


@pytest.mark.parametrize("height", range(3, 16))
async def test_the_list_never_ends_on_a_heading_and_says_how_much_is_below(height: int) -> None:
    app = BareApp()
    async with app.run_test(size=(60, height)) as pilot:
        listing = PaletteList()
        await app.screen.mount(listing)
        listing.show(search("", KNOWN), "")
        await pilot.pause()
        for _ in range(8):
            rows = [listing.render_line(y).text.rstrip() for y in range(listing.size.height)]
            told = [row for row in rows if row]
            assert told[-1] not in ("Commands", "In this session", "Files")
            assert any(row.startswith("▌ ") for row in told)
            listed = [thing.label for section in search("", KNOWN) for thing in section.things]
            last = told[-1].removeprefix("▌").strip()
            assert listing.below == len(listed) - 1 - listed.index(last)
            listing.move(1)


async def test_a_search_in_vain_says_so_where_the_results_would_stand() -> None:
    app = BareApp()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = PaletteScreen({"command": lambda: iter(KNOWN["command"])})
        await app.push_screen(screen)
        await pilot.press(*"zzz")
        await pilot.pause()
        while any(not worker.is_finished for worker in app.workers):
            await pilot.pause(0.005)
        await pilot.pause()
        assert screen.query_one(PaletteList).render_line(0).text.startswith("No match.")
        assert screen.query_one("#palette-foot").render_line(0).text.rstrip() == "ctrl+u clear  esc close"


def type_at_once(app: App[int], *keys: str) -> None:
    """Keys as a terminal sends them that are typed quicker than they are looked at."""
    for key in keys:
        app.post_message(Key(key, key if len(key) == 1 else None))


async def test_enter_behind_words_that_are_still_searched_takes_what_they_find() -> None:
    app = BareApp()
    chosen: list[Thing | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(PaletteScreen({"command": lambda: iter(KNOWN["command"])}), chosen.append)
        await pilot.pause()
        type_at_once(app, *"tools", "enter")
        for _ in range(MOST_PAUSES):
            if chosen:
                break
            await pilot.pause(0.005)
        assert [thing and thing.label for thing in chosen] == ["Tools"]


async def test_enter_is_taken_back_by_further_words() -> None:
    app = BareApp()
    chosen: list[Thing | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        screen = PaletteScreen({"command": lambda: iter(KNOWN["command"])})
        await app.push_screen(screen, chosen.append)
        await pilot.pause()
        type_at_once(app, *"tools", "enter", *"zz")
        await pilot.pause()
        while any(not worker.is_finished for worker in app.workers):
            await pilot.pause(0.005)
        await pilot.pause()
        assert app.screen is screen
        assert chosen == []


async def test_words_typed_behind_the_key_that_opens_it_are_never_sent_to_the_model(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        type_at_once(app, "ctrl+p", *"help", "enter")
        for _ in range(MOST_PAUSES):
            if isinstance(app.screen, HelpScreen):
                break
            await pilot.pause(0.005)
        assert isinstance(app.screen, HelpScreen)
        assert app.main.prompt.text == ""
        assert not core.session.store.tree.nodes
