"""Draws a part of the request: one row with its size, and its whole text below when it is open."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.bare import bare_words
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.panes.context.look import ContextLook
from diligent_tui.ui.panes.context.sheet import PartBlock
from diligent_tui.ui.widgets.gauge import shade_of

MARK = " "
GUTTER = "   "
INDENT = "  "
LEDGER_RULE = "---\n"
"""Parts the ledger from the summary in a request; in a row of its own it says nothing."""
BAR_COLUMNS = 6
TOKENS_COLUMNS = 6
EIGHTHS = " ▏▎▍▌▋▊▉█"
LEAST_BEGINNING_COLUMNS = 8
MOST_OPEN_CHARS = 300_000
MOST_OPEN_ROWS = 4_000
"""More of one part is not laid out at once, for a key would wait for it."""
CUT = "… too long to show whole: {context_copy} copies all of it"


class PartRenderer:
    """Draws parts; all of them are folded until they are opened."""

    gutter_columns = len(GUTTER)

    def __init__(self, look: Callable[[], ContextLook], keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Draw in the look that is in force; `keymap` has the user's own keys."""
        self._look = look
        self._cut = sentence_now(CUT, keymap)

    def render(self, block: PartBlock, width: int, folded: bool) -> Sequence[Strip]:
        """The rows of a part."""
        look = self._look()
        head = Strip([Segment(MARK), *_head(block, max(1, width - len(MARK)), look, folded=folded)])
        if folded:
            return [head]
        room = max(1, width - len(GUTTER) - len(INDENT))
        lines = _wrapped(block.text[:MOST_OPEN_CHARS], room)
        is_cut = len(lines) > MOST_OPEN_ROWS or len(block.text) > MOST_OPEN_CHARS
        rows = [[Segment(line, look.dim)] for line in lines[:MOST_OPEN_ROWS]]
        rows += [[Segment(self._cut, look.memory)]] if is_cut else []
        return [head, *(Strip([Segment(GUTTER + INDENT), *row]) for row in rows), Strip.blank(0)]

    def estimate(self, block: PartBlock, width: int, folded: bool) -> int:
        """One row, or a guess from the extent of the text."""
        return 1 if folded else block.extent.rows(max(1, width - len(GUTTER) - len(INDENT))) + 2

    def starts_folded(self, block: PartBlock) -> bool:
        """All do."""
        return True

    def state(self, block: PartBlock) -> Hashable:
        """Nothing else."""
        return None

    def source(self, block: PartBlock) -> str:
        """The text itself, which is what is searched."""
        return block.text


def share_bar(share: float, columns: int) -> str:
    """A bar of a share of the columns, exact to an eighth; what is there at all shows."""
    eighths = max(1 if share > 0 else 0, min(8 * columns, round(8 * columns * share)))
    whole, rest = divmod(eighths, 8)
    return f"{'█' * whole}{EIGHTHS[rest] if rest else ''}".ljust(columns)


def _head(block: PartBlock, room: int, look: ContextLook, *, folded: bool) -> list[Segment]:
    kind = look.of_kind(block.kind)
    size = f" {fmt.tokens(block.tokens):>{TOKENS_COLUMNS}}"
    note = f" {block.note}" if block.note else ""
    left = room - 2 - cell_len(note) - 1 - BAR_COLUMNS - len(size)
    title = fit(block.title, max(1, left))
    free = left - cell_len(title) - 2
    beginning = ""
    if folded and free >= LEAST_BEGINNING_COLUMNS:
        # A long text is not read to its end for the sake of one row.
        text = bare_words(block.text.removeprefix(LEDGER_RULE)[: 4 * free])
        beginning = f"  {fit(' '.join(text.split()), free)}"
    return [
        # The talk is most of the rows: its glyph is quiet.
        Segment(f"{shade_of(block.kind).glyph} ", look.dim if block.kind == "turns" else kind),
        Segment(title, look.text if folded else look.text + Style(bold=True)),
        Segment(set_cell_size(beginning, max(0, left - cell_len(title))), look.dim),
        Segment(note, look.memory),
        Segment(f" {share_bar(block.share, BAR_COLUMNS)}", kind),
        Segment(size, look.text),
    ]


def _wrapped(text: str, room: int) -> list[str]:
    """The text in rows; one more than are shown, if there are more."""
    rows: list[str] = []
    for line in text.split("\n"):
        if len(rows) > MOST_OPEN_ROWS:
            break
        rows += [line[found.begin : found.end] for found in break_text(line, room)] or [""]
    return rows
