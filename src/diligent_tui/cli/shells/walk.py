"""The walk that bash and zsh share: which place the words lead to, what the word before wants, what can stand there."""

from collections.abc import Callable
from dataclasses import dataclass

from diligent_tui.cli.completion_words import Flag, Place, Places


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between shells that understand `case`."""

    head: str
    """Begins the function; knows `place` and `before` afterwards."""
    words: str
    """The array with the words of the line."""
    second: int
    """The number of the word behind `diligent`."""
    current: str
    """The number of the word that is being completed."""
    offer_value: Callable[[Flag], str]
    """Offers what can stand behind a flag."""
    offer_words: Callable[[Place], str]
    """Offers what can stand at a place."""
    tail: str
    """Ends the function and tells the shell about it."""


def script(dialect: Dialect, places: Places) -> str:
    """The script in one dialect."""
    word = f"${{{dialect.words}[number]}}"
    deeper = "|".join(f'"{place.name}"' for place in places[1:])
    lines = [
        dialect.head,
        f"    for ((number = {dialect.second}; number < {dialect.current}; number++)); do",
        f'        case "$place {word}" in',
        f'            {deeper}) place="$place {word}" ;;',
        "            *) break ;;",
        "        esac",
        "    done",
        '    case "$place:$before" in',
        *(
            f"        {_behind(place, flag)}) {dialect.offer_value(flag)}; return ;;"
            for place in places
            for flag in place.flags
            if flag.values != "none"
        ),
        "    esac",
        '    case "$place" in',
        *(f'        "{place.name}") {dialect.offer_words(place)} ;;' for place in places),
        "    esac",
        dialect.tail,
    ]
    return "\n".join(lines)


def _behind(place: Place, flag: Flag) -> str:
    return "|".join(f'"{place.name}:{name}"' for name in flag.names)
