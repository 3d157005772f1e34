"""The completion script for bash."""

from collections.abc import Iterable

from diligent_tui.cli.completion_words import Flag, Place, Places
from diligent_tui.cli.shells import walk

HEAD = """\
# Completion of diligent for bash. Made by `diligent completion bash`.
_diligent() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local place=diligent number
    COMPREPLY=()
    # To bash the sign in --flag=value is a word of its own.
    if [[ $current == = ]]; then current=; fi
    if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi"""
TAIL = """\
}
complete -o default -F _diligent diligent
"""
# Without matches bash offers files. Before version 4 it cannot be told otherwise, and is left to.
NO_FILES = "compopt +o default 2>/dev/null"
FOLDERS = "compopt -o dirnames +o default 2>/dev/null"


def script(places: Places) -> str:
    """The script; offers nothing where only the user knows what comes, and file names only where files are taken."""
    return walk.script(walk.Dialect(HEAD, "COMP_WORDS", 1, "COMP_CWORD", _value, _words, TAIL), places)


def _value(flag: Flag) -> str:
    match flag.values:
        case "folders":
            return FOLDERS
        case "words":
            return _matching(flag.words) if flag.words else NO_FILES
        case _:
            return ":"


def _words(place: Place) -> str:
    flags = [name for flag in place.flags for name in flag.names]
    offered = _matching([*(word.text for word in place.commands), *place.words, *flags])
    return offered if place.takes_files else f"{NO_FILES}; {offered}"


def _matching(words: Iterable[str]) -> str:
    return f"COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$current\"))"
