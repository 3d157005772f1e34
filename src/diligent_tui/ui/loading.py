"""Brings in the core after the first frame: imports, settings, the session; all of it in threads."""

import asyncio
import contextlib
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.agent.session import AgentSession, Surroundings
from diligent_tui.config.assembly import House, begin, enter, find_session, surroundings
from diligent_tui.config.drafts import load_draft
from diligent_tui.config.prompt_history import load_history
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.models import Model
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.transcript import ChatBlock, Transcript


@dataclass(frozen=True, slots=True)
class Ground:
    """What is known before the session is open: the house, earlier prompts, the draft, the session to go on with."""

    house: House
    given: Surroundings
    history: list[str]
    draft: str
    session_path: Path | None


async def load_ground(opening: Opening, session_path: Path | None) -> Ground:
    """Look around; the session to go on with is looked for unless it was found already."""
    return await asyncio.to_thread(_look_around, opening, session_path)


async def open_session(ground: Ground) -> AgentSession:
    """The session itself, with its whole tree."""
    if ground.session_path is None:
        return begin(ground.house, ground.given)
    return await AgentSession.resume(ground.session_path, ground.given)


async def import_provider(ground: Ground, model: Model) -> None:
    """Import what a model's provider needs in a thread; one that cannot be made says so when it is asked."""
    with contextlib.suppress(DiligentError):
        provider = await asyncio.to_thread(ground.given.provider_for, model)
        await provider.aclose()


def whole_transcript(session: AgentSession) -> list[ChatBlock]:
    """The blocks of the whole path; slow for a long one, so it is called in a thread."""
    path = tuple(session.conversation.path)
    return Transcript().saved(session.store.read(node.id) for node in path)


def _look_around(opening: Opening, path: Path | None) -> Ground:
    house = enter(opening.cwd, opening.environ, opening.flags, trust_once=opening.trust_once)
    given = surroundings(house, may_ask=True, model_flag=opening.model)
    places = house.places
    if path is None and (opening.goes_on or opening.resume):
        path = find_session(house, opening.resume)
    return Ground(
        house,
        given,
        load_history(places.user_state, places.root),
        load_draft(places.user_state, places.root),
        path,
    )
