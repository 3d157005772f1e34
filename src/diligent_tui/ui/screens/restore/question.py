"""What is asked before files are replaced that hold somebody else's work."""

from diligent_tui.agent.file_history import Plan
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.screens.choice import Answer

MOST_NAMED = 8
NAME_CHARS = 60


def question_of(plan: Plan) -> tuple[str, str, list[Answer]]:
    """Title, words and answers; the first leaves foreign work alone."""
    conflicts, ready = plan.conflicts, plan.ready
    one = len(conflicts) == 1
    named = [
        f"{clean_line(file.place.shown, NAME_CHARS)}: {file.conflict[:1].lower()}{file.conflict[1:]}"
        for file in conflicts[:MOST_NAMED]
    ]
    if len(conflicts) > MOST_NAMED:
        named.append(f"… {len(conflicts) - MOST_NAMED:,} more")
    title = f"{fmt.count(len(conflicts), 'file')} {'holds' if one else 'hold'} work that is not the agent's"
    it = "it" if one else "them"
    over = Answer("o", f"put {it} back too; u undoes that", "over")
    nothing = Answer("n", "do nothing", "nothing")
    if ready:
        others = "file" if len(ready) == 1 else f"{len(ready):,} files"
        leave = Answer("l", f"leave {it} alone, restore the other {others}", "leave")
        return title, "\n".join(named), [leave, over, nothing]
    return title, "\n".join(named), [Answer("l", f"leave {it} alone", "nothing"), over, nothing]
