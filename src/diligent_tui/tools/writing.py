"""The one way in which tools change a file: locate, judge on the diff, keep the old bytes, replace as a whole."""

import asyncio
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from diligent_tui.domain.errors import PermissionRefused, ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.diffs import Diff
from diligent_tui.tools.instruction_files import is_instructions
from diligent_tui.tools.paths import Located, shown_name
from diligent_tui.tools.permissions import ALLOWED, judge_writing, write_danger
from diligent_tui.tools.placing import FileState, look, put
from diligent_tui.tools.seen_files import SeenFiles, digest_of

QUESTION_DIFF_BYTES = 200_000
MOST_SHOWN = 100
INSTRUCTIONS = "holds instructions for the model"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a file is to become; `said` is for the model."""

    data: bytes
    diff: Diff
    said: str


Drafting = Callable[[FileState], Draft]
"""Makes the draft from the file as it is; ToolError if that cannot be done."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the user was asked about."""

    real: Path
    identity: tuple[int, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class Writing:
    """Judges and makes changes; remembers what it showed, so that nothing else is done under that approval."""

    seen: SeenFiles
    _shown: OrderedDict[bytes, _Shown | ToolError] = field(default_factory=OrderedDict[bytes, "_Shown | ToolError"])

    def judge(
        self, arguments: JsonObject, located: Located, drafting: Drafting, mode: Mode, workplace: Workplace
    ) -> Verdict:
        """What the mode says, with the diff that the user is asked about."""
        verdict = _judged(located, mode, workplace)
        if verdict.decision == "deny":
            return verdict
        is_ordinary = not _danger(located, workplace)
        try:
            state, draft = self._draft(located, drafting, workplace, approved=True)
        except ToolError as error:
            # What cannot be done needs no question; but of a file that is not open to all nothing may be told.
            self._remember(arguments, error)
            return ALLOWED if is_ordinary else verdict
        self._remember(arguments, _Shown(located.real, state.identity, digest_of(draft.data)))
        if draft.data == state.data and is_ordinary:
            return ALLOWED
        name = name_of(located, workplace)
        return (
            replace(verdict, diff=draft.diff.text(name, QUESTION_DIFF_BYTES)) if verdict.decision == "ask" else verdict
        )

    async def make(self, arguments: JsonObject, located: Located, drafting: Drafting, call: Call) -> Outcome:
        """Do it in a thread; when this is cancelled, nothing is written after it has returned."""
        is_off = threading.Event()
        task = asyncio.create_task(
            asyncio.to_thread(
                self._make, self._shown.pop(_key(arguments), None), located, drafting, call, is_off.is_set
            )
        )
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            is_off.set()
            await asyncio.wait({task})
            if not task.cancelled() and task.exception() is None:
                call.say(task.result().output)
            raise

    def _make(
        self,
        shown: _Shown | ToolError | None,
        located: Located,
        drafting: Drafting,
        call: Call,
        is_off: Callable[[], bool],
    ) -> Outcome:
        if isinstance(shown, ToolError):
            raise shown
        danger = _danger(located, call.workplace)
        if danger and not call.approved:
            raise PermissionRefused(f"{located.shown} {danger}; nothing was written.")
        state, draft = self._draft(located, drafting, call.workplace, approved=call.approved)
        if call.approved and shown and shown != _Shown(located.real, state.identity, digest_of(draft.data)):
            raise ToolError(
                f"{located.shown} changed after the user was asked; nothing was written. Read it again first."
            )
        if draft.data == state.data:
            return Outcome(f"{located.shown} is already so: nothing was written.")
        put(located, state, draft.data, call.workplace.keep_before, is_off)
        self.seen.remember(located.real, digest_of(draft.data))
        name = name_of(located, call.workplace)
        diff = draft.diff.text(name, call.workplace.output_limit_bytes)
        return Outcome(f"{draft.said}{_links_note(state)}", diff=diff)

    def _draft(
        self, located: Located, drafting: Drafting, workplace: Workplace, *, approved: bool
    ) -> tuple[FileState, Draft]:
        state = look(located, workplace, approved=approved)
        if state.data is not None and self.seen.is_stale(located.real, state.data):
            raise ToolError(f"{located.shown} changed since you read it; nothing was written. Read it again first.")
        return state, drafting(state)

    def _remember(self, arguments: JsonObject, what: _Shown | ToolError) -> None:
        self._shown[_key(arguments)] = what
        if len(self._shown) > MOST_SHOWN:
            self._shown.popitem(last=False)


def name_of(located: Located, workplace: Workplace) -> str:
    """The file as it is called from the workspace, fit for one line."""
    root = workplace.root.resolve()
    inside = located.real.is_relative_to(root)
    return shown_name(str(located.real.relative_to(root) if inside else located.real))


def _judged(located: Located, mode: Mode, workplace: Workplace) -> Verdict:
    verdict = judge_writing(located, mode, workplace)
    if verdict.decision != "deny" and is_instructions(Path(located.shown), located.real, workplace):
        # No rule: each change of what later sessions are told is looked at.
        return Verdict("ask", f"{located.shown} {INSTRUCTIONS}.")
    return verdict


def _danger(located: Located, workplace: Workplace) -> str:
    if is_instructions(Path(located.shown), located.real, workplace):
        return INSTRUCTIONS
    return write_danger(located, workplace)


def _key(arguments: JsonObject) -> bytes:
    return hashlib.sha256(json.dumps(arguments, sort_keys=True, default=str).encode("utf-8", "replace")).digest()


def _links_note(state: FileState) -> str:
    links = state.status.st_nlink if state.status else 1
    return f" It had {links} names (hard links); the others keep the old text." if links > 1 else ""
