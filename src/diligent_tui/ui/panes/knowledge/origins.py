"""Where an entry comes from: the turn of this session, or another session; meant for a thread."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.speech import speech_of
from diligent_tui.session.tree import Tree


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something comes from; without an entry one cannot go there."""

    place: str = ""
    words: str = ""
    entry_id: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """The session as far as origins are concerned; `read` bears to be called in a thread."""

    session_id: str
    tree: Tree
    read: Callable[[str], Entry]

    def has_origin(self, session_id: str | None, entry_ids: Sequence[str | None]) -> bool:
        """Whether there is more to tell than nothing; quick, for nothing is read."""
        return self._is_other(session_id) or self._known(entry_ids) is not None

    def origin(self, session_id: str | None, entry_ids: Sequence[str | None]) -> Origin:
        """The turn that an entry of a session belongs to, or the name of the other session."""
        if self._is_other(session_id):
            return Origin(f"session {session_id}")
        entry_id = self._known(entry_ids)
        if entry_id is None:
            return Origin()
        prompts = [node for node in self.tree.way_up(entry_id) if node.is_prompt]
        if not prompts:
            return Origin("before the first turn", "", entry_id)
        return Origin(f"turn {len(prompts)}", self._words(prompts[0].id), entry_id)

    def _is_other(self, session_id: str | None) -> bool:
        return session_id not in (None, self.session_id)

    def _known(self, entry_ids: Sequence[str | None]) -> str | None:
        return next((each for each in entry_ids if each and each in self.tree.nodes), None)

    def _words(self, entry_id: str) -> str:
        return speech_of(self.read(entry_id)).words


@dataclass(frozen=True, slots=True)
class Background:
    """What is known of an entry besides itself."""

    origin: Origin = field(default_factory=Origin)
    chain: tuple[KnowledgeEntry, ...] = ()
    """All versions of the entry, oldest first."""
    uses: str = ""
