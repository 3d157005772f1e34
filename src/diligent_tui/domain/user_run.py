"""How a note tells of a command that the user ran, and how it is read back for the chat."""

import re
from typing import NamedTuple

from diligent_tui.domain.entries import Entry, KnowledgeNoteEntry

SIGN = "!"
"""What stands before a command in the prompt, and before it in the chat."""
OWN_CALL = "own-"
"""How the id of such a call begins: its output is what the user wants to see, so it is shown open."""
_TOLD = "[note]\nThe user ran this command, without you:\n"
_WELL, _BADLY = "It went well:", "It failed:"
_EXIT_CODE = re.compile(r"exit code (-?[0-9]{1,10})\b[^\n]*\Z")
"""How the output of a command ends that did not go well."""


class UserRun(NamedTuple):
    """A command of the user's and what came of it, as far as its note keeps it."""

    command: str
    output: str
    is_error: bool

    @property
    def note(self) -> str:
        """What the model is told."""
        return f"{_TOLD}{self.command}\n{_BADLY if self.is_error else _WELL}\n{self.output}"

    @property
    def exit_code(self) -> int | None:
        """How it ended, where its output says so."""
        told = _EXIT_CODE.search(self.output[-100:]) if self.is_error else None
        return int(told[1]) if told else None


def user_run_in(entry: Entry) -> UserRun | None:
    """The command that a note tells of; None if it is about anything else."""
    if not isinstance(entry, KnowledgeNoteEntry) or not entry.text.startswith(_TOLD):
        return None
    told = entry.text.removeprefix(_TOLD)
    places = {told.find(f"\n{how}\n"): how for how in (_WELL, _BADLY)}
    place = min((place for place in places if place >= 0), default=-1)
    if place < 0:
        return None
    how = places[place]
    return UserRun(told[:place], told[place + len(how) + 2 :], how == _BADLY)
