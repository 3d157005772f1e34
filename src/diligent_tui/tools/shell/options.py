"""Sorts the words of a program into flags, their values and the rest; a flag that is not known makes all unknown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Check = Callable[[str], bool]
NUMBER = re.compile(r"[+-]?[0-9]{1,12}")


def is_number(text: str) -> bool:
    """True for a plain whole number."""
    return NUMBER.fullmatch(text) is not None


def is_anything(_text: str) -> bool:
    """For a value that is only text to the program."""
    return True


def one_of(*names: str) -> Check:
    """For a value out of a few."""
    return frozenset(names).__contains__


@dataclass(slots=True)
class Sorted:
    """The flags that were given, the values of those that take one, and the words that are no flags."""

    flags: set[str] = field(default_factory=set[str])
    values: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    rest: list[str] = field(default_factory=list[str])
    paths: list[str] = field(default_factory=list[str])
    """The words behind `--`."""

    def all_of(self, *names: str) -> list[str]:
        """The values given to any of these flags."""
        return [value for name, value in self.values if name in names]

    @property
    def words(self) -> list[str]:
        """Every word that is no flag."""
        return [*self.rest, *self.paths]


@dataclass(frozen=True, slots=True)
class Options:
    """The flags that are known of a program: letters that may stand together, long names, and those with a value."""

    letters: str = ""
    longs: str = ""
    """Long names without a value, or with one if it is optional and harmless; parted by blanks, without dashes."""
    values: Mapping[str, Check] = field(default_factory=dict[str, Check])
    """Letters and long names that take a value, and what it may be."""
    optional: Mapping[str, Check] = field(default_factory=dict[str, Check])
    """Long names that may take a value behind `=`, and what it may be."""
    has_counts: bool = False
    """True if `-5` is a flag."""

    def sort(self, words: Sequence[str]) -> Sorted | None:
        """The words, sorted; None if one of them is not known."""
        found = Sorted()
        longs = frozenset(self.longs.split())
        waiting = list(reversed(words))
        while waiting:
            word = waiting.pop()
            if word == "--":
                found.paths = waiting[::-1]
                break
            if word.startswith("--"):
                fits = self._take_long(word[2:], longs, waiting, found)
            elif word.startswith("-") and word != "-":
                fits = self._take_letters(word[1:], waiting, found)
            else:
                found.rest.append(word)
                fits = True
            if not fits:
                return None
        return found

    def _take_long(self, said: str, longs: frozenset[str], waiting: list[str], found: Sorted) -> bool:
        name, has_value, value = said.partition("=")
        if not has_value and (name in longs or name in self.optional):
            found.flags.add(name)
            return True
        if has_value and name in self.optional:
            found.values.append((name, value))
            return self.optional[name](value)
        if name not in self.values or len(name) == 1:
            return False
        return self._take_value(name, value if has_value else None, waiting, found)

    def _take_letters(self, letters: str, waiting: list[str], found: Sorted) -> bool:
        if self.has_counts and letters.isascii() and letters.isdigit():
            return True
        for at, letter in enumerate(letters):
            if letter in self.letters:
                found.flags.add(letter)
                continue
            if letter not in self.values:
                return False
            return self._take_value(letter, letters[at + 1 :] or None, waiting, found)
        return True

    def _take_value(self, name: str, value: str | None, waiting: list[str], found: Sorted) -> bool:
        if value is None:
            # Should the program not take the next word for a value, it must at least not be another flag.
            if not waiting or (waiting[-1].startswith("-") and not is_number(waiting[-1])):
                return False
            value = waiting.pop()
        found.values.append((name, value))
        return self.values[name](value)
