"""The gutter of the chat: what became of each message in the context; what was summarised is dimmer, never hidden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.strip import Strip

from diligent_tui.domain.entries import LENS_TYPES
from diligent_tui.ui.panes.chat.look import ChatLook

if TYPE_CHECKING:
    from diligent_tui.agent.session import AgentSession
    from diligent_tui.compaction.views import VersionState
    from diligent_tui.session.effective import Fate

GLYPHS: "Mapping[Fate, str]" = MappingProxyType({"summarised": "░", "excluded": "×", "digest": "▒", "pinned": "◆"})
DIMMED: "tuple[Fate, ...]" = ("summarised", "excluded")


@dataclass(frozen=True, slots=True)
class Marks:
    """What became of entries, by id: of messages in the context, and of compactions since they were made."""

    fates: "Mapping[str, Fate]" = field(default_factory=dict[str, "Fate"])
    versions: "Mapping[str, VersionState]" = field(default_factory=dict[str, "VersionState"])

    def of(self, entry_id: str | None) -> "tuple[Fate | None, VersionState | None]":
        """Both of one entry; whoever is not told of stands in the context as it was said."""
        if entry_id is None:
            return None, None
        return self.fates.get(entry_id), self.versions.get(entry_id)


def marks_of(session: "AgentSession") -> Marks:
    """The marks of the session's path: only what is not simply in the context, so most sessions have none."""
    if not any(session.store.tree.counts[kind] for kind in LENS_TYPES):
        return Marks()
    memory = session.memory
    fates: dict[str, Fate] = {entry_id: fate for entry_id, fate in memory.fates().items() if fate != "verbatim"}
    # A pin counts before a cut comes to it, too.
    fates.update((entry_id, "pinned") for entry_id in memory.pinned)
    return Marks(fates, {version.entry.id: version.state for version in memory.versions()})


def with_mark(strips: Sequence[Strip], fate: "Fate | None", look: ChatLook, *, has_gap: bool) -> Sequence[Strip]:
    """The rows of a block with their mark in the first column; as many rows as before."""
    glyph = "" if fate is None else GLYPHS.get(fate, "")
    if fate is None or not glyph:
        return strips
    first = int(has_gap)
    mark = Segment(glyph, look.dim if fate in DIMMED else look.memory)
    marked: list[Strip] = list(strips[:first])
    for number, strip in enumerate(strips[first:]):
        body = strip.crop(1)
        if fate in DIMMED:
            body = Strip(Segment.apply_style(body, post_style=look.dim), body.cell_length)
        # A diamond says it once; shades run along all of a text, so that one sees them in the middle of it.
        head = mark if fate != "pinned" or number == 0 else Segment(" ")
        marked.append(Strip([head, *body]))
    return marked
