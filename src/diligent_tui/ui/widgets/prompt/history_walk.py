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
        self._untouched: str | None = None
        """The earlier prompt that is shown, as it was before anything was changed in it."""

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
        """The user's own texts that a further step would bring back: the unsent one, and what was changed."""
        return self._left_as.values()

    @property
    def unsent(self) -> str:
        """The unsent text that one walked away from, or empty."""
        return self._left_as.get(len(self._prompts), "")

    def written(self, shown: str) -> tuple[str, ...]:
        """The user's own texts, the one they are at last: an earlier prompt that is shown as it was is none."""
        left = [text for _, text in sorted(self._left_as.items())]
        *others, last = left if shown == self._untouched else [*left, shown]
        return (*filter(str.strip, others), last)

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
        self._untouched = None

    def older(self, shown: str) -> str | None:
        """Leave the shown text here and step to the prompt before; None at the oldest."""
        return self._step(shown, self._place - 1)

    def newer(self, shown: str) -> str | None:
        """Leave the shown text here and step to the prompt after; None behind the newest."""
        return self._step(shown, self._place + 1)

    def _step(self, shown: str, place: int) -> str | None:
        if not 0 <= place <= len(self._prompts):
            return None
        if shown != self._untouched:
            self._left_as[self._place] = shown
        self._place = place
        left = self._left_as.pop(place, None)
        self._untouched = self._present(self._prompts[place]) if left is None else None
        return self._untouched if left is None else left
