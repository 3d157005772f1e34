"""What a restore would do to each file, worked out before anything is touched; pure but for looking at files.

A change is undone only where what the agent left still stands. Bytes and mode are judged apart: what the agent did not
change stays as the user made it since. Whatever else stands there now is foreign work, and is left alone unless the
user says otherwise.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from diligent_tui.agent.file_history.past import Change, Past, PastRestore
from diligent_tui.agent.file_history.places import Place
from diligent_tui.agent.file_history.states import FileState, Seen, Unsafe
from diligent_tui.domain.progress import Tell, tell_nobody

Action = Literal["change", "create", "delete", "mode", "nothing"]
PlaceNamed = Callable[[str], Place | None]
LookAt = Callable[[Place], Seen]
_Part = TypeVar("_Part", str, int)

DELETED = "It was deleted since."
MADE = "A file of this name was made since."
EDITED = "It was changed since, by you or by a command."
BETWEEN = "Somebody else changed it between two edits of the agent."
LATER = "A later turn changed it too; restore that one first, or all since."
UNKNOWN = "diligent was stopped before it noted what the agent left there."
OUTSIDE = "It lies outside the project."
PROTECTED = "It steers other programs."
MISSING = "Its old bytes are missing from the history."
HARD_LINK = "It has a second name (a hard link), which would be cut off."


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What would happen to one file."""

    place: Place
    now: FileState
    put: FileState
    action: Action
    conflict: str = ""
    """Why it is left alone unless the user says otherwise."""
    refusal: str = ""
    """Why it is left alone whatever is said."""
    folder_modes: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The file in the history."""
        return self.place.name

    @property
    def is_ready(self) -> bool:
        """True if it can go back without a question."""
        return self.action != "nothing" and not self.conflict and not self.refusal


@dataclass(frozen=True, slots=True)
class Plan:
    """A restore as it would be made now."""

    files: tuple[FilePlan, ...]
    turn_ids: tuple[str, ...] = ()
    undoes: int | None = None
    problem: str = ""
    """Why nothing of it can be done."""

    @property
    def ready(self) -> tuple[FilePlan, ...]:
        """What can go back without a question."""
        return tuple(file for file in self.files if file.is_ready)

    @property
    def conflicts(self) -> tuple[FilePlan, ...]:
        """What holds somebody else's work, and needs a word."""
        return tuple(file for file in self.files if file.conflict and not file.refusal and file.action != "nothing")

    @property
    def refused(self) -> tuple[FilePlan, ...]:
        """What is not touched."""
        return tuple(file for file in self.files if file.refusal)


@dataclass(frozen=True, slots=True)
class _Step:
    """A change to be taken back."""

    before: FileState
    left: FileState | None
    folder_modes: tuple[int, ...] = ()


def plan_turns(
    past: Past,
    turn_ids: Collection[str],
    names: Collection[str] | None,
    place_named: PlaceNamed,
    look_at: LookAt,
    tell: Tell = tell_nobody,
) -> Plan:
    """Take back what these turns did, to all files or to the named ones; newest file first."""
    of_file: dict[str, list[Change]] = {}
    for change in past.changes:
        of_file.setdefault(change.name, []).append(change)
    files: list[FilePlan] = []
    for number, (name, changes) in enumerate(reversed(of_file.items())):
        tell(number, len(of_file))
        chosen = [change for change in changes if change.turn_id in turn_ids]
        if not chosen or (names is not None and name not in names) or (place := place_named(name)) is None:
            continue
        later = [change for change in changes if change.number > chosen[-1].number and change.left != change.before]
        steps = [_Step(change.before, change.left) for change in chosen]
        files.append(_plan_file(place, look_at(place), steps, is_changed_later=bool(later)))
    problems = [] if names is not None else [past.problem_of(turn_id) for turn_id in turn_ids]
    problem = next((each for each in problems if each), "")
    return Plan(tuple(files), tuple(turn_ids), None, problem)


def plan_undo(
    past: Past, restore: PastRestore, place_named: PlaceNamed, look_at: LookAt, tell: Tell = tell_nobody
) -> Plan:
    """Take back a restore, in the opposite order."""
    files: list[FilePlan] = []
    for number, file in enumerate(reversed(restore.files)):
        tell(number, len(restore.files))
        if place := place_named(file.name):
            step = _Step(file.found, file.put, file.folder_modes)
            files.append(_plan_file(place, look_at(place), [step], is_changed_later=False))
    dropped = restore.number in past.dropped_restores
    problem = "What that restore replaced was dropped to make room for newer turns." if dropped else ""
    return Plan(tuple(files), restore.turn_ids, restore.number, problem)


def without_missing(plan: Plan, has_bytes: Callable[[str], bool]) -> Plan:
    """The plan with files refused whose old bytes are gone; a whole turn is not restored in part by accident."""
    files = tuple(
        replace(file, refusal=MISSING) if _needs_bytes(file) and not has_bytes(file.put.digest) else file
        for file in plan.files
    )
    gone = [file for file in files if file.refusal == MISSING]
    problem = plan.problem
    if gone and not problem:
        problem = f"The history is incomplete: the old bytes of {gone[0].place.shown} are missing."
    return replace(plan, files=files, problem=problem)


def _needs_bytes(file: FilePlan) -> bool:
    return file.action in ("change", "create") and not file.refusal and not file.put.is_absent


def _plan_file(place: Place, now: Seen, steps: Sequence[_Step], *, is_changed_later: bool) -> FilePlan:
    oldest = steps[0]
    if isinstance(now, Unsafe):
        return FilePlan(place, FileState(), oldest.before, "change", refusal=f"It {now.what}.")
    put, conflict = _taken_back(now, steps, is_changed_later=is_changed_later)
    action = action_of(now, put)
    if not conflict and action != "nothing":
        conflict = OUTSIDE if place.is_outside else PROTECTED if place.is_protected else ""
    refusal = HARD_LINK if now.links > 1 and action != "nothing" else ""
    return FilePlan(place, now, put, action, conflict, refusal, oldest.folder_modes)


def _taken_back(now: FileState, steps: Sequence[_Step], *, is_changed_later: bool) -> tuple[FileState, str]:
    """Where the file would go, and what speaks against it."""
    state = now
    for number, step in enumerate(reversed(steps)):
        undone = undo(state, step.before, step.left)
        if undone is None:
            if number:
                why = BETWEEN
            elif is_changed_later:
                why = LATER
            else:
                why = _foreign(now, step)
            return steps[0].before, why if step.left is not None else UNKNOWN
        state = undone
    return state, ""


def undo(now: FileState, before: FileState, left: FileState | None) -> FileState | None:
    """What stays when a change from `before` to `left` is taken back from what is there now; None if they clash."""
    if now in (before, left):
        return before
    if left is None or now.is_absent or before.is_absent or left.is_absent:
        return None
    digest = _pick(now.digest, before.digest, left.digest)
    mode = _pick(now.mode, before.mode, left.mode)
    if digest is None or mode is None:
        return None
    size_bytes = now.size_bytes if digest == now.digest else before.size_bytes
    return FileState(digest, mode, size_bytes)


def action_of(now: FileState, put: FileState) -> Action:
    """What has to be done to a file."""
    if now == put:
        return "nothing"
    if now.is_absent:
        return "create"
    if put.is_absent:
        return "delete"
    return "mode" if now.digest == put.digest else "change"


def _foreign(now: FileState, step: _Step) -> str:
    if now.is_absent:
        return DELETED
    return MADE if step.left is not None and step.left.is_absent else EDITED


def _pick(now: _Part, before: _Part, left: _Part) -> _Part | None:
    if now == left:
        return before
    return now if now == before or before == left else None
