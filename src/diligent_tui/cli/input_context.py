"""Puts what was piped in behind the prompt: whole where the window has room for it, else its ends and a file."""

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.estimator import utf8_size
from diligent_tui.domain.piped_input import count_lines, with_input
from diligent_tui.storage.project import make_project_folder
from diligent_tui.tools.output import HeadTail
from diligent_tui.tools.spill import Spill

INPUT_SHARE = 0.25
"""More of the window than this would leave the work too little."""
ONLY_INPUT = "What to do stands in what was piped in."


def prompt_with(words: str, piped: str, session: AgentSession, given: Surroundings) -> str:
    """The prompt of a run; without words, what was piped in is the prompt. Writes a file if it is long."""
    if not piped.strip():
        return words
    size_bytes = utf8_size(piped)
    tokens = given.estimator.tokens(session.model.id, size_bytes)
    if tokens <= session.measure().limit * INPUT_SHARE:
        return with_input(words, piped, count_lines(piped), size_bytes) if words.strip() else piped
    file = _keep(piped, session, given)
    ends = HeadTail(given.output_limit_bytes)
    ends.feed(piped.encode())
    kept = ends.kept()
    middle = f"[… {kept.left_out_bytes:,} bytes are left out here. All of it is in {file}: search it, read parts …]"
    shown = f"{kept.head}\n{middle}\n{kept.tail}"
    return with_input(words.strip() or ONLY_INPUT, shown, count_lines(piped), size_bytes, file)


def _keep(piped: str, session: AgentSession, given: Surroundings) -> str:
    """Save it beside the session; returns its name as the model's tools take it."""
    store = session.store
    project_folder = store.path.parent.parent
    # The session may not be on disk yet; who makes its folder says that it is ours.
    if make_project_folder(project_folder):
        given.made_folder(project_folder)
    spill = Spill(store.spill_folder / f"stdin-{store.new_id()}.txt")
    spill.write(piped.encode())
    spill.close()
    if spill.problem:
        raise StorageError(f"What was piped in could not be kept: {spill.problem}", "Free some space, then try again.")
    return str(spill.path.relative_to(given.root) if spill.path.is_relative_to(given.root) else spill.path)
