"""The rows of a preview: each block with its fate and size, and the line of the cut between two of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.content import Content

from diligent_tui.compaction.cut_points import CutPoint
from diligent_tui.compaction.views import BlockFate, Preview, PreviewBlock
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.bare import bare_words

FATES: tuple[BlockFate, ...] = ("summarised", "pruned", "kept", "pinned", "excluded")
MARKS: Mapping[BlockFate, str] = MappingProxyType(
    {"summarised": "░", "pruned": "▒", "kept": " ", "pinned": "◆", "excluded": "×"}
)
WORDS: Mapping[BlockFate, str] = MappingProxyType(
    {"summarised": "summarised", "pruned": "pruned", "kept": "kept", "pinned": "pinned", "excluded": "left out"}
)
TOTALS_GAP = "   "
CURSOR_BAR = "▎"
WHO_COLUMNS = 10
TOKENS_COLUMNS = 7
FATE_COLUMNS = 12
WIDE_COLUMNS = 84
"""From this width on each block's fate is said in a word."""


@dataclass(frozen=True, slots=True)
class CutLine:
    """The line of the cut, and how many tokens would be summarised and kept at it."""

    cut: CutPoint
    summarised_tokens: int
    kept_tokens: int


Row = PreviewBlock | CutLine


@dataclass(frozen=True, slots=True)
class PreviewLook:
    """How rows look."""

    base: Style
    text: Style
    dim: Style
    accent: Style
    memory: Style
    cursor: Style


def rows_of(blocks: Sequence[PreviewBlock], cut: CutPoint | None) -> list[Row]:
    """The blocks with the line of the cut in its place."""
    if cut is None:
        return list(blocks)
    above: list[Row] = [block for block in blocks if block.position < cut.position]
    sums = tokens_by_fate(blocks)
    line = CutLine(cut, sums["summarised"], sums["kept"])
    return [*above, line, *(block for block in blocks if block.position >= cut.position)]


def tokens_by_fate(blocks: Sequence[PreviewBlock]) -> dict[BlockFate, int]:
    """What becomes of how many tokens; every block is counted once, and all that is said of sizes is said of these."""
    sums: dict[BlockFate, int] = dict.fromkeys(FATES, 0)
    for block in blocks:
        sums[block.fate] += block.tokens
    return sums


def draw_row(row: Row, width: int, look: PreviewLook, *, is_cursor: bool) -> list[Segment]:
    """One row, exactly as wide as asked."""
    return _line(row, width, look) if isinstance(row, CutLine) else _block(row, width, look, is_cursor=is_cursor)


def render_sizes(preview: Preview | None, width: int, *, is_refused: bool) -> Content:
    """Before and after, as far as it is known, and what else there is room for."""
    if preview is None:
        return Content("")
    before = fmt.tokens(preview.tokens_before)
    limit = Content.styled(f"   the model takes {fmt.tokens(preview.limit_tokens)}", "$dim")
    if is_refused:
        return Content.styled(f"{before} → – tokens", "$error") + limit
    saved = 100 * (preview.tokens_before - preview.tokens_after) / max(1, preview.tokens_before)
    percent = f"−{saved:.0f} %" if saved >= 0 else f"+{-saved:.0f} %"
    sizes = Content.assemble((f"{before} → ≈{fmt.tokens(preview.tokens_after)} tokens", "bold $memory"), f"  {percent}")
    updates = Content.styled("   updates the summary" if preview.has_summary else "", "$dim")
    choices = (sizes + limit + updates, sizes + updates)
    return next((choice for choice in choices if choice.cell_length <= width), sizes)


def render_totals(preview: Preview | None, blocks: Sequence[PreviewBlock], width: int) -> Content:
    """How many tokens have each fate, and how many are no blocks; together they are all there are before."""
    sums = tokens_by_fate(blocks)
    parts: list[Content] = []
    for fate, tokens in sums.items():
        if tokens:
            mark = f"{MARKS[fate]} ".lstrip(" ")
            parts.append(Content.assemble((mark, _COLOURS[fate]), (f"{fmt.tokens(tokens)} {WORDS[fate]}", "$dim")))
    if preview is not None and (others := preview.tokens_before - sum(sums.values())) > 0:
        named = "system, tools and the old summary" if preview.has_summary else "system and tools"
        parts.append(Content.styled(f"{fmt.tokens(others)} {named}", "$dim"))
    rows: list[Content] = []
    for part in parts:
        if rows and rows[-1].cell_length + len(TOTALS_GAP) + part.cell_length <= width:
            rows[-1] = rows[-1] + TOTALS_GAP + part
        else:
            rows.append(part)
    return Content("\n").join(rows)


_COLOURS: Mapping[BlockFate, str] = MappingProxyType(
    {"summarised": "$memory", "pruned": "$memory", "kept": "$foreground", "pinned": "$accent", "excluded": "$memory"}
)


def _name(who: str) -> str:
    """Who or what speaks, in the words of the screen; a tool's result is named by its tool."""
    return "you" if who == "user" else who.removeprefix("result of ")


def _block(block: PreviewBlock, width: int, look: PreviewLook, *, is_cursor: bool) -> list[Segment]:
    is_kept = block.fate in ("kept", "pinned")
    text = look.text if is_kept else look.dim
    fate = f"{WORDS[block.fate]:>{FATE_COLUMNS}}" if width >= WIDE_COLUMNS else ""
    tokens = f"{fmt.tokens(block.tokens):>{TOKENS_COLUMNS}}"
    room = max(1, width - 3 - WHO_COLUMNS - 1 - TOKENS_COLUMNS - len(fate))
    who = set_cell_size(fit(_name(block.who), WHO_COLUMNS), WHO_COLUMNS)
    # Only what a model writes is Markdown; a command's backticks are its own.
    said = bare_words(block.words) if block.who == "assistant" else block.words
    words = fit(" ".join(said.split()), room)
    mark = look.accent if block.fate == "pinned" else look.memory
    return [
        Segment(CURSOR_BAR if is_cursor else " ", look.accent),
        Segment(f"{MARKS[block.fate]} ", mark),
        Segment(f"{who} ", look.dim),
        Segment(set_cell_size(words, room), text + Style(strike=block.fate == "excluded")),
        Segment(tokens, look.dim),
        Segment(fate, look.dim),
    ]


def _line(line: CutLine, width: int, look: PreviewLook) -> list[Segment]:
    above, below = fmt.tokens(line.summarised_tokens), fmt.tokens(line.kept_tokens)
    words = f"╌╌ ↑ {above} to be summarised · {below} kept as they are ↓ "
    if line.cut.keeps_prompt_only:
        words = f"╌╌ ↑ {above} to be summarised · only the newest prompt is kept "
    elif line.cut.is_inside_turn:
        words = f"╌╌ ↑ {above} to be summarised · {below} kept, with this turn's prompt ↓ "
    shown = clean_line(words, width)
    return [
        Segment(f"{shown} " if shown != words.strip() else words, look.memory + Style(bold=True)),
        Segment("╌" * max(0, width - cell_len(words)), look.memory),
    ]
