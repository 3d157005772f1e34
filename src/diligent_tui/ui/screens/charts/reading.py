"""Gathers the figures of a session that goes on: what may change is copied first, and the slow rest is for a thread."""

from collections.abc import Callable

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.models import Model
from diligent_tui.domain.progress import Tell
from diligent_tui.domain.speech import speech_of
from diligent_tui.ui.screens.charts.branches import read_branches
from diligent_tui.ui.screens.charts.history import FindModel, read_history, read_or_none
from diligent_tui.ui.screens.charts.sheet import Figures

SlowRest = Callable[[Tell], Figures]


def begin_reading(session: AgentSession, find_model: Callable[[str], Model] | None) -> SlowRest:
    """Copy what may change; the rest reads the log and is meant for a thread."""
    store, measured = session.store, session.measure()
    tree, totals, labels = store.tree, store.content.totals, dict(store.content.labels)
    nodes, leaf_id, path = list(tree.nodes.values()), tree.leaf_id, tree.path(tree.leaf_id)
    prices, model_id = known_models(find_model), session.model.id

    def read(tell: Tell) -> Figures:
        branches, count = read_branches(nodes, leaf_id, labels, store.read)
        return Figures(
            path=read_history(path, store.read, prices, tell, next_model_id=model_id),
            branches=branches,
            branch_count=count,
            now_tokens=measured.tokens,
            is_estimated=measured.estimated,
            limit_tokens=measured.limit,
            total_cost=totals.cost if totals else None,
        )

    return read


def name_of(session: AgentSession) -> str:
    """What a session is called: its name, else how it began."""
    content = session.store.content
    first_id = next((node.id for node in content.tree.nodes.values() if node.is_prompt), "")
    return content.name or words_of(session, first_id)


def words_of(session: AgentSession, entry_id: str) -> str:
    """The words of an entry."""
    entry = read_or_none(session.store.read, entry_id)
    return speech_of(entry).words if entry else ""


def known_models(find_model: Callable[[str], Model] | None) -> FindModel:
    """The same without complaints: a model that is gone has no price."""

    def find(model_id: str) -> Model | None:
        try:
            return find_model(model_id) if find_model else None
        except DiligentError:
            return None

    return find
