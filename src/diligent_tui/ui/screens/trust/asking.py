"""Puts the question of trust to the user and remembers the answer; entering the folder again is left to the app."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from textual.screen import Screen

from diligent_tui.config.house import House
from diligent_tui.config.survey import Finding, Survey
from diligent_tui.config.trust_view import describe
from diligent_tui.domain.errors import StorageError
from diligent_tui.ui.screens.trust.screen import TrustAnswer, TrustScreen


@dataclass(frozen=True, slots=True)
class TrustDesk:
    """All that asking needs; each method is run as a worker of the app."""

    house: Callable[[], House]
    """The house as it is now: a yes replaces it."""
    flags: Mapping[str, object]
    ask: Callable[[Screen[TrustAnswer]], Awaitable[TrustAnswer | None]]
    enter_again: Callable[[Sequence[Finding]], Awaitable[None]]
    """Enters the folder again; these are trusted in this run whatever the list says."""
    say: Callable[[str], None]

    async def ask_once(self) -> None:
        """Ask, unless there is nothing to ask or the user has said no to the same before."""
        house = self.house()
        if house.strangers and not house.trust_list.is_refused(house.strangers):
            await self.look()

    async def look(self) -> None:
        """Show what the folder brings, and do what is answered."""
        house = self.house()
        items = await asyncio.to_thread(describe, house, self.flags)
        if not items:
            self.say("This folder brings nothing that needs your trust, or you trust it already.")
            return
        answer = await self.ask(TrustScreen(items))
        seen = tuple(item.finding for item in items)
        match answer:
            case "always":
                await self._trust(house, seen)
            case "once":
                await self.enter_again(seen)
                self._tell("Used in this run only.")
            case "no" | None:
                await self._refuse(house, seen)
            case _:
                assert_never(answer)

    async def _trust(self, house: House, seen: tuple[Finding, ...]) -> None:
        try:
            await asyncio.to_thread(house.trust_list.trust, Survey(seen))
        except StorageError as error:
            await self.enter_again(seen)
            self.say(f"Used in this run, but your yes could not be saved: {error.message}")
        else:
            await self.enter_again(())
            self._tell("Trusted. You are asked again when it changes.")

    async def _refuse(self, house: House, seen: tuple[Finding, ...]) -> None:
        try:
            await asyncio.to_thread(house.trust_list.refuse, seen)
        except StorageError as error:
            self.say(f"Not used. Your no could not be saved: {error.message}")
        else:
            self.say("Not used. /trust asks again.")

    def _tell(self, words: str) -> None:
        """What was trusted is used, unless it changed while the question stood."""
        is_whole = not self.house().strangers
        self.say(words if is_whole else "Something has changed since you looked. /trust shows it as it is now.")
