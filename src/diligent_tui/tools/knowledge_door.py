"""What the knowledge tools ask of a session, and how they read what a model gives them and answer it."""

from collections.abc import Sequence
from typing import Protocol, get_args

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeEntry, KnowledgeScope, KnowledgeType
from diligent_tui.knowledge.duplicates import Near
from diligent_tui.knowledge.injection import entry_text
from diligent_tui.knowledge.views import KnownEntry
from diligent_tui.tools.arguments import optional_number, optional_text, text_list

MOST_TAGS = 10


class KnowledgeDoor(Protocol):
    """The session's knowledge, as tools use it; `origin` is the entry of the call's result."""

    async def add(
        self,
        kind: KnowledgeType,
        content: str,
        *,
        confidence: float,
        tags: Sequence[str],
        scope: KnowledgeScope,
        origin: str,
    ) -> KnowledgeEntry:
        """Save a fact."""
        ...

    async def supersede(
        self,
        target_id: str,
        content: str,
        *,
        kind: KnowledgeType | None,
        confidence: float | None,
        tags: Sequence[str] | None,
        origin: str,
    ) -> KnowledgeEntry:
        """Save a fact in place of another; None stays as it was."""
        ...

    async def refresh(self) -> object:
        """Pick up what others wrote."""
        ...

    def search(self, words: str) -> tuple[KnownEntry, ...]:
        """The live entries that fit some words, the best first."""
        ...

    def near(self, content: str) -> tuple[Near, ...]:
        """The live entries about the same matter; slow, so it is called in a thread."""
        ...


def optional_type(arguments: JsonObject) -> KnowledgeType | None:
    """The kind of fact, or None if it is left out."""
    given = optional_text(arguments, "type")
    if given is None:
        return None
    for known in KNOWLEDGE_TYPES:
        if given.strip().lower() == known:
            return known
    raise ToolError(f"`type` is one of {', '.join(KNOWLEDGE_TYPES)}, not {given!r}.")


def required_type(arguments: JsonObject) -> KnowledgeType:
    """The kind of fact, which must be there."""
    found = optional_type(arguments)
    if found is None:
        raise ToolError(f"`type` is missing: it is one of {', '.join(KNOWLEDGE_TYPES)}.")
    return found


def scope_of(arguments: JsonObject) -> KnowledgeScope:
    """How far a fact reaches: this project, if nothing else is said."""
    given = optional_text(arguments, "scope") or "project"
    for known in get_args(KnowledgeScope):
        if given == known:
            return known
    raise ToolError(f"`scope` is project or user, not {given!r}.")


def optional_confidence(arguments: JsonObject) -> float | None:
    """How sure the model is, from 0 to 1."""
    given = optional_number(arguments, "confidence")
    if given is not None and not 0 <= given <= 1:
        raise ToolError("`confidence` goes from 0 (a guess) to 1 (certain).")
    return given


def optional_tags(arguments: JsonObject) -> tuple[str, ...] | None:
    """The words to find a fact by."""
    tags = text_list(arguments, "tags")
    if tags is not None and len(tags) > MOST_TAGS:
        raise ToolError(f"`tags` has {len(tags)} words: give at most {MOST_TAGS}.")
    return None if tags is None else tuple(tags)


def listed(entries: Sequence[KnowledgeEntry]) -> str:
    """Entries as the model reads them, one below the other."""
    return "".join(entry_text(entry) for entry in entries)
