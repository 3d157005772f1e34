"""Which calls are listed: all, those of one tool, those that failed, those that run; and where each stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from diligent_tui.domain.plain_text import clean
from diligent_tui.ui.panes.tools.call_book import CallBook, Lookup
from diligent_tui.ui.panes.tools.facts import CallDetails, CallFacts

Chosen = Literal["all", "tool", "errors", "running"]
CHOICES: tuple[Chosen, ...] = ("all", "tool", "errors", "running")


@dataclass(frozen=True, slots=True)
class Filter:
    """What is to be listed; `tool` is the name where one tool is chosen."""

    chosen: Chosen = "all"
    tool: str = ""

    def fits(self, facts: CallFacts) -> bool:
        """Whether a call is listed."""
        match self.chosen:
            case "all":
                return True
            case "tool":
                return facts.tool == self.tool
            case "errors":
                return facts.state == "failed"
            case "running":
                return facts.state in ("waiting", "running")

    def after(self, tool: str) -> "Filter":
        """The next filter; `tool` is that of the call under the cursor."""
        chosen = CHOICES[(CHOICES.index(self.chosen) + 1) % len(CHOICES)]
        if chosen == "tool" and not tool:
            chosen = "errors"
        return Filter(chosen, tool if chosen == "tool" else "")


class Listing:
    """The keys in the order of the rows."""

    def __init__(self) -> None:
        """Begin with none."""
        self.keys: list[str] = []
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.keys)

    def place(self, key: str | None) -> int | None:
        """The row of a call."""
        return None if key is None else self._places.get(key)

    def replace(self, keys: Iterable[str]) -> None:
        """List other calls."""
        self.keys = list(keys)
        self._places = {key: place for place, key in enumerate(self.keys)}

    def add(self, key: str) -> None:
        """List one more at the end, unless it is here."""
        if key not in self._places:
            self._places[key] = len(self.keys)
            self.keys.append(key)


def fitting(book: CallBook, keys: Iterable[str], wanted: Filter, read: Lookup) -> list[str]:
    """Those saved calls that a filter lists; meant for a thread, for each of them is read."""
    return [key for key in keys if (entry_id := book.entry_id(key)) and wanted.fits(book.read_facts(entry_id, read))]


def matching(book: CallBook, keys: Iterable[str], words: str, read: Lookup) -> list[str]:
    """Those saved calls that have the words anywhere; meant for a thread."""
    found: list[str] = []
    for key in keys:
        entry_id = book.entry_id(key)
        if entry_id and has_words(book.read_facts(entry_id, read), book.read_details(entry_id, read), words):
            found.append(key)
    return found


def has_words(facts: CallFacts, details: CallDetails, words: str) -> bool:
    """Whether a call has the words anywhere; capitals count only when some are typed."""
    told = [facts.tool, facts.effect, *(str(value) for value in details.arguments.values())]
    text = clean("\n".join([*told, details.output, details.diff]))
    return words in (text if words != words.lower() else text.lower())
