"""The end of a session on screen, before the rest of the core is imported: to read it needs little of that."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from diligent_tui.config.paths import find_places
from diligent_tui.config.survey import take_survey
from diligent_tui.config.trust import TrustList
from diligent_tui.domain.entries import Entry
from diligent_tui.session.files import newest_session
from diligent_tui.session.tail import Tail, read_tail
from diligent_tui.ui.opening import Opening
from diligent_tui.ui.panes.chat import ChatPane
from diligent_tui.ui.panes.chat.look import ChatLook
from diligent_tui.ui.screens.main import MainScreen

TAIL_ENTRIES = 80
"""Enough to fill a large screen; the rest of the path follows when it is read."""


class End(NamedTuple):
    """The session to go on with, and its last entries."""

    path: Path
    tail: Tail


class Glimpse(NamedTuple):
    """The chat as it is put in first; `end` is what it shows, if there is a session to go on with."""

    chat: ChatPane
    end: End | None


async def show_glimpse(screen: MainScreen, opening: Opening, look: ChatLook) -> Glimpse:
    """Put in the chat with the end of the session that was asked for."""
    end = await asyncio.to_thread(_find_end, opening) if opening.goes_on or opening.resume else None
    known: dict[str, Entry] = {entry.id: entry for entry in end.tail.entries} if end else {}
    chat = ChatPane(known.__getitem__, look, opening.keys)
    # Painted once, with its words.
    async with screen.batch():
        await screen.put_in_chat(chat)
        if end:
            chat.show_saved(end.tail.entries, is_whole=end.tail.is_whole)
            screen.show_chat()
    return Glimpse(chat, end)


def _find_end(opening: Opening) -> End | None:
    """Nothing, where there is no such session or it may not be shown; the house says why when it is entered."""
    places = find_places(opening.cwd, opening.environ)
    if not opening.trust_once:
        strangers = TrustList.load(places.user_state).strangers(take_survey(places))
        if any(finding.kind == "sessions" for finding in strangers):
            return None
    path = newest_session(places.sessions, opening.resume)
    return End(path, read_tail(path, TAIL_ENTRIES)) if path else None
