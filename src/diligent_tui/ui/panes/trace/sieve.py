"""Which things are listed: those of one kind, those that failed, those with some words."""

from dataclasses import dataclass, replace

from diligent_tui.domain.events import event_name
from diligent_tui.ui.panes.trace.things import GROUPS, Group, Thing
from diligent_tui.ui.panes.trace.words import headline


@dataclass(frozen=True, slots=True)
class Sieve:
    """What is to be listed; nothing chosen lists everything."""

    group: Group | None = None
    only_problems: bool = False
    words: str = ""

    @property
    def is_open(self) -> bool:
        """Whether everything is listed."""
        return self == Sieve()

    def fits(self, thing: Thing) -> bool:
        """Whether a thing is listed."""
        if self.only_problems and thing.state != "failed":
            return False
        if self.group is not None and thing.group != self.group:
            return False
        return not self.words or self._has_words(thing)

    def after(self) -> "Sieve":
        """The next kind."""
        choices: tuple[Group | None, ...] = (None, *GROUPS)
        return replace(self, group=choices[(choices.index(self.group) + 1) % len(choices)])

    def told(self) -> str:
        """What is listed, in a few words."""
        parts = (self.group or "", "problems" if self.only_problems else "", f"“{self.words}”" if self.words else "")
        return " · ".join(filter(None, parts))

    def _has_words(self, thing: Thing) -> bool:
        line = headline(thing)
        names = " ".join(event_name(type(record.event)) for record in thing.records)
        text = " ".join((line.title, line.subject, line.about, *line.effects[:1], thing.entry_id, names))
        # Capitals count only when some are typed.
        return self.words in (text if self.words != self.words.lower() else text.lower())
