"""The empty chat says what this is, which model answers and why, and what to press."""

from pathlib import Path

import pytest

from diligent_tui.ui.widgets.welcome import ANYWHERE, WITH_README, Welcome, first_words, why_this_model
from tests.ui.stage import ask, make_app, ready, settled

OFFLINE = "offline/rehearsal"
KEYS = ("/compact", "F5", " u", "F2", "F4", "⏎", "esc", "F1", "ctrl+q", "--demo", "/model")


@pytest.mark.parametrize(
    ("model", "flag", "setting", "why"),
    [
        (OFFLINE, OFFLINE, None, "as --model says"),
        (OFFLINE, None, OFFLINE, "as your settings say"),
        (OFFLINE, None, None, "for no key is in the environment"),
        ("anthropic/claude-sonnet-5-5", None, None, "for its key is in the environment"),
        ("anthropic/claude-sonnet-5-5", "sonnet", "haiku", "as --model says"),
    ],
)
def test_it_says_why_this_model(model: str, flag: str | None, setting: str | None, why: str) -> None:
    assert why_this_model(model, flag, setting) == why


def test_it_offers_words_that_work_in_this_folder(tmp_path: Path) -> None:
    assert first_words(tmp_path) == ANYWHERE
    (tmp_path / "README.md").write_text("# Swans\n")
    assert first_words(tmp_path) == WITH_README


async def test_five_lines_say_offline_plainly_and_what_to_type(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        await settled(pilot)
        words = app.main.query_one(Welcome).render().plain
        assert len(words.split("\n\n")) == 5
        assert "Offline, as --model says" in words
        assert "No language model" in words
        assert f"Type first:  {ANYWHERE}" in words
        assert "/compact" in words
        assert "diligent --demo" in words


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40)])
async def test_all_of_it_is_seen(tmp_path: Path, columns: int, rows: int) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(columns, rows)) as pilot:
        await ready(pilot)
        await settled(pilot)
        welcome = app.main.query_one(Welcome)
        needed = welcome.get_content_height(app.size, app.size, welcome.content_size.width)
        assert welcome.content_size.height >= needed
        assert welcome.region.bottom <= app.main.prompt.region.y


@pytest.mark.parametrize("columns", [40, 46, 60, 72, 80, 100])
async def test_a_row_never_ends_between_a_key_and_its_word(tmp_path: Path, columns: int) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(columns, 40)) as pilot:
        await ready(pilot)
        await settled(pilot)
        rows = [row.rstrip() for row in app.main.query_one(Welcome).render().plain.split("\n")]
        room = app.main.query_one(Welcome).content_size.width
        assert [row for row in rows if row.endswith(KEYS)] == []
        assert all(len(row) <= room for row in rows[2:])


async def test_what_it_says_to_type_runs_two_tools(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        core = await ready(pilot)
        await ask(pilot, ANYWHERE)
        assert core.session is not None
        roles = [node.role for node in core.session.conversation.path]
        assert roles.count("tool_result") == 2
