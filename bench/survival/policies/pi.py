"""Compaction after pi (its sources at 83378aad): a summary in the place of all but the newest, and lists of files.

At 200,000 tokens: it compacts over window − 16,384, keeps 20,000 of the newest, and cuts inside a turn if it must. The
summariser sees tool outputs cut to 2,000 characters. Files read and modified are listed by code, over all compactions;
here by the very code of the probes, so that its figures for files are the best there could be. pi asks a second time
for the beginning of a cut turn; here one call writes both, which makes it look cheaper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.survival.deeds import touches_in
from bench.survival.policies.base import SUMMARY_INTRO, OtherAgent, told_to_summariser
from diligent_tui.domain.requests import AssistantTurn, ToolCall, UserTurn

RESERVE_TOKENS = 16_384
KEPT_TOKENS = 20_000
OUTPUT_CHARS = 2_000


@dataclass(slots=True)
class PiStyle(OtherAgent):
    """Summary, lists of files, and a tail."""

    read: dict[str, None] = field(default_factory=dict[str, None])
    modified: dict[str, None] = field(default_factory=dict[str, None])

    async def make_room(self, heard: UserTurn) -> None:
        """Compact once the reserve is reached."""
        if self.tokens <= self.window_tokens - self.scaled(RESERVE_TOKENS):
            return
        start = self.tail_from(self.scaled(KEPT_TOKENS))
        covered = self.turns[:start]
        for call in (part for turn in covered for part in turn.parts if isinstance(part, ToolCall)):
            for touch in touches_in(call):
                (self.modified if touch.deed == "changed" else self.read)[touch.key] = None
        is_turn_cut = isinstance(self.turns[start], AssistantTurn)
        summary = await self.summary_of(told_to_summariser(covered, OUTPUT_CHARS), is_turn_cut=is_turn_cut)
        lists = (
            _list("read-files", [path for path in self.read if path not in self.modified]),
            _list("modified-files", list(self.modified)),
        )
        self.begin_with(["\n\n".join([SUMMARY_INTRO, summary, *filter(None, lists)])], start)


def _list(name: str, paths: Sequence[str]) -> str:
    return "\n".join([f"<{name}>", *paths, f"</{name}>"]) if paths else ""
