"""The completion script for zsh."""

from collections.abc import Iterable

from diligent_tui.cli.completion_words import Flag, Place, Places
from diligent_tui.cli.shells import walk

HEAD = """\
#compdef diligent
# Completion of diligent for zsh. Made by `diligent completion zsh`.
_diligent() {
    local place=diligent number
    local before=${words[CURRENT-1]}
    local -a offered flags
    if [[ ${words[CURRENT]} == --*=* ]]; then
        before=${words[CURRENT]%%=*}
        compset -P '*='
    fi"""
TAIL = """\
    # Apart, for what is given as options zsh offers only behind a dash.
    _describe -t commands diligent offered
    _describe -o option flags
}
if [[ ${funcstack[1]} == _diligent ]]; then
    _diligent "$@"
else
    compdef _diligent diligent
fi
"""


def script(places: Places) -> str:
    """The script; it can be sourced, or lie in a folder of $fpath as `_diligent`."""
    return walk.script(walk.Dialect(HEAD, "words", 2, "CURRENT", _value, _words, TAIL), places)


def _value(flag: Flag) -> str:
    match flag.values:
        case "folders":
            return "_files -/"
        case "files":
            return "_files"
        case _:
            return f"compadd -- {' '.join(map(_quoted, flag.words))}" if flag.words else ":"


def _words(place: Place) -> str:
    offered = [*((word.text, word.help) for word in place.commands), *((word, "") for word in place.words)]
    flags = [(name, flag.help) for flag in place.flags for name in flag.names]
    files = "; _files" if place.takes_files else ""
    return f"offered=({_described(offered)}); flags=({_described(flags)}){files}"


def _described(entries: Iterable[tuple[str, str]]) -> str:
    """Each as `word:what it means`, which _describe takes apart."""
    names = ((text.replace(":", "\\:"), said) for text, said in entries)
    return " ".join(_quoted(f"{name}:{said}" if said else name) for name, said in names)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
