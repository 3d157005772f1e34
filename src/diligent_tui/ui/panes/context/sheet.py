"""A request as blocks of a log: each part with its cleaned text, its size, and how it compares with the largest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from diligent_tui.compaction.sizes import Kind
from diligent_tui.compaction.views import ContextPart, ContextView
from diligent_tui.domain.plain_text import clean, clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.widgets.gauge import Fill
from diligent_tui.ui.widgets.virtual_log import TextExtent

TITLE_CHARS = 80
TITLES: Mapping[str, str] = MappingProxyType({"question": "question before the summary", "pins": "pinned messages"})
NOTES: Mapping[str, str] = MappingProxyType({"digest": "pruned", "cut turn": "cut here"})
"""Words of the machinery, as they are said everywhere else on the screen."""


@dataclass(frozen=True, slots=True)
class PartBlock:
    """One part of the request; its text has passed the gate."""

    id: str
    version: int
    kind: Kind
    title: str
    text: str
    tokens: int
    extent: TextExtent
    entry_id: str = ""
    note: str = ""
    share: float = 0.0
    """Of the largest part that is listed with it."""


@dataclass(frozen=True, slots=True)
class ContextSheet:
    """A whole request, ready to be shown."""

    model_id: str
    fill: Fill
    blocks: tuple[PartBlock, ...]

    @property
    def kinds(self) -> list[Kind]:
        """The kinds that there are, in order."""
        return list(dict.fromkeys(block.kind for block in self.blocks))

    def listed(self, kind: Kind | None) -> list[PartBlock]:
        """The parts of one kind; or all of them, and then the tools as one, for they are many and seldom asked for."""
        if kind is not None:
            return _compared([block for block in self.blocks if block.kind == kind])
        tools = [block for block in self.blocks if block.kind == "tools"]
        if len(tools) < 2:
            return _compared(self.blocks)
        first = self.blocks.index(tools[0])
        others = [block for block in self.blocks if block.kind != "tools"]
        return _compared([*others[:first], _together(tools), *others[first:]])


def sheet_of(view: ContextView, pinned: Collection[str] = ()) -> ContextSheet:
    """Clean a request; slow for a long one, so it is called in a thread."""
    seen: dict[str, int] = {}
    blocks: list[PartBlock] = []
    for part in view.parts:
        name = f"{part.kind}-{part.entry_id or part.title}"
        number = seen[name] = seen.get(name, 0) + 1
        note = part.note or ("pinned" if part.entry_id in pinned else "")
        blocks.append(_block(f"{name}-{number}", part, note))
    fill = Fill(view.tokens, view.limit_tokens, view.breakdown, view.estimated, view.limit_assumed)
    return ContextSheet(clean_line(view.model_id), fill, tuple(blocks))


def _block(block_id: str, part: ContextPart, note: str) -> PartBlock:
    text = clean(part.text)
    return PartBlock(
        id=block_id,
        version=hash((part.title, text, part.tokens, note)),
        kind=part.kind,
        title=clean_line(TITLES.get(part.title, part.title), TITLE_CHARS),
        text=text,
        tokens=part.tokens,
        extent=TextExtent.of(text),
        entry_id=part.entry_id,
        note=clean_line(NOTES.get(note, note)),
    )


def _compared(blocks: Sequence[PartBlock]) -> list[PartBlock]:
    largest = max((block.tokens for block in blocks), default=0) or 1
    return [replace(block, share=block.tokens / largest, version=hash((block.version, largest))) for block in blocks]


def _together(tools: Sequence[PartBlock]) -> PartBlock:
    text = "\n\n".join(f"{tool.title}\n{tool.text}" for tool in tools)
    return replace(
        tools[0],
        id="tools",
        version=hash(tuple(tool.version for tool in tools)),
        title=fmt.count(len(tools), "tool"),
        text=text,
        tokens=sum(tool.tokens for tool in tools),
        extent=TextExtent.of(text),
    )
