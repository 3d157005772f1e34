"""The completion script for bash."""

from diligent_tui.cli.completion_words import Flag, Place, Places

HEAD = """\
# Completion of diligent for bash. Made by `diligent completion bash`.
_diligent() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local place=diligent number
    COMPREPLY=()
    for ((number = 1; number < COMP_CWORD; number++)); do
        case "$place ${COMP_WORDS[number]}" in
"""
DEEPER = '            {places}) place="$place ${{COMP_WORDS[number]}}" ;;\n'
AFTER_PLACE = """\
            *) break ;;
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
complete -o default -F _diligent diligent
"""


def script(places: Places) -> str:
    """The script; offers nothing where only the user knows what comes, and file names only where files are taken."""
    deeper = "|".join(f'"{place.name}"' for place in places[1:])
    lines = [HEAD, DEEPER.format(places=deeper), AFTER_PLACE]
    lines += [_value(place, flag) for place in places for flag in place.flags if flag.values != "none"]
    lines.append(AFTER_VALUES)
    lines += [_words(place) for place in places]
    lines.append(TAIL)
    return "".join(lines)


def _value(place: Place, flag: Flag) -> str:
    pattern = "|".join(f'"{place.name}:{name}"' for name in flag.names)
    match flag.values:
        case "folders":
            does = 'COMPREPLY=($(compgen -d -- "$current")); return'
        case "files":
            does = "return"
        case _ if flag.words:
            does = f"COMPREPLY=($(compgen -W '{' '.join(flag.words)}' -- \"$current\")); return"
        case _ if flag.value_is_optional:
            return ""
        case _:
            does = "compopt +o default 2>/dev/null; return"
    return f"        {pattern}) {does} ;;\n"


def _words(place: Place) -> str:
    flags = [name for flag in place.flags for name in flag.names]
    offered = [*(word.text for word in place.commands), *place.words, *flags]
    files = "" if place.takes_files else "compopt +o default 2>/dev/null; "
    return f'        "{place.name}") {files}COMPREPLY=($(compgen -W \'{" ".join(offered)}\' -- "$current")) ;;\n'
