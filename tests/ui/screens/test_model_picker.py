"""The picker over the real app: what is chosen, what is searched, and how it looks in each state."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from diligent_tui.config.model_list import KeyState, Offer, offers
from diligent_tui.config.settings import Settings
from diligent_tui.domain.errors import Unavailable
from diligent_tui.domain.models import Model
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.registry import REHEARSAL, find
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.model_picker import NO_MATCH, ModelChoice, ModelPicker
from tests.domain.hostile_text import payloads, survivors
from tests.ui.album import BOTH, SIZES, SMALLEST, USUAL, Album, Size
from tests.ui.stage import make_app, ready, settled

ALL_KEYS = {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}
LOCAL = Offer(Model("openai-compatible", "qwen3:8b", window_tokens=40_000), KeyState("not needed"))
Prepare = Callable[[Pilot[int]], Awaitable[None]]


def losses(model: Model) -> Sequence[str]:
    if model.provider == "openai":
        return [
            f"Thinking of claude-opus-5-5 is not sent to {model.name}; it stays in the session.",
            "The cache begins anew: ≈84k are sent at the full price once.",
        ]
    return ["84k of context do not fit in 32k: compacts first."] if model == REHEARSAL else []


async def find_local() -> Sequence[Offer]:
    return [LOCAL]


class Chosen:
    """Opens the picker and remembers the answer."""

    def __init__(self, current: str = "opus", thinking: ThinkingLevel = "high", **environ: str) -> None:
        self.picker = ModelPicker(offers(Settings(), environ or ALL_KEYS), find(current), thinking, losses, find_local)
        self.answers: list[ModelChoice | None] = []

    async def open(self, pilot: Pilot[int]) -> None:
        await ready(pilot)
        pilot.app.push_screen(self.picker, self.answers.append)
        await settled(pilot)


def words(picker: ModelPicker, selector: str) -> str:
    return str(picker.query_one(selector, Static).content)


async def told(pilot: Pilot[int], picker: ModelPicker, sentence: str) -> None:
    while sentence not in words(picker, "#model-search"):
        await pilot.pause(0.01)


def rows(picker: ModelPicker) -> list[str]:
    models = picker.query_one(OptionList)
    return [str(models.get_option_at_index(index).prompt) for index in range(models.option_count)]


async def play(tmp_path: Path, chosen: Chosen, *keys: str, size: tuple[int, int] = (120, 40)) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await chosen.open(pilot)
        await pilot.press(*keys)
        await settled(pilot)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["enter"], ModelChoice("anthropic/claude-opus-5-5", "high")),
        (["escape"], None),
        (["s", "o", "l", "escape", "escape"], None),
        (["4", "o", "-", "m", "i", "n", "i", "enter"], ModelChoice("openai/gpt-4o-mini", "off")),
        (["s", "o", "l", "space", "6", ".", "1", "enter"], ModelChoice("openai/gpt-6.1-sol", "high")),
        (["x", "x", "backspace", "backspace", "enter"], ModelChoice("anthropic/claude-opus-5-5", "high")),
        (["x", "x", "ctrl+u", "enter"], ModelChoice("anthropic/claude-opus-5-5", "high")),
        (["right", "enter"], ModelChoice("anthropic/claude-opus-5-5", "max")),
        (["right", "right", "right", "enter"], ModelChoice("anthropic/claude-opus-5-5", "max")),
        (["left", "left", "left", "left", "enter"], ModelChoice("anthropic/claude-opus-5-5", "low")),
        (["down", "enter"], ModelChoice("anthropic/claude-haiku-5-5", "high")),
        ([*"claude-next-9", "enter"], ModelChoice("anthropic/claude-next-9", "off")),
        ([*"openai-compatible/llama", "enter"], ModelChoice("openai-compatible/llama", "off")),
        (["r", "e", "h", "e", "a", "left", "enter"], ModelChoice("offline/rehearsal", "medium")),
    ],
)
async def test_keys_choose_a_model_and_its_level(tmp_path: Path, keys: list[str], answer: ModelChoice | None) -> None:
    chosen = Chosen()
    await play(tmp_path, chosen, *keys)
    assert chosen.answers == [answer]


async def test_nothing_is_chosen_where_no_model_is_shown(tmp_path: Path) -> None:
    app, chosen = make_app(tmp_path), Chosen()
    async with app.run_test() as pilot:
        await chosen.open(pilot)
        await pilot.press("z", "z", "z", "enter", "right")
        assert rows(chosen.picker) == [NO_MATCH]
        assert not chosen.picker.query_one("#model-details").display
        assert chosen.answers == []


@pytest.mark.parametrize(
    ("keys", "offered"),
    [
        ([], "⏎ choose  ← → thinking  ctrl+l local  esc back"),
        ([*"4o-mini"], "⏎ choose  ctrl+l local  esc show all"),
        ([*"sol"], "⏎ choose  ← → thinking  ctrl+l local  esc show all"),
        ([*"zzz"], "ctrl+l local  esc show all"),
    ],
)
async def test_only_keys_that_do_something_are_offered(tmp_path: Path, keys: list[str], offered: str) -> None:
    app, chosen = make_app(tmp_path), Chosen()
    async with app.run_test() as pilot:
        await chosen.open(pilot)
        await pilot.press(*keys)
        assert words(chosen.picker, "#model-keys") == offered


async def test_a_model_without_a_key_is_chosen_all_the_same(tmp_path: Path) -> None:
    app, chosen = make_app(tmp_path), Chosen("offline", "off", OPENAI_API_KEY="k")
    async with app.run_test() as pilot:
        await chosen.open(pilot)
        await pilot.press(*"sonnet")
        assert words(chosen.picker, "#model-keys").startswith("⏎ choose all the same  ")
        await pilot.press("enter")
    assert [choice.model_id for choice in chosen.answers if choice] == ["anthropic/claude-sonnet-5-5"]


async def test_the_model_in_use_and_the_cursor_are_marked_by_signs(tmp_path: Path) -> None:
    app, chosen = make_app(tmp_path), Chosen()
    async with app.run_test() as pilot:
        await chosen.open(pilot)
        assert [row for row in rows(chosen.picker) if "▸" in row] == [row for row in rows(chosen.picker) if "●" in row]
        await pilot.press("down", "down")
        assert [row.split()[1] for row in rows(chosen.picker) if "▸" in row] == ["claude-fable-5-2"]
        assert [row.split()[1] for row in rows(chosen.picker) if "●" in row] == ["claude-opus-5-5"]


async def test_a_level_is_kept_over_models_that_do_not_have_it(tmp_path: Path) -> None:
    chosen = Chosen(thinking="max")
    await play(tmp_path, chosen, *"gpt-5.5", "ctrl+u", *"opus-5-5", "enter")
    assert chosen.answers == [ModelChoice("anthropic/claude-opus-5-5", "max")]


async def test_local_servers_are_looked_for_only_on_their_key(tmp_path: Path) -> None:
    app, chosen = make_app(tmp_path), Chosen()
    async with app.run_test() as pilot:
        await chosen.open(pilot)
        assert not any("qwen3" in row for row in rows(chosen.picker))
        await pilot.press("ctrl+l")
        await told(pilot, chosen.picker, "1 model on this machine")
        await pilot.press("enter")
    assert chosen.answers == [ModelChoice("openai-compatible/qwen3:8b", "off")]


async def test_a_search_for_servers_that_fails_is_said(tmp_path: Path) -> None:
    async def fail() -> Sequence[Offer]:
        raise Unavailable("No server answers.", "Start Ollama.")

    picker = ModelPicker(offers(Settings(), {}), REHEARSAL, "off", losses, fail)
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        app.push_screen(picker)
        await settled(pilot)
        await pilot.press("ctrl+l")
        await told(pilot, picker, "Start Ollama.")


async def test_leaving_while_servers_are_looked_for_does_no_harm(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def hang() -> Sequence[Offer]:
        begun.set()
        await asyncio.Event().wait()
        return []

    picker = ModelPicker(offers(Settings(), {}), REHEARSAL, "off", losses, hang)
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        app.push_screen(picker)
        await settled(pilot)
        await pilot.press("ctrl+l")
        await begun.wait()
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is app.main


async def test_what_would_be_lost_is_said_of_others_only(tmp_path: Path) -> None:
    app, chosen = make_app(tmp_path), Chosen()
    async with app.run_test() as pilot:
        await chosen.open(pilot)
        assert "cache" not in words(chosen.picker, "#model-details").replace("cache read", "").replace(
            "cache write", ""
        )
        await pilot.press(*"sol")
        assert "is not sent to gpt-6.1-sol" in words(chosen.picker, "#model-details")


async def test_hostile_names_are_cleaned(tmp_path: Path) -> None:
    hostile = [
        Offer(Model(f"p{number}{one.text}", one.embedded, aliases=(one.text,)), KeyState("missing", one.text))
        for number, one in enumerate(payloads()[::9])
    ]
    picker = ModelPicker(hostile, hostile[0].model, "off", lambda model: [model.name])
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await ready(pilot)
        app.push_screen(picker)
        await settled(pilot)
        await pilot.press("down", "down")
        shown = [*rows(picker), *words(picker, "#model-details").splitlines()]
        assert len(shown) > 2 * len(hostile)
        assert [row for row in shown if survivors(row)] == []


async def pictures(
    album: Album,
    folder: Path,
    chosen: Chosen,
    *keys: str,
    sizes: Sequence[Size] = SIZES,
    themes: Sequence[ThemeName] = BOTH,
) -> None:
    async def prepare(pilot: Pilot[int]) -> None:
        await chosen.open(pilot)
        await pilot.press(*keys)
        await settled(pilot)

    await album.fill(make_app(folder, theme=themes[0]), prepare, sizes=sizes, themes=themes)


def _same_words(*_: object) -> str:
    return "Be good.\n"


@pytest.fixture(autouse=True)
def _same_prompt_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diligent_tui.agent.ground.write_system_prompt", _same_words)


async def test_picture(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, Chosen(), "down", "down", sizes=[SMALLEST, *SIZES])


async def test_picture_in_ansi(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, Chosen(), *"sol", sizes=[USUAL], themes=["ansi"])


async def test_picture_of_a_search(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, Chosen(), *"gpt 6")


async def test_picture_of_a_search_in_vain(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, Chosen(), *"llama")


async def test_picture_without_a_key(tmp_path: Path, album: Album) -> None:
    await pictures(album, tmp_path, Chosen("offline", "off", OPENAI_API_KEY="k"), *"sonnet")


async def test_picture_with_local_servers(tmp_path: Path, album: Album) -> None:
    chosen = Chosen()

    async def prepare(pilot: Pilot[int]) -> None:
        await chosen.open(pilot)
        await pilot.press("ctrl+l")
        await told(pilot, chosen.picker, "1 model on this machine")
        await settled(pilot)

    await album.fill(make_app(tmp_path), prepare)
