"""A search with words of its own, over texts that are all there: earlier prompts to take up, or to go back before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.widgets.completion.choices import Choice, Choices
from diligent_tui.ui.widgets.completion.fuzzy import has_all

MOST_FOUND = 200
MOST_TYPED_CHARS = 200
LEAD_CHARS = 30
"""So much of a long text is shown before the words that were found."""
LABEL_CHARS = 300


@dataclass(slots=True)
class Finder:
    """Texts, newest first, and those of them with all the words that were typed."""

    title: str
    keys: Sequence[Hint]
    """What the keys do; the last is the way out."""
    texts: tuple[Choice, ...]
    """`label` is what is searched."""
    accept: Callable[[Choice], None]
    choices: Choices = field(init=False)
    _low: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Show all."""
        self._low = tuple(choice.label.lower() for choice in self.texts)
        self.choices = Choices()
        self.type_in("")

    def type_in(self, words: str) -> None:
        """Search for other words."""
        words = "".join(filter(str.isprintable, words))[:MOST_TYPED_CHARS]
        wanted = words.lower().split()
        found = [choice for choice, low in zip(self.texts, self._low, strict=True) if has_all(wanted, low)]
        rows = tuple(_shown(choice, wanted) for choice in found[:MOST_FOUND])
        keys = self.keys if found else self.keys[-1:]
        all_told = f"{len(self.texts):,}"
        note = f"{len(found):,} found of {all_told}" if wanted else f"{all_told} in all"
        self.choices = Choices(rows, words, 0, self.title, keys, note)

    def take_key(self, key: str, character: str | None) -> bool:
        """Do what a key means in a search; False if it means nothing here."""
        match key:
            case "down" | "ctrl+r" | "ctrl+n":
                self.choices = self.choices.moved(1)
            case "up" | "ctrl+s":
                self.choices = self.choices.moved(-1)
            case "pagedown":
                self.choices = self.choices.moved_by_page(1)
            case "pageup":
                self.choices = self.choices.moved_by_page(-1)
            case "backspace":
                self.type_in(self.choices.wanted[:-1])
            case "ctrl+u" | "ctrl+w":
                self.type_in("")
            case _ if character is not None and character.isprintable() and not key.startswith(("ctrl+", "alt+")):
                self.type_in(self.choices.wanted + character)
            case _:
                return False
        return True


def _shown(choice: Choice, wanted: Iterable[str]) -> Choice:
    """A row on one line, cut so that what was found is in sight."""
    line = clean_line(choice.label, LABEL_CHARS * 10)
    first = min((place for word in wanted if (place := line.lower().find(word)) >= 0), default=0)
    # At the beginning of a word, so that it reads.
    begin = line.find(" ", first - LEAD_CHARS, first) + 1 or first
    cut = f"… {line[begin:]}" if first > 2 * LEAD_CHARS else line
    return Choice(cut[:LABEL_CHARS], choice.value, choice.detail)
