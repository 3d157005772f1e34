"""Brings in the core after the first frame: imports, settings, the session; all of it in threads."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.config.assembly import begin, surroundings
from diligent_tui.config.house import House, enter
from diligent_tui.config.layout import Layout, load_layout
from diligent_tui.config.prompt_history import load_history
from diligent_tui.config.session_files import find_session
from diligent_tui.config.summary_drafts import SummaryDraft, load_summary_drafts
from diligent_tui.config.survey import Finding
from diligent_tui.session.export.survey import damage_sentence
from diligent_tui.session.store import SessionStore
from diligent_tui.ui.opening import Access, Opening
from diligent_tui.ui.transcript import ChatBlock, Transcript


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known before the session is open: the house, earlier prompts, the session to go on with."""

    house: House
    given: Surroundings
    history: list[str]
    session_path: Path | None
    layout: Layout
    awaits_trust: bool = False
    """True if a session is to be gone on with, but those found here are not known to be the user's own."""
    summary_drafts: Mapping[str, SummaryDraft] = field(default_factory=dict[str, SummaryDraft])
    """By session: what an earlier run was editing."""


async def load_ground(opening: Opening, session_path: Path | None, for_now: Sequence[Finding] = ()) -> Ground:
    """Look around; the session to go on with is looked for unless it was found already; `for_now` is trusted once."""
    return await asyncio.to_thread(_look_around, opening, session_path, for_now)


async def open_session(ground: Ground, path: Path | None, access: Access) -> AgentSession:
    """The session itself, with its whole tree; without a path a new one."""
    if path is None:
        return begin(ground.house, ground.given)
    if access == "fork":
        return await AgentSession.resume_in_fork(path, ground.given)
    return await AgentSession.resume(path, ground.given, read_only=access == "read")


def state_of_file(store: SessionStore) -> list[str]:
    """What the user must know of a session's file: damage, and why it cannot be gone on with."""
    damage, because = store.content.damage, store.read_only_because
    words = [f"{damage_sentence(damage, len(store.tree.nodes))} The file keeps every byte."] if damage else []
    return [*words, f"Read-only: {because}. /fork goes on in a copy."] if because else words


def whole_transcript(session: AgentSession, leaf_id: str | None) -> list[ChatBlock]:
    """The blocks of the whole path to an entry; slow for a long one, so it is called in a thread."""
    path = session.store.tree.path(leaf_id)
    return Transcript().saved(session.store.read(node.id) for node in path)


def _look_around(opening: Opening, path: Path | None, for_now: Sequence[Finding]) -> Ground:
    house = enter(opening.cwd, opening.environ, opening.flags, trust_once=opening.trust_once, for_now=for_now)
    given = surroundings(house, may_ask=True, model_flag=opening.model)
    places = house.places
    goes_on = path is None and bool(opening.goes_on or opening.resume)
    if goes_on and house.sessions_are_known:
        path = find_session(house, opening.resume)
    return Ground(
        house,
        given,
        load_history(places.user_state, places.root),
        path,
        load_layout(places.user_state),
        awaits_trust=goes_on and not house.sessions_are_known,
        summary_drafts=load_summary_drafts(places.user_state, places.root),
    )
