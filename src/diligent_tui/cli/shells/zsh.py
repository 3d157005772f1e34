"""The completion script for zsh."""

from diligent_tui.cli.completion_words import Flag, Place, Places

HEAD = """\
#compdef diligent
# Completion of diligent for zsh. Made by `diligent completion zsh`.
_diligent() {
    local place=diligent number
    local before=${words[CURRENT-1]}
    local -a offered
    for (( number = 2; number < CURRENT; number++ )); do
        case "$place ${words[number]}" in
"""
AFTER_PLACE = """\
            (*) break ;;
        esac
    done
    case "$place:$before" in
"""
AFTER_VALUES = """\
    esac
    case "$place" in
"""
TAIL = """\
    esac
}
if [[ ${funcstack[1]} == _diligent ]]; then
    _diligent "$@"
else
    compdef _diligent diligent
fi
"""


def script(places: Places) -> str:
    """The script; it can be sourced, or lie in a folder of $fpath as `_diligent`."""
    deeper = "|".join(f'"{place.name}"' for place in places[1:])
    lines = [HEAD, f'            ({deeper}) place="$place ${{words[number]}}" ;;\n', AFTER_PLACE]
    lines += [_value(place, flag) for place in places for flag in place.flags if flag.values != "none"]
    lines.append(AFTER_VALUES)
    lines += [_words(place) for place in places]
    lines.append(TAIL)
    return "".join(lines)


def _value(place: Place, flag: Flag) -> str:
    pattern = "|".join(f'"{place.name}:{name}"' for name in flag.names)
    match flag.values:
        case "folders":
            does = "_files -/; return"
        case "files":
            does = "_files; return"
        case _ if flag.words:
            does = f"compadd -- {' '.join(map(_quoted, flag.words))}; return"
        case _ if flag.value_is_optional:
            return ""
        case _:
            does = "return"
    return f"        ({pattern}) {does} ;;\n"


def _words(place: Place) -> str:
    flags = [(name, flag.help) for flag in place.flags for name in flag.names]
    offered = [*((word.text, word.help) for word in place.commands), *((word, "") for word in place.words), *flags]
    lines = [f'        ("{place.name}")\n', "            offered=(\n"]
    lines += [f"                {_described(text, said)}\n" for text, said in offered]
    lines.append("            )\n            _describe -o diligent offered\n")
    if place.takes_files:
        lines.append("            _files\n")
    lines.append("            ;;\n")
    return "".join(lines)


def _described(text: str, said: str) -> str:
    """`word:what it means`, as _describe takes it."""
    name = text.replace(":", "\\:")
    return _quoted(f"{name}:{said}" if said else name)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
