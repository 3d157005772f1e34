"""Which shell commands are known to do no harm: plain words of known programs; everything else is not known.

The question is never "is this dangerous", for no list of dangers is ever complete. A command passes only if every
character, each program, each of its flags and each of its paths is one that we know.
"""

import shutil
from dataclasses import replace
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.environment import safe_search_path
from diligent_tui.tools.paths import locate
from diligent_tui.tools.shell.known import BUILT_INTO_THE_SHELL, KNOWN
from diligent_tui.tools.shell.open_files import is_open, names_for
from diligent_tui.tools.shell.parser import CommandList, SimpleCommand, parse


def is_harmless(command: str, workplace: Workplace, search_path: str) -> bool:
    """True only for a command that reads at most what lies open in the workspace, and changes nothing."""
    parsed = parse(command)
    return parsed is not None and all(harmless_parts(parsed, workplace, search_path))


def harmless_parts(parsed: CommandList, workplace: Workplace, search_path: str) -> list[bool]:
    """For each simple command of a list, whether it is known to do no harm where it would run."""
    place: Workplace | None = workplace
    parts: list[bool] = []
    for at, simple in enumerate(parsed.commands):
        if place is not None and simple.program == "cd":
            place = _moved(simple, place) if at == 0 and _goes_on_only_if_it_went_well(parsed) else None
            parts.append(place is not None)
        else:
            parts.append(place is not None and is_harmless_alone(simple, place, search_path))
    return parts


def is_harmless_alone(simple: SimpleCommand, workplace: Workplace, search_path: str) -> bool:
    """Whether one simple command is known to do no harm."""
    rule = KNOWN.get(simple.program)
    if rule is None or not _is_the_systems_own(simple.program, workplace, search_path):
        return False
    words: list[str] = []
    for word in simple.words[1:]:
        names = names_for(word.text, workplace) if word.has_glob else [word.text]
        if names is None:
            return False
        words += names
    reads = [word.text for word in simple.reads]
    return all(path == "/dev/null" or is_open(path, workplace) for path in reads) and rule(words, workplace)


def _moved(simple: SimpleCommand, workplace: Workplace) -> Workplace | None:
    """Where the commands behind a `cd` would run; None if that is not a folder of the workspace."""
    texts = simple.texts
    if len(texts) != 1 or texts[0].startswith("-") or simple.words[1].has_glob or simple.reads:
        return None
    if not is_open(texts[0], workplace):
        return None
    folder = locate(texts[0], workplace).real
    return replace(workplace, cwd=folder) if folder.is_dir() else None


def _goes_on_only_if_it_went_well(parsed: CommandList) -> bool:
    """Behind `;` or `||` a command would also run in the folder that was not left."""
    return parsed.operators[:1] != ("|",) and set(parsed.operators) <= {"&&", "|"}


def _is_the_systems_own(program: str, workplace: Workplace, search_path: str) -> bool:
    """Not a file of the workspace that happens to be called `ls` and to come first in PATH."""
    if program in BUILT_INTO_THE_SHELL:
        return True
    found = shutil.which(program, path=safe_search_path(search_path))
    # A shim runs what a file of the project names.
    if found is None or "shims" in Path(found).parts:
        return False
    return not any(locate(str(path), workplace).is_inside for path in (Path(found), Path(found).parent))
