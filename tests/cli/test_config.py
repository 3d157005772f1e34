"""`diligent config` as a person or a script would use it."""

import json
import stat
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tests.cli.many import Done, Wish, run_many, trust_all
from tests.domain.hostile_text import payloads, survivors

KEY = "sk-very-secret"
USER = """\
// mine
{
  /* how it looks */
  "theme": "light", // easy on the eyes
  "provider": { "openai": { "apiKey": "sk-very-secret", "headers": { "X-Team": "sk-very-secret" } },
    "own": { "apiKeyCommand": "pass sk-very-secret", "baseUrl": "https://me:sk-very-secret@127.0.0.1/v1" } },
  "models": { "openai/gpt-6.1-sol": { "window": 5000 } },
}
"""
ROWS = TypeAdapter(list[dict[str, object]])


class Desk:
    """A project and a home, and a way to run commands there."""

    def __init__(self, project: Path, environment: dict[str, str]) -> None:
        self.project = project
        self.environment = environment
        self.user_file = Path(environment["HOME"]) / ".config" / "diligent" / "diligent.jsonc"
        self.project_file = project / "diligent.jsonc"

    def write(self, text: str) -> None:
        self.user_file.parent.mkdir(parents=True, exist_ok=True)
        self.user_file.write_text(text)

    def run(self, *wishes: Wish | tuple[str, ...]) -> list[Done]:
        named = [each if isinstance(each, Wish) else Wish(each) for each in wishes]
        return run_many(self.project, self.environment, [_config(each) for each in named])


def _config(wish: Wish) -> Wish:
    return Wish(["config", *wish.words], wish.piped, wish.variables)


@pytest.fixture
def desk(project: Path, environment: dict[str, str]) -> Desk:
    return Desk(project, environment)


def test_every_value_is_shown_with_its_origin(desk: Desk) -> None:
    desk.write(USER)
    desk.project_file.write_text('{\n\n  "thinking": "high"\n}')
    trust = Wish(["show", "--json", "--trust"], variables={"DILIGENT_UI__BELL": "no"})
    shown, changed = desk.run(trust, ("show", "--changed"))
    rows = {str(row["key"]): row for row in ROWS.validate_json(shown.out)}
    origins = {key: (rows[key]["layer"], rows[key]["line"]) for key in ("theme", "thinking", "ui.bell", "mode")}
    assert origins == {
        "theme": ("user", 4),
        "thinking": ("project", 3),
        "ui.bell": ("environment", None),
        "mode": ("built-in", None),
    }
    assert rows["theme"]["file"] == str(desk.user_file)
    assert rows["ui.bell"]["variable"] == "DILIGENT_UI__BELL"
    assert rows["ui.bell"]["value"] is False
    assert rows["models.openai/gpt-6.1-sol.window"]["path"] == ["models", "openai/gpt-6.1-sol", "window"]
    assert all(row["description"] and row["expected"] for row in rows.values())
    lines = changed.out.splitlines()
    assert len(lines) == 6
    assert lines[0].split()[0] == "theme"
    assert lines[0].endswith(f"user {desk.user_file}:4")
    assert "not trusted" in changed.err


def test_a_secret_is_never_shown(desk: Desk) -> None:
    desk.write(USER)
    verbs = [("show",), ("show", "--json"), ("show", "provider"), ("check",), ("check", "--json"), ("path",)]
    answers = desk.run(*verbs, Wish(["set", "provider.openai.apiKey", "-"], KEY), ("unset", "provider.openai.apiKey"))
    assert [done.code for done in answers] == [0] * len(answers)
    for done in answers:
        assert KEY not in done.out + done.err
    assert answers[2].out.splitlines()[0].split()[:2] == ["provider.openai.apiKey", '"(hidden)"']
    assert '"https://(hidden)@127.0.0.1/v1"' in answers[2].out
    rows = {str(row["key"]): row for row in ROWS.validate_json(answers[1].out)}
    secret = rows["provider.openai.headers.X-Team"]
    assert (secret["value"], secret["isSecret"]) == (None, True)


def test_what_is_set_stands_in_the_file_and_comments_stay(desk: Desk) -> None:
    desk.write(USER)
    answers = desk.run(
        ("set", "theme", "dark"),
        ("set", "ui.bell", "false"),
        ("set", "limits.maxCost", "2.5"),
        ("set", "permissions.allow", '["bash(make *)"]'),
        ("set", "keys.send", "ctrl+j"),
        ("set", "models.openai/gpt-6.1-sol.window", "9000"),
        ("set", "model", "4"),
        ("set", "systemPrompt", "null"),
        ("show", "--json"),
        ("unset", "theme"),
        ("unset", "theme"),
    )
    assert [done.code for done in answers] == [0] * len(answers), [done.err for done in answers]
    assert answers[0].out == 'theme = "dark"\n'
    values = {str(row["key"]): row["value"] for row in ROWS.validate_json(answers[8].out)}
    assert (values["theme"], values["ui.bell"], values["limits.maxCost"]) == ("dark", False, 2.5)
    assert (values["permissions.allow"], values["keys.send"]) == (["bash(make *)"], "ctrl+j")
    assert (values["models.openai/gpt-6.1-sol.window"], values["model"], values["systemPrompt"]) == (9000, "4", None)
    text = desk.user_file.read_text()
    assert all(words in text for words in ("// mine", "/* how it looks */", "// easy on the eyes"))
    assert '"theme"' not in text
    assert "is not set in" in answers[10].err
    assert stat.S_IMODE(desk.user_file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("set", "modle", "x"), "`modle` is not a setting. Did you mean `mode` or `model`?"),
        (("set", "ui", "x"), "`ui` is a section. Name one of its values: reducedMotion, mouse, notifications, bell."),
        (("set", "provider.own.apiKye", "x"), "Did you mean `provider.own.apiKey`?"),
        (("set", "provider", "x"), "Say which: provider.NAME.apiKey"),
        (("set", "theme", "neon"), '`theme` cannot be "neon". Expected auto, dark, light, ansi, contrast,'),
        (("set", "limits.maxSteps", "0"), "Expected a whole number, 1 or more, or null."),
        (("set", "permissions.deny", '["bsh(x"]'), "`bsh(x` is not a rule."),
        (("set", "provider.own.apiKeyCommand", "x", "--project"), "A project may not set `provider`."),
        (("set", "mode", "full", "--project"), "A project may not set `mode`."),
        (("set", "knowledge.acceptCandidates", "true", "--project"), "A project may not set"),
        (("unset", "theme.x"), "`theme.x` is not a setting."),
        (("show", "nothing"), "`nothing` is not a setting."),
        (("nothing",), "Argument show|check|path|edit|set|unset: invalid choice"),
    ],
)
def test_what_cannot_be_meant_is_named_and_changes_nothing(desk: Desk, words: tuple[str, ...], complaint: str) -> None:
    desk.write(USER)
    (done,) = desk.run(words)
    assert done.code == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1
    assert desk.user_file.read_text() == USER
    assert not desk.project_file.exists()


def test_a_file_that_cannot_be_read_is_not_written_over(desk: Desk) -> None:
    desk.write('{\n  "theme": light\n}')
    set_it, checked = desk.run(("set", "ui.bell", "false"), ("check",))
    assert (set_it.code, checked.code) == (1, 1)
    assert f"{desk.user_file}:2: a value was expected; text needs double quotes." in set_it.err
    assert f"{desk.user_file}:2: This file is not used" in checked.out
    assert desk.user_file.read_text() == '{\n  "theme": light\n}'


def test_a_check_names_every_wrong_thing_with_its_line(desk: Desk) -> None:
    desk.write('{\n  "modle": "x",\n  "theme": "neon",\n  "model": "nobody",\n  "permissions": {"allow": ["bsh(x"]}\n}')
    told, for_programs, good = desk.run(("check",), ("check", "--json"), ("path", "--json"))
    assert (told.code, for_programs.code, good.code) == (1, 1, 0)
    for number, words in ((2, "Did you mean"), (3, "Expected"), (4, "No model is called"), (5, "is not a rule")):
        assert any(f"{desk.user_file}:{number}: " in line and words in line for line in told.out.splitlines())
    assert "4 things cannot be used" in told.out
    assert told.err == ""
    report = json.loads(for_programs.out)
    assert [(problem["key"], problem["line"]) for problem in report["problems"]] == [
        ("modle", 2),
        ("theme", 3),
        ("model", 4),
        ("permissions.allow", 5),
    ]
    assert [file["state"] for file in report["files"]] == ["read", "not there"]


def test_a_check_names_keys_that_lead_nowhere_with_their_lines(desk: Desk) -> None:
    desk.write('{"keys": {\n  "treee": "f14",\n  "tree": "wibble+q",\n  "history": "f14",\n  "tree_label": "n"\n}}')
    told, set_it = desk.run(("check",), ("set", "keys.zoom", "ctrl+p"))
    assert told.code == 1
    for number, words in (
        (2, "`treee` names no command. Did you mean `tree`?"),
        (3, "`wibble+q` cannot be the key of `tree`."),
        (4, "The key of `history` cannot be changed."),
        (5, "`n` is the key of `tree_label` and of `tree_next_match`. Give one of them another key."),
    ):
        assert f"{desk.user_file}:{number}: {words}" in told.out
    assert "`ctrl+p` is the key of `zoom` and of `palette`." in set_it.err


def test_keys_that_can_be_used_pass_a_check(desk: Desk) -> None:
    desk.write('{"keys": {"tree": "ctrl+b", "tree_label": "L", "help": ""}}')
    (told,) = desk.run(("check",))
    assert told.code == 0
    assert "All of it can be used." in told.out


def test_who_stands_above_a_value_is_told(desk: Desk) -> None:
    (done,) = desk.run(Wish(["set", "theme", "light"], variables={"DILIGENT_THEME": "ansi"}))
    assert 'In force is what environment DILIGENT_THEME says: theme = "ansi".' in done.err


def test_a_project_file_that_counted_counts_on(desk: Desk) -> None:
    desk.project_file.write_text('{ "theme": "light" }\n')
    desk.project_file.chmod(0o664)
    strange, _ = desk.run(("set", "ui.bell", "false", "--project"), ("show",))
    assert "This folder is not trusted, so its settings are not used yet." in strange.err
    trust_all(desk.project, desk.environment)
    done, shown = desk.run(("set", "theme", "ansi", "--project"), ("show", "theme", "--json"))
    assert (done.code, done.err) == (0, "")
    assert [row["layer"] for row in ROWS.validate_json(shown.out)] == ["project"]
    assert stat.S_IMODE(desk.project_file.stat().st_mode) == 0o664


def test_a_new_project_file_of_ones_own_needs_no_question(desk: Desk) -> None:
    done, shown = desk.run(("set", "theme", "ansi", "--project"), ("show", "theme", "--json"))
    assert (done.code, done.err) == (0, "")
    assert [row["value"] for row in ROWS.validate_json(shown.out)] == ["ansi"]
    assert stat.S_IMODE(desk.project_file.stat().st_mode) == 0o644


def test_a_link_out_of_the_project_is_not_written_through(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("{}")
    desk.project_file.symlink_to(tmp_path / "elsewhere")
    (done,) = desk.run(("set", "theme", "ansi", "--project"))
    assert done.code == 1
    assert "leads out of the project" in done.err
    assert (tmp_path / "elsewhere").read_text() == "{}"


def test_an_editor_is_opened_and_the_file_checked_afterwards(desk: Desk, tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\necho \'{ "theme": "neon" }\' > "$2"\n')
    editor.chmod(0o755)
    answers = desk.run(
        Wish(["edit"], variables={"EDITOR": f"'{editor}' -w"}),
        Wish(["edit"], variables={"VISUAL": "false"}),
        Wish(["edit"], variables={"EDITOR": "/nowhere/ed"}),
        Wish(["edit", "--project"], variables={"EDITOR": "true"}),
    )
    assert [done.code for done in answers] == [1, 1, 1, 1]
    assert "`theme` cannot be" in answers[0].out
    assert "false ended with 1." in answers[1].err
    assert "/nowhere/ed cannot be started" in answers[2].err
    assert desk.project_file.read_text().startswith("// Settings of diligent.")


def test_nothing_in_a_file_can_act_on_the_terminal(desk: Desk) -> None:
    texts = [one.embedded for one in payloads() if one.embedded.encode(errors="ignore").decode() == one.embedded][::9]
    names = {f"x{number}{text}"[:300]: text[:300] for number, text in enumerate(texts)}
    desk.write(json.dumps({"keys": names, "models": {name: {"aliases": [name]} for name in names}, **names}))
    for done in desk.run(("show",), ("check",), ("show", "keys")):
        assert [line for line in (done.out + done.err).splitlines() if survivors(line)] == []
        assert len(done.out.splitlines()) > 10
