import subprocess
import sys

import pytest

from diligent_tui.domain.errors import ModelUnknown, ProviderError
from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.model_table import LONG_PROMPTS
from diligent_tui.providers.registry import (
    MAKERS,
    MODELS,
    REHEARSAL,
    ProviderOptions,
    assumed_window,
    choose_default,
    find,
    make_provider,
    prices_at,
)

LEVELS: list[ThinkingLevel] = ["off", "low", "medium", "high", "max"]
MINE = Model("openai-compatible", "qwen3:8b", window_tokens=40_000, aliases=("qwen",))


@pytest.mark.parametrize(
    ("name", "model_id"),
    [
        ("offline/rehearsal", "offline/rehearsal"),
        ("offline", "offline/rehearsal"),
        ("rehearsal", "offline/rehearsal"),
        (" Rehearsal ", "offline/rehearsal"),
        ("sonnet", "anthropic/claude-sonnet-5-5"),
        ("haiku", "anthropic/claude-haiku-5-5"),
        ("opus", "anthropic/claude-opus-5-5"),
        ("fable", "anthropic/claude-fable-5-2"),
        ("mythos", "anthropic/claude-mythos-5-2"),
        ("4o", "openai/gpt-4o"),
        ("4o-mini", "openai/gpt-4o-mini"),
        ("o3", "openai/o3"),
        ("claude-sonnet-4-20250514", "anthropic/claude-sonnet-4-20250514"),
        ("claude-haiku-3-5-20241022", "anthropic/claude-haiku-3-5-20241022"),
        ("anthropic/claude-new", "anthropic/claude-new"),
        ("anthropic/sonnet", "anthropic/claude-sonnet-5-5"),
        ("OpenAI/4o-Mini", "openai/gpt-4o-mini"),
        ("openai-compatible/org/model:7b", "openai-compatible/org/model:7b"),
        ("claude-next-9", "anthropic/claude-next-9"),
        ("gpt-99", "openai/gpt-99"),
        ("o9-mini", "openai/o9-mini"),
        ("qwen", "openai-compatible/qwen3:8b"),
        ("qwen3:8b", "openai-compatible/qwen3:8b"),
    ],
)
def test_a_name_finds_its_model(name: str, model_id: str) -> None:
    assert find(name, [MINE]).id == model_id


@pytest.mark.parametrize(
    ("name", "near"), [("sonet", "sonnet"), ("rehersal", "rehearsal"), ("offline/rehersal", "offline/rehearsal")]
)
def test_an_unknown_name_is_refused_with_near_ones(name: str, near: str) -> None:
    with pytest.raises(ModelUnknown) as refused:
        find(name)
    assert near in refused.value.advice


@pytest.mark.parametrize("name", ["", "/", "nobody/model", "openai/", "offline/other", "ollama", "opal", "os/claude-x"])
def test_a_name_without_meaning_is_refused(name: str) -> None:
    with pytest.raises(ModelUnknown):
        find(name)


def test_a_hostile_name_is_refused_in_one_clean_line() -> None:
    with pytest.raises(ModelUnknown) as refused:
        find("evil\x1b]52;c;aGk=\x07\u202e" + "x" * 10_000)
    assert refused.value.message.isprintable()
    assert len(refused.value.message) < 200


def test_prices_follow_the_length_of_the_prompt_where_a_maker_says_so() -> None:
    haiku = find("haiku")
    assert prices_at(haiku, 100_000) == Prices(0.10, 0.50, 0.01, 0.125)
    assert prices_at(haiku, 100_001) == Prices(0.50, 2.50, 0.05, 0.625)
    assert prices_at(find("sonnet"), 900_000) == find("sonnet").prices
    assert prices_at(find("claude-next-9"), 1) is None


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_the_figures_of_a_model_make_sense_together(model: Model) -> None:
    window, prices = model.window_tokens, model.prices
    assert window is None or model.max_output_tokens is None or model.max_output_tokens < window
    assert list(model.thinking_levels) == sorted(model.thinking_levels, key=LEVELS.index)
    if prices and prices.input:
        assert prices.input < prices.output
        assert prices.cache_read is None or prices.cache_read < prices.input
        assert prices.cache_write is None or prices.cache_write > prices.input


def test_long_prompts_are_told_of_known_models_and_cost_more() -> None:
    for model_id, long_prompt in LONG_PROMPTS.items():
        short = find(model_id).prices
        assert short is not None or long_prompt.prices is None
        assert long_prompt.prices is None or (short and long_prompt.prices.input > short.input)


def test_the_users_own_figures_go_before_ours() -> None:
    own = Model("openai", "gpt-4o", window_tokens=5)
    assert find("gpt-4o", [own]).window_tokens == 5
    assert find("gpt-4o").window_tokens == 128_000


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("offline", (32_000, False)),
        ("claude-sonnet-4-20250514", (200_000, False)),
        ("gpt-4o", (128_000, False)),
        ("gpt-4o-mini", (128_000, False)),
        ("o3", (200_000, False)),
        ("claude-next-9", (200_000, True)),
        ("gpt-99", (128_000, True)),
        ("o9", (128_000, True)),
        ("openai-compatible/llama", (16_000, True)),
        ("openai-compatible/olmo", (16_000, True)),
    ],
)
def test_a_window_is_known_or_said_to_be_assumed(name: str, window: tuple[int, bool]) -> None:
    assert assumed_window(find(name)) == window


@pytest.mark.parametrize(
    ("flag", "setting", "environ", "chosen"),
    [
        ("a", "b", {"ANTHROPIC_API_KEY": "k"}, "a"),
        (None, "b", {"ANTHROPIC_API_KEY": "k"}, "b"),
        ("", "", {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}, "anthropic/claude-sonnet-5-5"),
        (None, None, {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": " "}, "openai/gpt-6.1-sol"),
        (None, None, {}, "offline/rehearsal"),
    ],
)
def test_the_default_model_is_the_first_that_applies(
    flag: str | None, setting: str | None, environ: dict[str, str], chosen: str
) -> None:
    assert choose_default(flag, setting, environ) == chosen


def test_names_and_aliases_mean_one_model_each() -> None:
    spoken = [word for model in MODELS for word in {model.id, model.name, *model.aliases}]
    assert len(spoken) == len(set(spoken))


def test_every_model_of_the_table_has_somebody_to_answer_for_it() -> None:
    assert {model.provider for model in MODELS} <= set(MAKERS)


def test_defaults_are_models_that_are_known() -> None:
    for environ in ({"ANTHROPIC_API_KEY": "k"}, {"OPENAI_API_KEY": "k"}, {}):
        assert find(choose_default(None, None, environ)) in MODELS


def test_rehearsing_costs_nothing() -> None:
    assert REHEARSAL.prices is not None
    assert (REHEARSAL.prices.input, REHEARSAL.prices.output) == (0, 0)
    assert REHEARSAL.max_output_tokens == 4_096


def test_the_offline_provider_is_made_with_its_pace() -> None:
    assert make_provider("offline", ProviderOptions(pace_tokens_per_second=5)).name == "offline"


@pytest.mark.parametrize("name", MAKERS)
def test_a_provider_is_made_by_its_name(name: str) -> None:
    assert make_provider(name).name == name


def test_a_provider_nobody_knows_is_refused() -> None:
    with pytest.raises(ProviderError, match="no provider"):
        make_provider("nobody")


def test_the_registry_loads_no_provider_and_no_sdk() -> None:
    code = (
        "import sys; import diligent_tui.providers.registry; unwanted = ('anthropic', 'openai', "
        "'diligent_tui.providers.offline'); print([name for name in sys.modules if name.startswith(unwanted)])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
