import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from diligent_tui.cli.models import TITLES, print_models, table
from diligent_tui.config.house import House, enter
from tests.domain.hostile_text import payloads, survivors

KEY = "sk-very-secret"
OBJECTS = TypeAdapter(list[dict[str, object]])


def house_with(tmp_path: Path, settings: object = None, **environ: str) -> House:
    project, home = tmp_path / "project", tmp_path / "home"
    (project / ".git").mkdir(parents=True)
    config = home / "config" / "diligent"
    config.mkdir(parents=True)
    if settings is not None:
        (config / "diligent.jsonc").write_text(json.dumps(settings))
    return enter(project, {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), **environ}, {})


def rows_of(house: House, capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    print_models(house, words)
    return capsys.readouterr().out.splitlines()


def objects_of(house: House, capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    print_models(house, words, as_json=True)
    return OBJECTS.validate_json(capsys.readouterr().out)


def test_the_table_names_each_model_its_figures_and_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    title, *rows = rows_of(house_with(tmp_path, OPENAI_API_KEY=KEY), capsys)
    assert title.split()[0] == "model"
    [sonnet] = [row for row in rows if row.startswith("anthropic/claude-sonnet-5-5 ")]
    assert all(word in sonnet for word in ("sonnet", "1.0M", "128k", "2/10", "0.1/2.5", "set ANTHROPIC_API_KEY"))
    [unknown] = [row for row in rows if row.startswith("openai/gpt-6-cyber")]
    assert "≈128k" in unknown
    assert "–" in unknown
    assert "OPENAI_API_KEY found" in unknown


def test_a_key_is_never_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"provider": {"anthropic": {"apiKey": KEY}}}
    house = house_with(tmp_path, settings, OPENAI_API_KEY=KEY)
    for as_json in (False, True):
        print_models(house, as_json=as_json)
        shown = capsys.readouterr().out
        assert KEY not in shown
        assert "settings" in shown


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["4o", "mini"], ["openai/gpt-4o-mini"]),
        (["SONNET", "5-5"], ["anthropic/claude-sonnet-5-5"]),
        (["offline"], ["offline/rehearsal"]),
        (["fable", "5-2"], ["anthropic/claude-fable-5-2"]),
    ],
)
def test_all_words_must_be_in_the_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], names: list[str]
) -> None:
    _, *rows = rows_of(house_with(tmp_path), capsys, *words)
    assert [row.split()[0] for row in rows] == names


def test_words_that_no_model_has_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = house_with(tmp_path)
    assert rows_of(house, capsys, "nobody\x1b[2J") == [
        "No model has 'nobody' in its name. `diligent models` lists them all."
    ]
    assert objects_of(house, capsys, "nobody") == []


def test_json_keeps_what_is_unknown_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = house_with(tmp_path, OPENAI_API_KEY=KEY)
    [cyber] = objects_of(house, capsys, "gpt-6-cyber")
    assert (cyber["windowTokens"], cyber["assumedWindowTokens"], cyber["pricesPerMillion"]) == (None, 128_000, None)
    assert cyber["key"] == {"place": "environment", "variable": "OPENAI_API_KEY"}
    [haiku] = objects_of(house, capsys, "haiku-5-5")
    assert haiku["pricesPerMillion"] == {"input": 0.1, "output": 0.5, "cacheRead": 0.01, "cacheWrite": 0.125}
    assert haiku["longPrompt"] == {
        "aboveTokens": 100_000,
        "pricesPerMillion": {"input": 0.5, "output": 2.5, "cacheRead": 0.05, "cacheWrite": 0.625},
    }


def test_the_users_own_models_stand_first_and_say_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"models": {"qwen3:8b": {"window": 40_000, "aliases": ["qwen"]}, "openai/gpt-4o": {"window": 5_000}}}
    own, corrected, *_ = objects_of(house_with(tmp_path, settings), capsys)
    assert (own["id"], own["windowTokens"], own["key"]) == (
        "openai-compatible/qwen3:8b",
        40_000,
        {"place": "not needed", "variable": None},
    )
    assert (corrected["id"], corrected["windowTokens"], corrected["seesImages"]) == ("openai/gpt-4o", 5_000, True)
    assert corrected["aliases"] == ["4o"]


def test_a_hostile_name_cannot_act_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [one.embedded.replace("/", "_") for one in payloads()]
    names = [f"x{number}{text}" for number, text in enumerate(texts)]
    # Half characters and endless names cannot come out of a settings file.
    names = [name for name in names if name.encode(errors="ignore").decode() == name and len(name) < 500][::7]
    house = house_with(tmp_path, {"models": {name: {"aliases": [name]} for name in names}})
    rows = rows_of(house, capsys)
    assert len(rows) > len(names) > 10
    assert [row for row in rows if survivors(row)] == []


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_a_narrow_terminal_gets_fewer_columns_of_the_table(columns: int) -> None:
    cells = ("a" * 36, "b" * 12, "1.0M", "128k", "10/50", "0.1/2.5", "c" * 24, "yes", "d")
    row: dict[str, str] = dict(zip(TITLES, cells, strict=True))
    narrow = table([row], columns)
    assert max(map(len, narrow)) <= columns
    assert narrow[0].startswith("model")
    assert "window" in narrow[0]
    assert "key" in narrow[0]
    assert len(table([row], None)[0].split()) > len(narrow[0].split())


def test_the_list_loads_neither_a_screen_nor_an_sdk() -> None:
    code = (
        "import sys, diligent_tui.cli.models; "
        "print([name for name in sys.modules if name.partition('.')[0] in ('textual', 'rich', 'anthropic', 'openai')])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
