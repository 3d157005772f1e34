"""Keys act in the order in which they were typed, each where the ones before it led.

A key that leads elsewhere is dealt with some steps after it was read: it goes to what has the focus, up to the app, and
then the focus moves, or a screen comes. What is typed behind it is held until then, or it would act where one was, in
the prompt at worst, and from there go to the model.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from functools import cached_property
from operator import attrgetter

from textual import events
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.signal import Signal
from textual.timer import Timer

from diligent_tui.ui.routes.base import Routes

Typed = events.Key | events.Paste
PATIENCE_SECONDS = 10.0
"""So long what was asked for may take to come up; the slowest start that was seen took half of it."""
WAYS_OUT = frozenset({"step_back", "quit"})
"""What is done at once, whatever is waited for."""


class KeyRoutes(Routes):
    """Holds what is typed behind a key until that key has led where it leads."""

    patience_seconds = lost_seconds = PATIENCE_SECONDS
    _set_out_at: float | None = None
    """When a key that may lead elsewhere set out; None once it has been dealt with."""
    _wish: Callable[[], object] | None = None
    """What was asked for before there was anybody to do it."""
    _journey: "Coroutine[object, object, None] | None" = None
    """What is bringing up the screen that was asked for."""
    _bringer: asyncio.Task[object] | None = None
    """In which task it does so."""
    _patience: Timer | None = None

    @cached_property
    def _held(self) -> deque[Typed]:
        return deque()

    def on_mount(self) -> None:
        """Hear of screens that come up, from within whoever brings them."""
        # Of what kind its screens are, Textual leaves open.
        screens: Signal[Screen[object]] = attrgetter("screen_change_signal")(self)
        screens.subscribe(self, self._heed_screen, immediate=True)

    async def on_event(self, event: events.Event) -> None:
        """Let in what was typed, or hold it."""
        if isinstance(event, Typed) and not event.is_forwarded:
            self._held.append(event)
            await self._let_in_held()
        else:
            await super().on_event(event)

    def once_loaded(self, wish: Callable[[], object]) -> None:
        """Do it when the session is there; what is typed meanwhile is for where it leads."""
        self._wish = wish
        self._wait()

    def fulfil_wish(self) -> None:
        """The session is there."""
        if wish := self._wish:
            self._end_wait()
            wish()
            self.call_later(self._let_in_held)

    def _begin_place(self, journey: "Coroutine[object, object, None]") -> None:
        """Begin what brings up a screen; what is typed meanwhile is for that screen."""
        if self._begin(self._bring(journey)):
            self._journey = journey
            self._wait()
        else:
            journey.close()

    async def _bring(self, journey: "Coroutine[object, object, None]") -> None:
        self._bringer = asyncio.current_task()
        try:
            await journey
        finally:
            if self._journey is journey:
                self._give_up()

    @property
    def _is_waiting(self) -> bool:
        return self._wish is not None or self._journey is not None

    def _wait(self) -> None:
        self._patience = self.set_timer(self.patience_seconds, self._lose_patience)

    def _end_wait(self) -> None:
        self._wish = self._journey = self._bringer = None
        if self._patience is not None:
            self._patience.stop()

    def _lose_patience(self) -> None:
        if self._is_waiting:
            self._say("It is not there yet; try again in a moment.")
            self._give_up()

    def _heed_screen(self, screen: Screen[object]) -> None:
        if not self._is_waiting:
            return
        if self._journey is not None and self._bringer is asyncio.current_task():
            self._end_wait()
            self.call_later(self._let_in_held)
        else:
            # A question that nobody has read is not answered by what was typed for another place.
            self._give_up()

    def _give_up(self) -> None:
        """Show in the prompt what was typed for a place that does not come; nothing of it is sent."""
        self._end_wait()
        prompt = self.main.prompt
        while self._held:
            match self._held.popleft():
                case events.Paste(text=text):
                    prompt.paste(text)
                case events.Key(character=character, is_printable=True):
                    prompt.type_text(character or "")
                case events.Key():
                    pass

    async def _let_in(self, event: Typed) -> None:
        target = self.focused or self.screen
        leads = isinstance(event, events.Key) and self._may_lead(event)
        self._set_out_at = time.monotonic() if leads else None
        await super().on_event(event)
        if leads:
            self._go_behind(tuple(target.ancestors_with_self))

    def _may_lead(self, key: events.Key) -> bool:
        """True for the keys that hold everywhere; what can be typed into the prompt is typed there."""
        return bool(self._deeds_of(key)) and not (key.is_printable and self.focused is self.main.prompt)

    def _deeds_of(self, key: events.Key) -> set[str]:
        return {binding.action for binding in self._bindings.key_to_bindings.get(key.key, ())}

    def _go_behind(self, way: Sequence[MessagePump]) -> None:
        """Go the way of a key through the same queues, a step behind it; at its end the key has been dealt with."""
        for place, node in enumerate(way, 1):
            if node.call_later(self._go_behind, way[place:]):
                return
        # Where the key moved the focus, that is done behind what the app has to do now.
        self.call_later(self._arrive)

    @property
    def _is_on_the_way(self) -> bool:
        """A key that got lost, with a widget that went before it came by, is not waited for, or all keys were dead."""
        return self._set_out_at is not None and time.monotonic() - self._set_out_at < self.lost_seconds

    async def _arrive(self) -> None:
        self._set_out_at = None
        await self._let_in_held()

    async def _let_in_held(self) -> None:
        if self._is_waiting:
            self._look_for_way_out()
        while self._held and not (self._is_on_the_way or self._is_waiting):
            await self._let_in(self._held.popleft())

    def _look_for_way_out(self) -> None:
        """Wait no more if that is wanted; what was meant for a place that nobody wants any more is meant for nobody."""
        held = list(self._held)
        for place, event in enumerate(held):
            if isinstance(event, events.Key) and self._deeds_of(event) & WAYS_OUT:
                self._end_wait()
                self._held.clear()
                self._held.extend(held[place:])
                return
