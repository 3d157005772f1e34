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
