"""The knowledge files of a project as `diligent knowledge` works with them."""

from dataclasses import dataclass

from diligent_tui.cli.headless import Complain
from diligent_tui.config.house import House
from diligent_tui.config.knowledge_setup import knowledge_files, knowledge_policy
from diligent_tui.domain.errors import DiligentError, UsageError
from diligent_tui.domain.knowledge import KnowledgePolicy
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.overview import overview_of
from diligent_tui.knowledge.views import KnownEntry, Overview
from diligent_tui.providers.registry import assumed_window, choose_default, find

WIDE_WINDOW_TOKENS = 200_000
"""Taken where the model is not known here: the budget is then the settings' own."""


@dataclass(frozen=True, slots=True)
class Room:
    """Both files, read, and how they are judged."""

    house: House
    files: KnowledgeFiles
    policy: KnowledgePolicy
    complain: Complain

    def overview(self) -> Overview:
        """All entries as they stand now."""
        damaged = self.files.inbox.state.damaged if self.files.inbox else 0
        return overview_of(self.files.shelf.states, self.policy, _window_tokens(self.house), damaged_elsewhere=damaged)

    def find(self, wanted: str) -> KnownEntry:
        """The entry of that id, or the one whose id begins so; raises UsageError."""
        entries = self.overview().entries
        found = [known for known in entries if known.entry.id == wanted]
        found = found or [known for known in entries if wanted and known.entry.id.startswith(wanted)]
        if len(found) == 1:
            return found[0]
        advice = "`diligent knowledge list --all` shows every entry with its id."
        if found:
            raise UsageError(f"{len(found)} entries have an id that begins with {wanted}.", advice)
        raise UsageError(f"There is no entry {wanted}.", advice)


def open_room(house: House, complain: Complain) -> Room:
    """Read both files and the inbox."""
    room = Room(house, knowledge_files(house), knowledge_policy(house.settings.knowledge), complain)
    room.files.shelf.refresh()
    if room.files.inbox:
        room.files.inbox.refresh()
    return room


def _window_tokens(house: House) -> int:
    try:
        return assumed_window(find(choose_default(None, house.settings.model, house.environ)))[0]
    except DiligentError:
        return WIDE_WINDOW_TOKENS
