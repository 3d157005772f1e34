"""The completion script for fish."""

from diligent_tui.cli.completion_words import Flag, Places

HEAD = """\
# Completion of diligent for fish. Made by `diligent completion fish`.
function __diligent_at
    set -l place diligent
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        switch "$place $word"
            case {places}
                set place "$place $word"
            case '*'
                break
        end
    end
    test "$place" = "$argv[1]"
end
complete -c diligent -f
"""


def script(places: Places) -> str:
    """The script, one line for each word at each place."""
    deeper = " ".join(f"'{place.name}'" for place in places[1:])
    lines = [HEAD.format(places=deeper)]
    for place in places:
        at = f"complete -c diligent -n '__diligent_at \"{place.name}\"'"
        lines += [f"{at} -a {word.text} -d {_quoted(word.help)}\n" for word in place.commands]
        lines += [f"{at} -a {_quoted(word)}\n" for word in place.words]
        if place.takes_files:
            lines.append(f"{at} -F\n")
        lines += [f"{at} {_flag(flag)}\n" for flag in place.flags]
    return "".join(lines)


def _flag(flag: Flag) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names]
    return " ".join([*names, *_values(flag), "-d", _quoted(flag.help)])


def _values(flag: Flag) -> list[str]:
    match flag.values:
        case "none":
            return []
        case "folders":
            return ["-x", "-a", "'(__fish_complete_directories)'"]
        case "files":
            return ["-r", "-F"]
        case "words":
            return ["-x", "-a", _quoted(" ".join(flag.words))] if flag.words else ["-x"]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
