"""Walking through earlier prompts without losing the unsent one, or what was changed on the way."""

from collections.abc import Callable, Iterable, Sequence

MOST_PROMPTS = 1_000


class HistoryWalk:
    """Earlier prompts, oldest first, and a place among them; the unsent text stands behind the newest."""

    def __init__(self, prompts: Iterable[str] = (), present: Callable[[str], str] = str) -> None:
        """Stand behind the newest prompt; `present` makes of a prompt what the editor shows."""
        self._prompts = list(prompts)[-MOST_PROMPTS:]
        self._present = present
        self._place = len(self._prompts)
        self._left_as: dict[int, str] = {}

    @property
    def prompts(self) -> Sequence[str]:
        """The earlier prompts, oldest first."""
        return self._prompts

    @property
    def is_walking(self) -> bool:
        """Whether an earlier prompt is shown."""
        return self._place < len(self._prompts)

    @property
    def texts_left(self) -> Iterable[str]:
        """The texts that a further step would bring back as they were left."""
        return self._left_as.values()

    def remember(self, text: str) -> None:
        """Add a prompt as the newest, unless it is the newest already, and stand behind it."""
        if not self._prompts or self._prompts[-1] != text:
            self._prompts.append(text)
            del self._prompts[:-MOST_PROMPTS]
        self.rest()

    def rest(self) -> None:
        """Stand behind the newest prompt and forget what was changed on the way."""
        self._place = len(self._prompts)
        self._left_as.clear()

    def older(self, shown: str) -> str | None:
        """Leave the shown text here and step to the prompt before; None at the oldest."""
        return self._step(shown, self._place - 1)

    def newer(self, shown: str) -> str | None:
        """Leave the shown text here and step to the prompt after; None behind the newest."""
        return self._step(shown, self._place + 1)

    def _step(self, shown: str, place: int) -> str | None:
        if not 0 <= place <= len(self._prompts):
            return None
        self._left_as[self._place] = shown
        self._place = place
        left = self._left_as.get(place)
        return left if left is not None else self._present(self._prompts[place])
