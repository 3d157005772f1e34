"""Each wrong setting is named with its line and its remedy, and spoils nothing else."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diligent_tui.config.layers import MOST_PROBLEMS_OF_A_LAYER
from diligent_tui.config.load import load_settings
from diligent_tui.config.paths import Places
from diligent_tui.config.settings import Settings
from tests.config.loading import Load

BOOL = "Expected true or false."

WRONG = [
    # names
    ('"modle": "a"', "modle", "Did you mean `mode` or `model`?"),
    ('"Model": "a"', "Model", "Did you mean `model`?"),
    ('"compation": {}', "compation", "Did you mean `compaction`?"),
    ('"system_prompt": "a"', "system_prompt", "Did you mean `systemPrompt`?"),
    ('"SystemPrompt": "a"', "SystemPrompt", "Did you mean `systemPrompt`?"),
    ('"permission": {}', "permission", "Did you mean `permissions`?"),
    ('"providers": {}', "providers", "Did you mean `provider`?"),
    ('"injectionBudget": 5', "injectionBudget", "Did you mean `knowledge.injectionBudget`?"),
    ('"mouse": true', "mouse", "Did you mean `ui.mouse`?"),
    ('"maxSteps": 3', "maxSteps", "Did you mean `limits.maxSteps`?"),
    ('"zzzz": 1', "zzzz", "Known here: compaction, instructions, keys,"),
    ('"": 1', "", "Known here: compaction,"),
    ('"compaction": {"enable": true}', "compaction.enable", "Did you mean `compaction.enabled`?"),
    ('"compaction": {"reserve_tokens": 1}', "compaction.reserve_tokens", "Did you mean `compaction.reserveTokens`?"),
    ('"compaction": {"reserve": 1}', "compaction.reserve", "Did you mean `compaction.reserveTokens`?"),
    ('"compaction": {"qqq": 1}', "compaction.qqq", "Known here: enabled, keepRecentTokens,"),
    ('"knowledge": {"halfLife": 1}', "knowledge.halfLife", "Did you mean `knowledge.halfLifeDays`?"),
    (
        '"knowledge": {"halfLifeDays": {"patern": 1}}',
        "knowledge.halfLifeDays.patern",
        "`knowledge.halfLifeDays.pattern`",
    ),
    ('"provider": {"x": {"baseURL": "http://a"}}', "provider.x.baseURL", "Did you mean `provider.x.baseUrl`?"),
    ('"provider": {"x": {"key": "a"}}', "provider.x.key", "Did you mean `provider.x.apiKey`?"),
    ('"models": {"a/b": {"windows": 1}}', "models.a/b.windows", "Did you mean `models.a/b.window`?"),
    ('"models": {"a": {"prices": {"inputs": 1}}}', "models.a.prices.inputs", "Did you mean `models.a.prices.input`?"),
    ('"permissions": {"allowed": []}', "permissions.allowed", "Did you mean `permissions.allow`?"),
    ('"tools": {"timeout": 1}', "tools.timeout", "Did you mean `tools.timeoutSeconds`?"),
    ('"offline": {"speed": 1}', "offline.speed", "Known here: pace."),
    ('"ui": {"motion": 1}', "ui.motion", "Did you mean `ui.reducedMotion`?"),
    ('"limits": {"max_cost": 1}', "limits.max_cost", "Did you mean `limits.maxCost`?"),
    # values
    ('"model": 4', "model", "Expected some text in double quotes, or null."),
    ('"model": ""', "model", "Expected some text in double quotes, or null."),
    ('"model": ["a"]', "model", "Expected some text"),
    ('"thinking": "deep"', "thinking", 'Expected "off", "low", "medium", "high" or "max", or null.'),
    ('"mode": "yolo"', "mode", 'Expected "plan", "ask", "auto-edit" or "full".'),
    ('"mode": null', "mode", 'Expected "plan"'),
    ('"theme": "solarized"', "theme", 'Expected "auto", "dark", "light", "ansi",'),
    ('"theme": 1', "theme", 'Expected "auto", "dark"'),
    ('"systemPrompt": 1', "systemPrompt", "Expected text in double quotes, or null."),
    ('"instructions": "a.md"', "instructions", "Expected a list [ … ] of texts in double quotes."),
    ('"instructions": ["a", 7]', "instructions.1", "Expected text in double quotes."),
    ('"instructions": [["a"]]', "instructions.0", "Expected text in double quotes."),
    ('"compaction": true', "compaction", "Expected an object { … }."),
    ('"compaction": []', "compaction", "Expected an object { … }."),
    ('"compaction": null', "compaction", "Expected an object { … }."),
    ('"compaction": {"enabled": "true"}', "compaction.enabled", BOOL),
    ('"compaction": {"enabled": 1}', "compaction.enabled", BOOL),
    ('"compaction": {"pruning": null}', "compaction.pruning", BOOL),
    ('"compaction": {"strategy": ""}', "compaction.strategy", "Expected some text in double quotes."),
    ('"compaction": {"reserveTokens": -1}', "compaction.reserveTokens", "Expected a whole number, 0 or more, or null."),
    ('"compaction": {"reserveTokens": 1.5}', "compaction.reserveTokens", "Expected a whole number"),
    ('"compaction": {"reserveTokens": "9"}', "compaction.reserveTokens", "Expected a whole number"),
    ('"compaction": {"keepRecentTokens": null}', "compaction.keepRecentTokens", "Expected a whole number, 0 or more."),
    ('"compaction": {"keepRecentTokens": true}', "compaction.keepRecentTokens", "Expected a whole number, 0 or more."),
    ('"knowledge": {"injectionBudget": -5}', "knowledge.injectionBudget", "Expected a whole number, 0 or more."),
    ('"knowledge": {"halfLifeDays": 30}', "knowledge.halfLifeDays", "Expected an object { … }."),
    ('"knowledge": {"halfLifeDays": {"pattern": 0}}', "knowledge.halfLifeDays.pattern", "Expected a number above 0."),
    ('"knowledge": {"typeWeights": {"pattern": -1}}', "knowledge.typeWeights.pattern", "Expected a number, 0 or more."),
    ('"provider": []', "provider", "Expected an object { … }."),
    ('"provider": {"x": 1}', "provider.x", "Expected an object { … }."),
    ('"provider": {"x": {"apiKey": 1}}', "provider.x.apiKey", "Expected some text in double quotes, or null."),
    ('"provider": {"x": {"baseUrl": "ftp://a"}}', "provider.x.baseUrl", "Expected an address such as"),
    ('"provider": {"x": {"headers": {"a": 1}}}', "provider.x.headers.a", "Expected text in double quotes."),
    ('"provider": {"x": {"headers": []}}', "provider.x.headers", "Expected an object { … } of texts"),
    ('"models": {"a": {"window": 0}}', "models.a.window", "Expected a whole number, 1 or more, or null."),
    ('"models": {"a": {"prices": {"input": -1}}}', "models.a.prices.input", "Expected a number, 0 or more, or null."),
    ('"models": {"a": {"thinking": ["huge"]}}', "models.a.thinking.0", 'Expected "off", "low"'),
    ('"models": {"a": "b"}', "models.a", "Expected an object { … }."),
    ('"permissions": {"deny": "rm"}', "permissions.deny", "Expected a list"),
    ('"permissions": {"deny": [null]}', "permissions.deny.0", "Expected text in double quotes."),
    ('"tools": {"timeoutSeconds": 0}', "tools.timeoutSeconds", "Expected a number above 0."),
    ('"tools": {"outputLimitBytes": 10}', "tools.outputLimitBytes", "Expected a whole number, 1000 or more."),
    ('"offline": {"pace": "fast"}', "offline.pace", "Expected a number, 0 or more."),
    ('"ui": {"mouse": "off"}', "ui.mouse", BOOL),
    ('"keys": {"send": 1}', "keys.send", "Expected text in double quotes."),
    ('"keys": ["send"]', "keys", "Expected an object { … } of texts in double quotes."),
    ('"limits": {"maxSteps": 0}', "limits.maxSteps", "Expected a whole number, 1 or more, or null."),
    ('"limits": {"maxCost": "1 $"}', "limits.maxCost", "Expected a number above 0, or null."),
    ('"limits": {"maxTokens": 1e3}', "limits.maxTokens", "Expected a whole number"),
]


@pytest.mark.parametrize(("member", "key", "remedy"), WRONG, ids=[member for member, _, _ in WRONG])
def test_a_wrong_setting_is_named_with_line_and_remedy(
    load: Load, places: Places, member: str, key: str, remedy: str
) -> None:
    witness = '"mode": "full"' if member.startswith('"theme"') else '"theme": "light"'
    loaded = load(user=f"{{\n\n  // here\n  {member},\n  {witness}\n}}")
    (problem,) = loaded.problems
    assert (problem.key, problem.origin.line) == (key, 4)
    assert problem.text.startswith(f"{places.user_settings}:4: ")
    assert remedy in problem.remedy
    assert (loaded.settings.theme, loaded.settings.mode) in {("light", "ask"), ("auto", "full")}


def test_only_the_wrong_items_of_a_list_go(load: Load) -> None:
    loaded = load(user='{"permissions": {"deny": [1, "rm *", 2, "dd *", 3]}}')
    assert loaded.settings.permissions.deny == ("rm *", "dd *")
    assert sorted(problem.key for problem in loaded.problems) == [f"permissions.deny.{place}" for place in (0, 2, 4)]


def test_problems_come_in_the_order_of_the_file(load: Load) -> None:
    loaded = load(user='{\n"mode": 1,\n"zzz": 1,\n"model": 1,\n"yyy": 1}')
    assert [problem.origin.line for problem in loaded.problems] == [2, 3, 4, 5]


def test_a_key_said_twice_is_named_and_the_later_counts(load: Load) -> None:
    loaded = load(user='{"mode": "plan",\n "mode": "full"}')
    assert loaded.settings.mode == "full"
    assert [(problem.key, problem.origin.line) for problem in loaded.problems] == [("mode", 2)]
    assert "twice" in loaded.problems[0].text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"mode": "full"\n"model": "a"}', 2, "`,` or `}` was expected"),
        ('{"mode": "full",\n\n', 3, "`}` was expected"),
        ("[]", 1, "settings should be an object"),
        ("\n3", 2, "settings should be an object"),
        (b'{"mode": "full",\n "model": "\xff"}', 2, "not UTF-8"),
        (b"\xff\xfe{\x00}\x00", 1, "not UTF-8"),
        ("[" * 100_000, 1, "nested deeper"),
        ("{" + " " * 256_000 + "}", None, "larger than 256,000 bytes"),
        ('{"limits": {"maxCost": NaN}}', 1, "a number was expected"),
        ('{"limits": {"maxTokens": ' + "9" * 5000 + "}}", 1, "too large"),
    ],
)
def test_a_file_that_cannot_be_read_drops_that_layer_alone(
    load: Load, text: str | bytes, line: int | None, words: str
) -> None:
    loaded = load(user=text, project='{"theme": "light"}')
    assert loaded.settings == Settings(theme="light")
    (problem,) = loaded.problems
    assert (problem.origin.layer, problem.origin.line) == ("user", line)
    assert words in problem.text


def test_a_pipe_in_place_of_the_file_does_not_hang(places: Places) -> None:
    os.mkfifo(places.project_settings)
    (problem,) = load_settings(places, {}, {}, trusted=True).problems
    assert "not a plain file" in problem.text


@pytest.mark.parametrize(
    ("variable", "said", "words"),
    [
        ("DILIGENT_MODELL", "a", "Did you mean `model` or `models`?"),
        ("DILIGENT_", "a", "is not a setting"),
        ("DILIGENT_MODE", "yolo", "Expected plan, ask, auto-edit or full."),
        ("DILIGENT_COMPACTION__ENABLED", "maybe", BOOL),
        ("DILIGENT_COMPACTION__ENABLE", "1", "Did you mean `compaction.enabled`?"),
        ("DILIGENT_COMPACTION__ENABLED__X", "1", "Nothing can stand below"),
        ("DILIGENT_COMPACTION", "yes", "Expected an object"),
        ("DILIGENT_COMPACTION", "[1]", "Expected an object"),
        ("DILIGENT_COMPACTION", '{"x": 1}', "`compaction.x` is not a setting"),
        ("DILIGENT_INSTRUCTIONS", "a.md", "Expected a list"),
        ("DILIGENT_LIMITS__MAX_COST", "nan", "Expected a number above 0"),
        ("DILIGENT_LIMITS__MAX_STEPS", "9" * 5000, "Expected a whole number"),
        ("DILIGENT_MODEL", "\udcff", "Expected some text"),
        ("DILIGENT_KEYS__SEND__NOW", "a", "Nothing can stand below"),
        ("DILIGENT_PROVIDER__X__BASE_URL", "nowhere", "Expected an address"),
        ("DILIGENT_\x1b]0;x\x07", "a", "is not a setting"),
    ],
)
def test_a_wrong_variable_is_named_and_spoils_no_other(load: Load, variable: str, said: str, words: str) -> None:
    loaded = load(environ={variable: said, "DILIGENT_THEME": "light"})
    assert loaded.settings.theme == "light"
    (problem,) = loaded.problems
    assert problem.origin.variable == variable
    assert words in problem.text
    assert "\x1b" not in problem.text


def test_a_wrong_flag_is_named(load: Load) -> None:
    loaded = load(flags={"mode": "yolo", "ui.mous": True, "theme": "light"})
    assert [problem.text.split(".")[0] for problem in loaded.problems] == [
        'flags: `mode` cannot be "yolo"',
        "flags: `ui",
    ]
    assert loaded.settings.theme == "light"


def test_hostile_names_and_values_are_shown_clean_and_short(load: Load) -> None:
    long = "x" * 5000
    loaded = load(user=f'{{"\\u001b]52;c;x\\u0007\\u202e{long}": 1, "mode": "\\u001b[2J\\u200b{long}"}}')
    for problem in loaded.problems:
        assert len(problem.text) < 800
        assert not set("\x1b\x07\u202e\u200b\n") & set(problem.text)
    assert len(loaded.problems) == 2


def test_a_flood_of_problems_is_cut_short(load: Load) -> None:
    loaded = load(user="{" + ",".join(f'"zz{number}": 1' for number in range(500)) + "}")
    assert len(loaded.problems) == MOST_PROBLEMS_OF_A_LAYER + 1
    assert "400 more" in loaded.problems[-1].text


GOOD = """{
  // all kinds of values
  "model": "a", "mode": "plan", "instructions": ["a", "b"], "keys": {"send": "x"},
  "compaction": {"enabled": false, "reserveTokens": 5, "strategy": "auto"}, /* c */
  "provider": {"x": {"apiKey": "k", "headers": {"h": "v"}, "baseUrl": "http://a"}},
  "models": {"a/b": {"window": 5, "prices": {"input": 1.5}, "thinking": ["off"]}},
  "knowledge": {"halfLifeDays": {"pattern": 3}}, "limits": {"maxCost": null},
}"""
PIECES = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "null",
    "true",
    "1",
    "-1",
    "1e9",
    '"x"',
    "{}",
    "[1]",
    "\\",
    "/*",
    "//",
    "\x00",
]

mutations = st.lists(
    st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), st.sampled_from(["", *PIECES]) | st.text(max_size=4)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(mutations, st.booleans())
def test_no_settings_file_keeps_diligent_from_starting(
    load: Load, changes: list[tuple[int, int, str]], is_project: bool
) -> None:
    text = GOOD
    for place, length, piece in changes:
        text = text[:place] + piece + text[place + length :]
    data = text.encode(errors="surrogatepass")
    loaded = load(project=data) if is_project else load(user=data)
    assert Settings.model_validate(loaded.settings.model_dump()) == loaded.settings
    assert all(problem.text and problem.origin.file for problem in loaded.problems)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
all_settings = sorted(Settings.model_fields)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(st.sampled_from(all_settings), json_values, max_size=4), st.sampled_from(all_settings), st.text()
)
def test_no_flag_and_no_variable_keeps_diligent_from_starting(
    load: Load, flags: dict[str, object], name: str, said: str
) -> None:
    loaded = load(flags=flags, environ={f"DILIGENT_{name.upper()}": said, f"DILIGENT_{name.upper()}__A": said})
    assert Settings.model_validate(loaded.settings.model_dump()) == loaded.settings
