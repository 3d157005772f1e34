"""Every sentence that names a key asks which one holds now, and Enter is a word where its sign cannot be shown."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.commands import COMMANDS
from diligent_tui.ui.commands.keys_now import BY_NAME, NAMED, sentence_now
from diligent_tui.ui.key_line import ENTER, key_name
from diligent_tui.ui.screens.sessions import SessionsScreen
from diligent_tui.ui.widgets.guide import GuideStrip
from diligent_tui.ui.widgets.guide.steps import STEPS
from tests.ui.stage import ask, make_app, ready
from tests.ui.tour import rows

UI = Path(__file__).parents[2] / "src" / "diligent_tui" / "ui"
SIZE = (160, 50)
OTHERS = "αβγδεζηθικλμνξοπρστυφχψωабвгджийлнптфцчшщъыьэюябќњљџђћ"
"""Letters that no key of ours has; each place has fewer commands."""
CHANGED = {
    command.id: OTHERS[sum(other.where == command.where for other in COMMANDS[:place]) % len(OTHERS)]
    for place, command in enumerate(COMMANDS)
    if command.keys and not command.is_fixed and command.where not in ("prompt", "everywhere")
} | {
    command.id: f"shift+f{number}" if number < 25 else f"ctrl+f{number - 24}"
    for number, command in enumerate(
        (each for each in COMMANDS if each.keys and not each.is_fixed and each.where in ("prompt", "everywhere")), 1
    )
}
ARTICLES = {"a", "A"}
FIXED = {"tab", "space", "home", "end", "pgup", "pgdn", "↑", "↓", "←", "→"}
"""Lines one types in, and dialogs, have fixed keys; these are words of theirs, or signs in lists."""
OURS = {key_name(key) for command in COMMANDS if command.id in CHANGED for key in command.each_key} - FIXED
NAMES_A_KEY = re.compile(
    r"(?:^|[.;:,…·]\s|\n)(?P<key>[A-Za-z]|F\d+|[Ee]sc|ctrl\+\w|⏎) (?:on|in|for|there|once|stops|[a-z]+(?:es|s))\b"
)
ARE_FIXED = (
    "Esc once more goes back to an earlier prompt",
    "No match. Write provider/model, or esc shows all.",
    "k chars",
)
"""What is typed in a line or a dialog has fixed keys."""


def sentences() -> Iterator[tuple[str, str]]:
    """What the screen may say, with where it stands; commands are told with their keys by the help."""
    for path in UI.rglob("*.py"):
        # Restoring files is a dialog, too.
        if {"commands", "restore", "keys_page.py"} & set(path.parts):
            continue
        tree = ast.parse(path.read_text())
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                yield f"{path.name}:{node.lineno}", node.value


def test_no_sentence_is_written_with_a_key_that_can_be_changed() -> None:
    found = [
        (place, words)
        for place, words in sentences()
        if (named := NAMES_A_KEY.search(words)) and named["key"] not in ("a", "A", "I") and words not in ARE_FIXED
    ]
    assert found == []


def test_every_command_that_a_sentence_names_is_there() -> None:
    # A pattern that counts has braces too.
    named = {name for _, words in sentences() for name in NAMED.findall(words)}
    assert len(named) > 15
    assert {name for name in named if name not in BY_NAME} == {"2"}


def test_a_command_that_has_no_key_and_no_word_is_told_so() -> None:
    assert sentence_now("{fact_undo} undoes it.", {"fact_undo": ""}) == "(no key) undoes it."
    assert sentence_now("{tree} shows it, {nothing} stays.", {"tree": ""}) == "/tree shows it, {nothing} stays."


def shown(app: DiligentApp) -> list[str]:
    return [strip.text for strip in rows(app)]


def old_keys(rows: list[str]) -> set[str]:
    """Those of our keys that a row names as a hint does: alone between blanks, with a small word behind."""
    rows = [row for row in rows if not row.startswith("›") and "list . then" not in row]
    named = {found for row in rows for found in re.findall(r"(?:^|\s)(\S{1,7})(?= [a-z])", row)}
    return named & OURS - ARTICLES


async def pressed(pilot: Pilot[int], name: str) -> None:
    await pilot.press(CHANGED[name].split(",")[0])
    await pilot.pause()


async def test_no_foot_and_no_empty_pane_says_a_key_that_was_changed(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys=CHANGED)
    async with app.run_test(size=SIZE) as pilot:
        core = await ready(pilot)
        await pilot.pause()
        for is_empty in (True, False):
            if not is_empty:
                app.main.prompt.set_text("run echo hi")
                await pilot.press(CHANGED["submit"])
                while not (core.session and core.session.store.tree.nodes):
                    await pilot.pause(0.01)
                await core.session.wait_idle()
                await pilot.pause()
            for pane in ("tree", "tools", "knowledge", "summary", "context", "trace"):
                await pressed(pilot, pane)
                assert old_keys(shown(app)) == set(), (pane, shown(app))
            app.main.prompt.focus()
            await pilot.pause()
        core.chat.focus()
        await pilot.pause()
        assert old_keys(shown(app)) == set()
        await pressed(pilot, "sessions")
        while not isinstance(app.screen, SessionsScreen):
            await pilot.pause(0.01)
        assert old_keys(shown(app)) == set()


@pytest.mark.parametrize("place", range(len(STEPS) + 1))
def test_no_step_of_the_guide_says_a_key_that_was_changed(place: int) -> None:
    guide = GuideStrip(CHANGED)
    guide.turn(place)
    words = str(guide.render())
    assert not set(re.findall(r"\S+", words.replace(",", " ").replace(":", " "))) & OURS - ARTICLES - {"y"}


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_enter_is_written_out_where_its_sign_cannot_be_shown(size: tuple[int, int], tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "TERM": "linux"}
    app = make_app(tmp_path, environ=environ)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        await pilot.pause()
        assert any("enter sends" in row for row in shown(app))
        await ask(pilot, "run echo hi")
        for key, words in (("f2", "enter go on"), ("f3", "enter details"), ("f7", "enter open"), ("f8", "enter ")):
            await pilot.press(key)
            await pilot.pause()
            rows = shown(app)
            assert any(words in row for row in rows), (key, rows)
            assert not any(re.search(r"(^|\s)< [a-z]", row) for row in rows), (key, rows)
            assert ENTER not in "".join(rows)
