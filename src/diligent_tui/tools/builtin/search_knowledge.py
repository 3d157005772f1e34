"""The tool `search_knowledge`: facts of earlier sessions by words, also those that found no room in the prompt."""

from dataclasses import dataclass, field

from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.knowledge.injection import entry_text
from diligent_tui.tools.arguments import known_only, optional_count, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.knowledge_door import KnowledgeDoor
from diligent_tui.tools.permissions import ALLOWED
from diligent_tui.tools.specs import USUAL_COUNT, search_knowledge_spec

SENTENCES_BYTES = 256


@dataclass(frozen=True, slots=True)
class SearchKnowledge:
    """Lists the entries that fit, the best first."""

    door: KnowledgeDoor
    spec: ToolSpec = field(default_factory=search_knowledge_spec)
    read_only: bool = True

    def subject(self, arguments: JsonObject) -> str:
        """The words."""
        return str(arguments.get("query") or "")

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free: it is all told to the model anyway, as far as there is room."""
        _check(arguments)
        return ALLOWED

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """The entries, as many as there is room for."""
        query, most = _check(arguments)
        await self.door.refresh()
        found = [known.entry for known in self.door.search(query)]
        if not found:
            return Outcome("Nothing is known about that.")
        room_bytes = call.workplace.output_limit_bytes - SENTENCES_BYTES
        lines: list[str] = []
        for entry in found[:most]:
            line = entry_text(entry)
            room_bytes -= utf8_size(line)
            if room_bytes < 0:
                break
            lines.append(line)
        rest = len(found) - len(lines)
        more = f"({rest} more fit; use more words, or a higher limit.)\n" if rest else ""
        return Outcome("".join(lines) + more)


def _check(arguments: JsonObject) -> tuple[str, int]:
    known_only(arguments, ("query", "limit"))
    query = required_text(arguments, "query", "give words that the fact would hold")
    return query, optional_count(arguments, "limit") or USUAL_COUNT
