"""What the foot of the restore screen offers: only keys that would do something now. Pure."""

from collections.abc import Sequence

from diligent_tui.agent.file_history import FilePlan, Plan
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.screens.restore.desk import Preview

CLOSE: Hint = ("esc", "close")
BACK: Hint = ("esc", "back")
WHILE_RESTORING: Sequence[Hint] = (("tab", "diff"),)
"""Half a restore is worse than none or a whole one: it is waited for."""


def turn_keys(*, has_turns: bool, can_undo: bool) -> Sequence[Hint]:
    """The keys of the list of turns."""
    if not has_turns:
        return (CLOSE,)
    undo: Sequence[Hint] = (("u", "undo the last restore"),) if can_undo else ()
    return (("⏎", "preview"), ("a", "this and all since"), *undo, CLOSE)


def preview_keys(preview: Preview, file: FilePlan | None) -> Sequence[Hint]:
    """The keys of a preview, with the cursor on a file."""
    plan = preview.plan
    hints: list[Hint] = []
    if _is_anything_to_do(plan) and not plan.problem:
        hints.append(("r", "restore" if plan.undoes is None else "undo it"))
    if file is not None and (len(plan.files) > 1 or plan.problem) and _is_anything_to_do(Plan((file,))):
        hints.append(("f", "only this file"))
    if file is not None and preview.difference(file).text:
        hints.append(("tab", "diff"))
    return (*hints, BACK)


def _is_anything_to_do(plan: Plan) -> bool:
    return bool(plan.ready or plan.conflicts)
