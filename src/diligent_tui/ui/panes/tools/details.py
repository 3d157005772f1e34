"""The details of a call as rows: how it ended, its arguments, what it changed, what it said."""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.plain_text import clean
from diligent_tui.domain.times import from_stamp
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import sentence_now
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.panes.tools.drawing import PRUNED, Count, tokens
from diligent_tui.ui.panes.tools.facts import CallDetails, CallFacts
from diligent_tui.ui.panes.tools.look import ToolsLook
from diligent_tui.ui.widgets.diff import DiffLayout, DiffLook, DiffStyle, parse_diff
from diligent_tui.ui.widgets.drawn_rows import DrawnRows, Rows
from diligent_tui.ui.widgets.tool_card import MARKS, output_rows

MOST_ARGUMENT_LINES = 10
MOST_ARGUMENT_CHARS = 4_000
FEW_ARGUMENT_LINES = 1
"""Where a diff shows what the arguments did."""
MOST_NAME_COLUMNS = 24
WHOLE = "▸ {tool_whole} opens the whole output"


class StackedRows:
    """Rows below other rows."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        """Put these below each other."""
        self._parts = parts
        self._ends = list(accumulate(part.height for part in parts))

    @property
    def height(self) -> int:
        """How many there are."""
        return self._ends[-1] if self._ends else 0

    def strip(self, row: int) -> Strip:
        """One of them."""
        number = bisect_right(self._ends, row)
        return self._parts[number].strip(row - (self._ends[number - 1] if number else 0))


def draw_details(
    facts: CallFacts,
    details: CallDetails,
    width: int,
    look: ToolsLook,
    diff: DiffLook,
    style: DiffStyle,
    count: Count,
    *,
    is_pruned: bool,
    keymap: Mapping[str, str] = OUR_KEYS,
) -> Rows:
    """All that is known of a call."""
    most_lines = FEW_ARGUMENT_LINES if details.diff else MOST_ARGUMENT_LINES
    parts: list[Rows] = [
        DrawnRows(_ending(facts, details, width, look, count, is_pruned=is_pruned)),
        DrawnRows([*_arguments(details.arguments, width, look, most_lines), []]),
    ]
    if details.diff:
        parts += [DiffLayout(parse_diff(details.diff), width, diff, style), DrawnRows([[]])]
    parts.append(DrawnRows(_output(facts, details, width, look, keymap)))
    return StackedRows(parts)


def _ending(
    facts: CallFacts, details: CallDetails, width: int, look: ToolsLook, count: Count, *, is_pruned: bool
) -> list[list[Segment]]:
    """How it ended, how long it took, how much of the context it takes; as much as fits on a line, then the next."""
    state = look.card.error if facts.state == "failed" else look.card.text
    told = [(f"{MARKS[facts.state]} {facts.state}", state)]
    if facts.exit_code is not None:
        told.append((f"exit {facts.exit_code}", state))
    if facts.duration_seconds is not None:
        told.append((fmt.duration(facts.duration_seconds), look.card.dim))
    if size := tokens(facts, count):
        told.append((f"{size} tokens", look.card.dim))
    if is_pruned:
        told.append((f"{PRUNED} pruned: the model sees a digest", look.card.memory))
    if moment := from_stamp(details.stamp):
        told.append((f"{moment.astimezone():%Y-%m-%d %H:%M:%S}", look.card.dim))
    rows: list[list[Segment]] = [[]]
    used = 0
    for words, words_style in told:
        if used and used + len(words) + 3 > width:
            rows.append([])
            used = 0
        if used:
            rows[-1].append(Segment(" · ", look.card.dim))
        rows[-1].append(Segment(words, words_style))
        used += len(words) + 3
    return rows


def _arguments(arguments: JsonObject, width: int, look: ToolsLook, most_lines: int) -> list[list[Segment]]:
    names = {name: fit(name, MOST_NAME_COLUMNS) for name in arguments}
    indent = max(map(cell_len, names.values()), default=0) + 2
    rows: list[list[Segment]] = []
    for name, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines = clean(text[:MOST_ARGUMENT_CHARS]).split("\n")
        shown = output_rows("\n".join(lines[:most_lines]), max(1, width - indent), look.card.text)
        rest = text.count("\n") + 1 - most_lines
        if rest > 0:
            shown.append([Segment(f"… {fmt.count(rest, 'more line')}", look.card.dim)])
        elif len(text) > MOST_ARGUMENT_CHARS:
            shown.append([Segment(f"… {len(text) - MOST_ARGUMENT_CHARS:,} more characters", look.card.dim)])
        for number, row in enumerate(shown):
            head = names[name] if number == 0 else ""
            rows.append([Segment(set_cell_size(head, indent), look.card.dim), *row])
    return rows


def _output(
    facts: CallFacts, details: CallDetails, width: int, look: ToolsLook, keymap: Mapping[str, str]
) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    if details.is_cut:
        rows.append([Segment("… what came before is shown when the call has ended", look.card.memory)])
    words = details.output.rstrip("\n")
    if words.strip():
        rows += output_rows(words, width, look.card.text)
    elif facts.state == "running":
        rows.append([Segment("No output yet.", look.card.dim)])
    elif facts.state != "waiting":
        rows.append([Segment("No output.", look.card.dim)])
    if details.spill:
        rows.append([Segment(sentence_now(WHOLE, keymap), look.card.memory)])
    return rows
