"""The tool `supersede_knowledge`: a better fact in place of one that is out of date or wrong."""

from dataclasses import dataclass, field

from diligent_tui.domain.errors import KnowledgeConflict
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.builtin.add_knowledge import conflicted
from diligent_tui.tools.knowledge_door import (
    KnowledgeDoor,
    optional_confidence,
    optional_tags,
    optional_type,
)
from diligent_tui.tools.permissions import ALLOWED
from diligent_tui.tools.specs import supersede_knowledge_spec


@dataclass(frozen=True, slots=True)
class SupersedeKnowledge:
    """Takes an entry's place; the old one stays in the history."""

    door: KnowledgeDoor
    spec: ToolSpec = field(default_factory=supersede_knowledge_spec)
    read_only: bool = False

    def subject(self, arguments: JsonObject) -> str:
        """The entry and what it becomes."""
        given_id, content = arguments.get("id"), arguments.get("content")
        return f"{given_id}: {content}" if isinstance(given_id, str) and isinstance(content, str) else ""

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in every mode: the user sees it and can go back to what it was."""
        _check(arguments)
        return ALLOWED

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Save the new one, or show what took the old one's place before."""
        target_id, content = _check(arguments)
        await self.door.refresh()
        try:
            new = await self.door.supersede(
                target_id,
                content,
                kind=optional_type(arguments),
                confidence=optional_confidence(arguments),
                tags=optional_tags(arguments),
                origin=call.entry_id,
            )
        except KnowledgeConflict as conflict:
            return conflicted(conflict)
        return Outcome(f"Saved as [{new.id}] in place of [{target_id}].")


def _check(arguments: JsonObject) -> tuple[str, str]:
    known_only(arguments, ("id", "content", "type", "confidence", "tags"))
    optional_type(arguments)
    optional_confidence(arguments)
    optional_tags(arguments)
    target_id = required_text(arguments, "id", "give the id of the entry that no longer holds")
    return target_id.strip(), required_text(arguments, "content", "say what holds now")
