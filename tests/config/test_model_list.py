import pytest

from diligent_tui.config.model_list import KeyState, is_meant, key_of, offers, own_models
from diligent_tui.config.settings import Settings
from diligent_tui.domain.models import Model, Prices
from diligent_tui.providers.model_table import MODELS


def settings(**sections: object) -> Settings:
    return Settings.model_validate(sections)


@pytest.mark.parametrize(
    ("name", "told", "model"),
    [
        ("qwen3:8b", {}, Model("openai-compatible", "qwen3:8b")),
        ("Ollama/qwen3", {"window": 9}, Model("ollama", "qwen3", window_tokens=9)),
        (
            "maker/new",
            {
                "maxOutput": 7,
                "thinking": ["low"],
                "images": True,
                "aliases": ["n"],
                "prices": {"input": 1, "output": 2},
            },
            Model("maker", "new", None, 7, Prices(1, 2), ("low",), True, ("n",)),
        ),
        ("maker/new", {"prices": {"input": 1}}, Model("maker", "new")),
        (
            "openai/gpt-4o",
            {"window": 5, "prices": {"cacheWrite": 3}, "aliases": ["mine"]},
            Model("openai", "gpt-4o", 5, 16_384, Prices(2.5, 10, 1.25, 3), (), True, ("mine", "4o")),
        ),
        (
            "OPENAI/GPT-4o",
            {"images": False},
            Model("openai", "gpt-4o", 128_000, 16_384, Prices(2.5, 10, 1.25), (), False, ("4o",)),
        ),
    ],
)
def test_a_model_of_the_settings_has_what_is_said_and_else_what_is_known(
    name: str, told: dict[str, object], model: Model
) -> None:
    assert own_models(settings(models={name: told})) == (model,)


def test_every_model_is_offered_once_and_the_users_own_first() -> None:
    own = settings(models={"mine": {}, "openai/gpt-4o": {"window": 5}})
    ids = [offer.model.id for offer in offers(own, {})]
    assert ids[:2] == ["openai-compatible/mine", "openai/gpt-4o"]
    assert sorted(ids) == sorted({*(model.id for model in MODELS), "openai-compatible/mine"})


@pytest.mark.parametrize(
    ("provider", "told", "environ", "state", "words"),
    [
        ("offline", {}, {}, KeyState("not needed"), "needs no key"),
        ("openai-compatible", {}, {}, KeyState("not needed"), "needs no key"),
        ("anthropic", {}, {}, KeyState("missing", "ANTHROPIC_API_KEY"), "set ANTHROPIC_API_KEY"),
        ("openai", {}, {"OPENAI_API_KEY": " "}, KeyState("missing", "OPENAI_API_KEY"), "set OPENAI_API_KEY"),
        ("openai", {}, {"OPENAI_API_KEY": "k"}, KeyState("environment", "OPENAI_API_KEY"), "OPENAI_API_KEY found"),
        ("openai", {"apiKey": "k"}, {}, KeyState("settings", "OPENAI_API_KEY"), "key in the settings"),
        ("openai", {"apiKeyCommand": "pass"}, {}, KeyState("command", "OPENAI_API_KEY"), "key by a command"),
    ],
)
def test_where_a_key_is_can_be_told_without_it(
    provider: str, told: dict[str, object], environ: dict[str, str], state: KeyState, words: str
) -> None:
    found = key_of(provider, settings(provider={provider: told}), environ)
    assert found == state
    assert found.words == words
    assert found.is_there == (state.place != "missing")


@pytest.mark.parametrize(
    ("words", "is_found"), [("", True), ("SON 5-5", True), ("sonnet", True), ("anth", True), ("sonnet gpt", False)]
)
def test_words_are_looked_for_in_names_and_aliases(words: str, is_found: bool) -> None:
    [sonnet] = [offer for offer in offers(settings(), {}) if offer.model.name == "claude-sonnet-5-5"]
    assert is_meant(sonnet, words.split()) is is_found
