"""Where events are told: whoever listens hears each of them, in order, at once."""

from collections.abc import Callable

from diligent_tui.domain.events import Event

Listener = Callable[[Event], None]


class Hub:
    """Publishes facts to listeners. A listener must be quick and must not raise; slow work belongs in its own task."""

    def __init__(self) -> None:
        """Nobody listens yet."""
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Listen from now on; the returned function ends it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Tell everybody who listens now."""
        for listener in tuple(self._listeners):
            listener(event)
