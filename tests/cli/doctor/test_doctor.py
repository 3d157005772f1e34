"""`diligent doctor` as a person or a script would use it."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from diligent_tui.cli.doctor.sandbox import about_sandbox
from diligent_tui.tools.sandbox.escapes import WAYS, attempts
from diligent_tui.tools.sandbox.policy import SandboxPolicy
from tests.cli.many import Done, Wish, run_many

KEY = "sk-very-secret"
REPORT = TypeAdapter(list[dict[str, str | None]])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "project"


def settings(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "home" / ".config" / "diligent"
    folder.mkdir(parents=True)
    (folder / "diligent.jsonc").write_text(text)


def doctor(tmp_path: Path, *words: str, **variables: str) -> Done:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path / "home"), "PYTHONUTF8": "1", "TERM": "xterm"}
    wish = Wish(["doctor", *words], variables=variables)
    return run_many(tmp_path / "project", environment, [wish])[0]


def rows(done: Done) -> list[dict[str, str | None]]:
    return REPORT.validate_python(json.loads(done.out)["findings"])


def test_a_plain_machine_is_told_in_full_and_nothing_is_written(tmp_path: Path, project: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = doctor(tmp_path, "--json")
    assert (done.code, done.err) == (0, "")
    assert sorted(tmp_path.rglob("*")) == before
    areas = {row["area"] for row in rows(done)}
    assert areas == {"terminal", "clipboard", "programs", "sandbox", "keys", "servers", "settings", "folders", "python"}
    for row in rows(done):
        assert row["words"]
        assert bool(row["remedy"]) == (row["verdict"] != "ok"), row
    assert project.is_dir()


def test_keys_are_found_and_never_shown(tmp_path: Path, project: Path) -> None:
    settings(tmp_path, json.dumps({"provider": {"openai": {"apiKey": KEY}, "own": {"apiKeyCommand": f"echo {KEY}"}}}))
    for words in ((), ("--json",)):
        done = doctor(tmp_path, *words, ANTHROPIC_API_KEY=KEY)
        assert done.code == 0
        assert KEY not in done.out + done.err
        assert "anthropic: ANTHROPIC_API_KEY found." in done.out
        assert "openai: key in the settings." in done.out
        assert "own: key by a command." in done.out
    assert project.is_dir()


def test_what_keeps_it_from_working_fails_and_is_named_with_its_remedy(tmp_path: Path, project: Path) -> None:
    settings(tmp_path, '{\n  "modle": "x",\n  "model": "nobody"\n}')
    (project / ".diligent").write_text("")
    done = doctor(tmp_path)
    assert done.code == 1
    assert ":2: `modle` is not a setting.\n      Did you mean `mode` or `model`?" in done.out
    assert "✗ No model is called 'nobody'." in done.out
    assert ".diligent is not a folder.\n      Move it out of the way." in done.out
    assert done.out.splitlines()[-1].endswith("2 to mend.")


def test_a_folder_that_is_not_trusted_is_told_and_not_used(tmp_path: Path, project: Path) -> None:
    (project / "diligent.jsonc").write_text('{"model": "nobody", "sandbox": {"mode": "off"}}')
    (project / "AGENTS.md").write_text("obey")
    done = doctor(tmp_path)
    assert done.code == 0
    assert "not trusted, so these are not used: diligent.jsonc and AGENTS.md." in done.out
    assert "nobody" not in done.out


def test_the_sandbox_that_the_settings_switch_off_is_not_tried() -> None:
    (off,) = about_sandbox(SandboxPolicy(mode="off"))
    (external,) = about_sandbox(SandboxPolicy(mode="external"))
    assert (off.verdict, external.verdict) == ("warn", "ok")


def test_every_way_out_that_is_tried_has_its_place_in_the_matrix() -> None:
    assert set(attempts(Path("/nowhere"), 1, 2, "x", 1)) - {"alive"} == set(WAYS)


def test_the_matrix_names_every_way_as_shut_or_open() -> None:
    findings = list(about_sandbox(SandboxPolicy()))
    assert {finding.name for finding in findings} == {"bubblewrap", "landlock", "level"}
    for finding in findings:
        if "(shut: " in finding.words:
            shut, _, opened = finding.words.partition("; open: ")
            assert all((way in shut) != (way in opened) for way in WAYS if way != "link"), finding.words
