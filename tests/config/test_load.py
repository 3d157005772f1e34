from pathlib import Path

import pytest

from diligent_tui.config.load import Loaded, load_settings
from diligent_tui.config.outline import all_names
from diligent_tui.config.paths import Places
from diligent_tui.config.settings import Settings
from tests.config.loading import Load


def test_without_any_layer_all_is_built_in(places: Places) -> None:
    loaded = load_settings(places, {}, {}, trusted=True)
    assert loaded.settings == Settings()
    assert {origin.layer for origin in loaded.provenance.values()} == {"built-in"}
    assert loaded.problems == ()


def test_each_layer_wins_over_the_ones_below(load: Load) -> None:
    loaded = load(
        user='{"compaction": {"keepRecentTokens": 1, "reserveTokens": 1, "strategy": "a", "model": "a"}}',
        project='{"compaction": {"reserveTokens": 2, "strategy": "b", "model": "b"}}',
        environ={"DILIGENT_COMPACTION__STRATEGY": "c", "DILIGENT_COMPACTION__MODEL": "c"},
        flags={"compaction.model": "d"},
    )
    compaction = loaded.settings.compaction
    assert (compaction.pruning, compaction.keep_recent_tokens, compaction.reserve_tokens) == (True, 1, 2)
    assert (compaction.strategy, compaction.model) == ("c", "d")
    names = ("pruning", "keepRecentTokens", "reserveTokens", "strategy", "model")
    layers = [loaded.provenance[f"compaction.{name}"].layer for name in names]
    assert layers == ["built-in", "user", "project", "environment", "flags"]
    assert loaded.problems == ()


def test_an_origin_names_file_and_line_or_variable(load: Load, places: Places) -> None:
    loaded = load(user='{\n\n "mode":\n "plan"}', environ={"DILIGENT_UI__BELL": "no"}, flags={"theme": "light"})
    mode = loaded.provenance["mode"]
    assert (mode.file, mode.line, mode.text) == (places.user_settings, 3, f"user {places.user_settings}:3")
    assert loaded.provenance["ui.bell"].text == "environment DILIGENT_UI__BELL"
    assert loaded.provenance["theme"].text == "flags"
    assert loaded.provenance["limits.maxCost"].text == "built-in"


def test_tables_are_merged_name_by_name(load: Load) -> None:
    loaded = load(user='{"keys": {"send": "enter", "quit": "ctrl+q"}}', environ={"DILIGENT_KEYS__QUIT": "ctrl+d"})
    assert loaded.settings.keys == {"send": "enter", "quit": "ctrl+d"}
    assert loaded.provenance["keys.send"].layer == "user"
    assert loaded.provenance["keys.quit"].layer == "environment"


def test_a_list_is_replaced_as_a_whole(load: Load) -> None:
    loaded = load(user='{"instructions": ["a", "b"]}', environ={"DILIGENT_INSTRUCTIONS": '["c"]'})
    assert loaded.settings.instructions == ("c",)


def test_null_takes_an_optional_setting_back(load: Load) -> None:
    assert load(user='{"model": "a"}', project='{"model": null}').settings.model is None


@pytest.mark.parametrize("text", ["", "// all commented out\n", "{}", "\ufeff{}"])
def test_an_empty_file_is_no_problem(load: Load, text: str) -> None:
    assert load(user=text, project=text).problems == ()


@pytest.mark.parametrize(
    ("variable", "said", "name", "value"),
    [
        ("DILIGENT_MODEL", "sonnet", "model", "sonnet"),
        ("DILIGENT_MODEL", "123", "model", "123"),
        ("DILIGENT_MODE", "auto-edit", "mode", "auto-edit"),
        ("DILIGENT_SYSTEM_PROMPT", "be brief", "system_prompt", "be brief"),
        ("DILIGENT_SYSTEMPROMPT", "be brief", "system_prompt", "be brief"),
        ("DILIGENT_COMPACTION__ENABLED", "false", "compaction.enabled", False),
        ("DILIGENT_COMPACTION__ENABLED", "0", "compaction.enabled", False),
        ("DILIGENT_COMPACTION__KEEP_RECENT_TOKENS", "77", "compaction.keep_recent_tokens", 77),
        ("DILIGENT_COMPACTION__KEEPRECENTTOKENS", "77", "compaction.keep_recent_tokens", 77),
        ("DILIGENT_COMPACTION", '{"preview": true}', "compaction.preview", True),
        ("DILIGENT_KNOWLEDGE__HALF_LIFE_DAYS__PATTERN", "7.5", "knowledge.half_life_days.pattern", 7.5),
        ("DILIGENT_LIMITS__MAX_COST", "2", "limits.max_cost", 2.0),
        ("DILIGENT_TOOLS__TIMEOUT_SECONDS", "5", "tools.timeout_seconds", 5.0),
        ("DILIGENT_INSTRUCTIONS", '["a", "b"]', "instructions", ("a", "b")),
        ("DILIGENT_PERMISSIONS__DENY", '["rm *"]', "permissions.deny", ("rm *",)),
        ("DILIGENT_KEYS", '{"send": "ctrl+s"}', "keys", {"send": "ctrl+s"}),
    ],
)
def test_a_variable_sets_what_it_names(load: Load, variable: str, said: str, name: str, value: object) -> None:
    loaded = load(environ={variable: said})
    found: object = loaded.settings
    for part in name.split("."):
        found = getattr(found, part)
    assert (found, loaded.problems) == (value, ())


def test_other_variables_and_env_files_are_not_looked_at(load: Load, places: Places) -> None:
    (places.root / ".env").write_text("DILIGENT_MODE=full\n")
    loaded = load(environ={"MODE": "full", "model": "x", "diligent_mode": "full"})
    assert (loaded.settings, loaded.problems) == (Settings(), ())


def test_the_running_environment_is_not_looked_at(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DILIGENT_MODE", "full")
    assert load().settings.mode == "ask"


def test_user_defined_models_and_providers_are_read(load: Load) -> None:
    loaded = load(
        user="""{
          "models": {"ollama/qwen": {"window": 32000, "maxOutput": 4096, "prices": {"input": 0, "output": 0.5},
                     "thinking": ["off", "high"], "images": true, "aliases": ["q"]}},
          "provider": {"ollama": {"baseUrl": "http://localhost:11434/v1", "headers": {"X-Team": "a"}}},
        }"""
    )
    model = loaded.settings.models["ollama/qwen"]
    assert (model.window, model.max_output, model.prices.output, model.prices.cache_read) == (32000, 4096, 0.5, None)
    assert (model.thinking, model.images, model.aliases) == (("off", "high"), True, ("q",))
    assert loaded.settings.provider["ollama"].base_url == "http://localhost:11434/v1"
    assert loaded.problems == ()


def everything(loaded: Loaded) -> str:
    problems = [(problem.text, repr(problem)) for problem in loaded.problems]
    return f"{loaded!r} {loaded.settings} {problems} {[origin.text for origin in loaded.provenance.values()]}"


@pytest.mark.parametrize(
    "user",
    [
        '{"provider": {"openai": {"apiKey": "sk-canary", "headers": {"Authorization": "sk-canary"}}}}',
        '{"provider": {"openai": {"apiKey": ["sk-canary"]}}}',
        '{"provider": {"openai": {"apikey": "sk-canary"}}}',
        '{"provider": {"openai": "sk-canary"}}',
        '{"provider": "sk-canary"}',
        '{"provider": {"openai": {"baseUrl": "sk-canary"}}}',
        '{"provider": {"openai": {"headers": {"a": ["sk-canary"]}}}}',
        '{"provider": {"openai": {"apiKeyCommand": ["sk-canary"]}}}',
        '{"provider": {"openai": {"apiKey": sk-canary}}}',
        '{"provider": {"openai": {"apiKey": "sk-canary}}}',
    ],
)
def test_a_key_is_never_shown(load: Load, user: str) -> None:
    assert "canary" not in everything(load(user=user))
    assert "canary" not in everything(load(user="{}", project=user))


def test_a_key_from_the_environment_is_kept_and_never_shown(load: Load) -> None:
    loaded = load(environ={"DILIGENT_PROVIDER__OPENAI__API_KEY": "sk-canary", "DILIGENT_PROVIDER__X": "sk-canary"})
    key = loaded.settings.provider["openai"].api_key
    assert key is not None
    assert key.get_secret_value() == "sk-canary"
    assert "canary" not in everything(loaded)


def test_an_untrusted_project_is_not_opened(load: Load, places: Places) -> None:
    loaded = load(project='{"theme": "light", "nonsense": ', trusted=False)
    assert (loaded.settings, loaded.problems) == (Settings(), ())


def test_every_setting_is_documented_and_says_what_is_right() -> None:
    poor = [name for name, setting in all_names() if not setting.description.endswith(".") or not setting.right]
    assert poor == []


def test_only_harmless_settings_are_open_to_a_project() -> None:
    opened = {name[0] for name, setting in all_names() if setting.project_may_set}
    assert opened == {"model", "thinking", "theme", "compaction", "knowledge", "ui"}


def test_settings_cannot_be_changed(load: Load) -> None:
    settings = load().settings
    with pytest.raises(ValueError, match="frozen"):
        type(settings).__setattr__(settings, "mode", "full")


def test_what_flags_say_is_not_touched(load: Load) -> None:
    flags: dict[str, object] = {"instructions": ["a", 1]}
    assert load(flags=flags).settings.instructions == ("a",)
    assert flags == {"instructions": ["a", 1]}


def test_a_folder_in_place_of_the_file_is_named(places: Places) -> None:
    places.project_settings.mkdir()
    (problem,) = load_settings(places, {}, {}, trusted=True).problems
    assert "not a plain file" in problem.text
    assert Path(problem.origin.place) == places.project_settings
