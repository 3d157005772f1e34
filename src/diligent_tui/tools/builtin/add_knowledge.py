"""The tool `add_knowledge`: keeps a fact for later sessions, unless it is known already."""

import asyncio
from dataclasses import dataclass, field

from diligent_tui.domain.errors import KnowledgeConflict, ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import DEFAULT_CONFIDENCE
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.knowledge.duplicates import Near
from diligent_tui.tools.arguments import known_only, optional_flag, optional_text, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.knowledge_door import (
    KnowledgeDoor,
    listed,
    optional_confidence,
    optional_tags,
    required_type,
    scope_of,
)
from diligent_tui.tools.permissions import ALLOWED
from diligent_tui.tools.specs import add_knowledge_spec

NAMES = ("type", "content", "confidence", "tags", "scope", "supersedes", "distinct")


@dataclass(frozen=True, slots=True)
class AddKnowledge:
    """Saves what is new; what is like something known is shown instead."""

    door: KnowledgeDoor
    spec: ToolSpec = field(default_factory=add_knowledge_spec)
    read_only: bool = False

    def subject(self, arguments: JsonObject) -> str:
        """What is to be kept."""
        content = arguments.get("content")
        return content if isinstance(content, str) else ""

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in every mode: no file of the project is touched; only what is to hold in all projects is asked."""
        _check(arguments)
        if scope_of(arguments) == "user" and mode != "full":
            return Verdict("ask", "This would be told in all your projects.")
        return ALLOWED

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Save it, or show what it is like."""
        _check(arguments)
        content, target_id = required_text(arguments, "content", "say the fact"), optional_text(arguments, "supersedes")
        kind, confidence, tags = required_type(arguments), optional_confidence(arguments), optional_tags(arguments)
        await self.door.refresh()
        if target_id:
            try:
                new = await self.door.supersede(
                    target_id.strip(), content, kind=kind, confidence=confidence, tags=tags, origin=call.entry_id
                )
            except KnowledgeConflict as conflict:
                return conflicted(conflict)
            return Outcome(f"Saved as [{new.id}] in place of [{target_id.strip()}].")
        if not optional_flag(arguments, "distinct"):
            near = await asyncio.to_thread(self.door.near, content)
            if near:
                return _shown(near)
        new = await self.door.add(
            kind,
            content,
            confidence=DEFAULT_CONFIDENCE if confidence is None else confidence,
            tags=tags or (),
            scope=scope_of(arguments),
            origin=call.entry_id,
        )
        return Outcome(f"Saved as [{new.id}].")


def conflicted(conflict: KnowledgeConflict) -> Outcome:
    """What a model is told whose entry was superseded or taken back by somebody else."""
    return Outcome(f"Not saved: {conflict.message}\n{listed([conflict.newer])}{conflict.advice}", is_error=True)


def _check(arguments: JsonObject) -> None:
    known_only(arguments, NAMES)
    required_text(arguments, "content", "say the fact in a sentence")
    required_type(arguments)
    optional_confidence(arguments)
    optional_tags(arguments)
    optional_flag(arguments, "distinct")
    if scope_of(arguments) == "user" and optional_text(arguments, "supersedes"):
        raise ToolError("`supersedes` keeps the scope of the entry it names: leave `scope` out.")


def _shown(near: tuple[Near, ...]) -> Outcome:
    first, *_ = near
    if first.similarity == 1.0:
        return Outcome(f"Known already, nothing was saved:\n{listed([first.entry])}")
    return Outcome(
        "Not saved: there is something like it.\n"
        f"{listed([each.entry for each in near])}"
        "If one of them says the same, leave it. If one is out of date or wrong, call supersede_knowledge with its id. "
        "If yours is another matter, call add_knowledge again with distinct true.",
        is_error=True,
    )
