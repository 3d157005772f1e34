"""The rows of the restore screen: turns with their files and counts, files with what would happen to them."""

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from diligent_tui.agent.file_history import FilePlan, Plan
from diligent_tui.agent.file_history.diffs import Difference
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.screens.restore.desk import TurnRow

WORDS_CHARS = 200
NAME_CHARS = 300
MOST_NAMES = 6
ACTIONS = {
    "change": "put back",
    "create": "bring back",
    "delete": "delete",
    "mode": "set mode",
    "nothing": "as it was",
}
ACTION_COLUMNS = 12


def render_turn(row: TurnRow, now: datetime, columns: int, *, is_under_cursor: bool) -> Content:
    """Two lines: what was asked and when; what was changed."""
    turn = row.turn
    age = fmt.age((now - turn.at).total_seconds()) if turn.at else "–"
    words = clean_line(row.words, WORDS_CHARS) or "a turn whose prompt is unknown"
    bar = Content.styled("▎", "$accent") if is_under_cursor else Content(" ")
    room = max(10, columns - len(age) - 4)
    head = Content.styled(_cut(words, room), "bold" if is_under_cursor else "")
    first = _spread(bar + head, Content.styled(age, "$dim"), columns)
    state = _state(row)
    counts = _counts(_sum([file.added for file in turn.files]), _sum([file.removed for file in turn.files]))
    names = _names(row.files, max(10, columns - state.cell_length - counts.cell_length - 8))
    second = _spread(Content.assemble(bar, "  ", counts, "  ") + Content.styled(names, "$dim"), state, columns)
    return Content("\n").join([first, second])


def render_file(file: FilePlan, difference: Difference, columns: int, *, is_under_cursor: bool) -> Content:
    """One line: what would happen, to which file, and how much of it."""
    bar = Content.styled("▎", "$accent") if is_under_cursor else Content(" ")
    if file.refusal:
        sign, action, style = ("✗ ", "$error"), "not touched", "$dim"
    elif file.action == "nothing":
        sign, action, style = ("  ", ""), ACTIONS["nothing"], "$dim"
    elif file.conflict:
        sign, action, style = ("! ", "bold $error"), "ask first", "bold"
    else:
        sign, action, style = ("  ", ""), ACTIONS[file.action], ""
    is_counted = file.action in ("change", "create", "delete") and not file.refusal and bool(difference.text)
    counts = _counts(difference.added, difference.removed) if is_counted else Content("")
    room = max(10, columns - ACTION_COLUMNS - counts.cell_length - 6)
    name = _cut_left(clean_line(file.place.shown, NAME_CHARS), room)
    left = Content.assemble(bar, sign, (f"{action:<{ACTION_COLUMNS}}", "$dim"), (name, style))
    return _spread(left, counts, columns)


def render_detail(file: FilePlan | None, difference: Difference | None) -> Content:
    """Why a file is not simply put back, or what lines cannot show."""
    if file is None or difference is None:
        return Content("")
    if file.refusal:
        return Content.styled(f"{clean_line(file.refusal)} It is left alone.", "$error")
    if file.action == "nothing":
        return Content.styled("It is as it was before; there is nothing to do.", "$dim")
    told: list[Content] = []
    if file.conflict:
        told.append(Content.styled(clean_line(file.conflict), "bold $error"))
    if file.action != "delete" and not file.now.is_absent and file.now.mode != file.put.mode:
        told.append(Content.styled(f"Mode {file.now.mode:o} → {file.put.mode:o}.", "$dim"))
    if difference.note:
        told.append(Content.styled(clean_line(difference.note), "$dim"))
    return Content(" ").join(told)


def plan_facts(plan: Plan) -> list[Content]:
    """How many files would change, and how many would not."""
    if plan.problem:
        return [Content.styled(f"{clean_line(plan.problem)} f may still restore a single file.", "$error")]
    ready, conflicts, refused = len(plan.ready), len(plan.conflicts), len(plan.refused)
    if not ready and not conflicts and not refused:
        return [Content.styled("Every file is as it was before; there is nothing to do.", "$dim")]
    parts = [Content.styled(f"{fmt.count(ready, 'file')} would change", "" if ready else "$dim")]
    if conflicts:
        verb = "holds" if conflicts == 1 else "hold"
        parts.append(Content.styled(f"{fmt.count(conflicts, 'file')} {verb} work that is not the agent's", "$error"))
    if refused:
        parts.append(Content.styled(f"{fmt.count(refused, 'file')} cannot be touched", "$error"))
    return parts


def _state(row: TurnRow) -> Content:
    if row.turn.problem:
        return Content.styled("cannot be restored", "$error")
    words = [] if row.is_on_path else ["other branch"]
    words += ["restored"] if row.turn.is_restored else []
    return Content.styled(" · ".join(words), "$success" if row.turn.is_restored else "$dim")


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _counts(added: int | None, removed: int | None) -> Content:
    if added is None or removed is None:
        return Content.styled("–", "$dim")
    return Content.assemble((f"+{added:,}", "$success"), " ", (f"−{removed:,}", "$error"))


def _names(files: Sequence[str], room: int) -> str:
    shown: list[str] = []
    for number, name in enumerate(files):
        rest = len(files) - number - 1
        more = f" and {rest:,} more" if rest else ""
        joined = ", ".join([*shown, clean_line(name, NAME_CHARS)])
        if number and (number >= MOST_NAMES or len(joined) + len(more) > room):
            return f"{_cut(', '.join(shown), room)} and {len(files) - number:,} more"
        shown.append(clean_line(name, NAME_CHARS))
    return _cut_left(shown[0], room) if len(shown) == 1 else _cut(", ".join(shown), room)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(1, room - 1)].rstrip() + "…"


def _cut_left(text: str, room: int) -> str:
    """A long path is told by its end."""
    return text if len(text) <= room else "…" + text[-max(1, room - 1) :]


def _spread(left: Content, right: Content, columns: int) -> Content:
    return Content.assemble(left, " " * max(1, columns - left.cell_length - right.cell_length), right)
