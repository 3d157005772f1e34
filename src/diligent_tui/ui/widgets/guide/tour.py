"""Where a tour stands: pure, so that the strip only paints it."""

from dataclasses import dataclass, replace

from diligent_tui.ui.widgets.guide.steps import FAREWELL, STEPS


@dataclass(frozen=True, slots=True)
class Tour:
    """The step that is shown, counted from 0, and those that were done; behind the last comes the farewell."""

    place: int = 0
    done: frozenset[int] = frozenset()

    @property
    def is_over(self) -> bool:
        """True at the farewell."""
        return self.place >= len(STEPS)

    @property
    def words(self) -> str:
        """What to say now."""
        return FAREWELL if self.is_over else STEPS[self.place].words

    @property
    def is_done(self) -> bool:
        """Whether what is shown was done; it stays until the user goes on, for it may say what else to try there."""
        return self.place in self.done

    @property
    def marks(self) -> str:
        """One glyph for each step: done, shown, to come."""
        return "".join(
            "▸" if place == self.place else "✓" if place in self.done else "·" for place in range(len(STEPS))
        )

    def turned(self, steps: int) -> "Tour":
        """The tour so many steps on, or back."""
        return replace(self, place=min(max(0, self.place + steps), len(STEPS)))

    def after(self, signs: frozenset[str]) -> "Tour":
        """The tour after these panes were gone to and these events happened."""
        return replace(self, done=self.done | {place for place, step in enumerate(STEPS) if step.is_done_by(signs)})
