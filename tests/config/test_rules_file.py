"""A rule is added to the user's settings, and nothing else in the file changes."""

from pathlib import Path

import pytest

from diligent_tui.config.jsonc import parse
from diligent_tui.config.rules_file import save_rule, with_rule
from diligent_tui.domain.errors import SettingsError, StorageError

RULE = "bash(npm test)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "permissions": {\n    "allow": [\n      "bash(npm test)"\n    ]\n  }\n}\n'),
        ('{"model": "a"}', '{"model": "a", "permissions": {\n    "allow": [\n      "bash(npm test)"\n    ]\n  }}'),
        ('{"permissions": {"allow": ["a"]}}', '{"permissions": {"allow": ["a", "bash(npm test)"]}}'),
        ('{"permissions": {"allow": ["a",]}}', '{"permissions": {"allow": ["a", "bash(npm test)",]}}'),
        (
            '{"permissions": {"allow": [\n  "a" // one\n  // end\n]}}',
            '{"permissions": {"allow": [\n  "a", // one\n  "bash(npm test)"\n  // end\n]}}',
        ),
        (
            '{"permissions": {"allow": [\n  "a", // one\n]}}',
            '{"permissions": {"allow": [\n  "a", // one\n  "bash(npm test)",\n]}}',
        ),
        (
            '{"permissions": {"allow": [ /* none */ "a" /* x */ ]}}',
            '{"permissions": {"allow": [ /* none */ "a", "bash(npm test)" /* x */ ]}}',
        ),
        ('{"permissions": {"allow": ["bash(npm test)"]}}', '{"permissions": {"allow": ["bash(npm test)"]}}'),
    ],
)
def test_the_rule_stands_behind_the_others_and_comments_stay(before: str, after: str) -> None:
    assert _unspaced(with_rule(before, RULE)) == _unspaced(after)
    permissions = parse(with_rule(before, RULE)).value
    assert str(permissions).count(RULE) == 1


def _unspaced(text: str) -> str:
    return "".join(text.split())


def test_a_rule_is_written_on_a_line_of_its_own_where_others_are() -> None:
    before = '{\n  "permissions": {\n    "allow": [\n      "a", // one\n      "b"\n    ]\n  }\n}\n'
    assert with_rule(before, 'bash(echo "x")') == before.replace('"b"', '"b",\n      "bash(echo \\"x\\")"')


def test_the_file_is_made_private_if_there_was_none(tmp_path: Path) -> None:
    file = tmp_path / "config" / "diligent.jsonc"
    save_rule(file, RULE)
    save_rule(file, "edit(src/**)")
    assert file.stat().st_mode & 0o777 == 0o600
    assert RULE in file.read_text()
    assert "edit(src/**)" in file.read_text()


def test_a_link_to_a_folder_of_dotfiles_is_followed(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "diligent.jsonc"
    real.parent.mkdir()
    real.write_text("// mine\n{}")
    link = tmp_path / "diligent.jsonc"
    link.symlink_to(real)
    save_rule(link, RULE)
    assert link.is_symlink()
    assert real.read_text().startswith("// mine\n{")
    assert RULE in real.read_text()


@pytest.mark.parametrize("text", ["{", '{"permissions": {"allow": "a"}}', '{"permissions": {"allow": [1]}}', "\xff"])
def test_a_file_that_cannot_be_understood_is_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "diligent.jsonc"
    file.write_text(text, "latin-1")
    with pytest.raises(SettingsError):
        save_rule(file, RULE)
    assert file.read_text("latin-1") == text


def test_a_folder_in_its_place_is_an_error_with_words(tmp_path: Path) -> None:
    (tmp_path / "diligent.jsonc").mkdir()
    with pytest.raises((SettingsError, StorageError)):
        save_rule(tmp_path / "diligent.jsonc", RULE)
