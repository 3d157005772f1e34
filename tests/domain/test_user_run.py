"""A note of a command is read back as it was told."""

import pytest

from diligent_tui.domain.entries import KnowledgeNoteEntry
from diligent_tui.domain.user_run import UserRun, user_run_in


@pytest.mark.parametrize(
    "run",
    [
        UserRun("ls", "a\nb\n", is_error=False),
        UserRun("make\ntest", "It went well:\nnot at all", is_error=True),
        UserRun("false", "", is_error=True),
        UserRun("echo 'It failed:'", "It failed:\n", is_error=False),
    ],
)
def test_a_note_is_read_back(run: UserRun) -> None:
    assert user_run_in(KnowledgeNoteEntry(text=run.note)) == run


@pytest.mark.parametrize(
    "text", ["[note]\nFiles were restored.", "", "[note]\nThe user ran this command, without you:\nls"]
)
def test_other_notes_are_no_commands(text: str) -> None:
    assert user_run_in(KnowledgeNoteEntry(text=text)) is None


@pytest.mark.parametrize(
    ("output", "is_error", "code"),
    [
        ("boom\nexit code 4", True, 4),
        ("exit code 137 (SIGKILL)", True, 137),
        ("exit code 4\nsaid the program", True, None),
        ("exit code 4", False, None),
        ("", True, None),
    ],
)
def test_how_it_ended_is_read_from_the_end_of_its_output(output: str, is_error: bool, code: int | None) -> None:
    assert UserRun("x", output, is_error).exit_code == code
