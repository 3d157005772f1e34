"""One declaration: what the help says is what the keys do."""

from pathlib import Path

import pytest

from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.commands import COMMANDS, Command, slash_command
from diligent_tui.ui.commands.bindings import bindings
from diligent_tui.ui.commands.prompt_keys import PROMPT_KEYS
from diligent_tui.ui.palette_desk import commands
from tests.ui.stage import make_app, ready


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.action], ids=lambda c: c.id)
def test_every_action_of_a_command_is_a_method_of_the_app(command: Command) -> None:
    assert hasattr(DiligentApp, f"action_{command.action.partition('(')[0]}")


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.where == "prompt"], ids=lambda c: c.id)
def test_every_key_of_the_prompt_that_help_names_is_one_it_knows(command: Command) -> None:
    assert command.first_key in PROMPT_KEYS


async def test_every_key_of_the_log_that_help_names_is_bound_there(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        core = await ready(pilot)
        app.main.show_chat()
        await pilot.pause()
        core.chat.focus()
        await pilot.pause()
        assert {command.first_key for command in COMMANDS if command.where == "log"} <= set(app.screen.active_bindings)


def test_ids_keys_and_slash_words_are_unique_in_their_place() -> None:
    for names in (
        [command.id for command in COMMANDS],
        [command.slash for command in COMMANDS if command.slash],
        [command.first_key for command in COMMANDS if command.where == "everywhere" and command.keys],
    ):
        assert len(names) == len(set(names))


def test_a_users_key_takes_the_place_of_ours() -> None:
    keys = {binding.id: binding.key for binding in bindings({"help": "f12", "new": "ctrl+n"})}
    assert keys["help"] == "f12"
    assert keys["new"] == "ctrl+n"
    assert keys["quit"] == "ctrl+q"


@pytest.mark.parametrize(
    ("word", "command_id"), [("help", "help"), ("he", "help"), ("n", None), ("new", "new"), ("", None), ("zzz", None)]
)
def test_a_slash_word_may_be_shortened_while_it_is_clear(word: str, command_id: str | None) -> None:
    found = slash_command(word)
    assert (found.id if found else None) == command_id


def test_the_palette_offers_every_command_that_holds_everywhere() -> None:
    wanted = {c.title for c in COMMANDS if c.where == "everywhere" and c.action and c.id != "palette"}
    assert {thing.label for thing in commands()} == wanted
