"""What a command would destroy outside the workspace, or beyond repair in it; asked about in every mode.

Unlike `harmless`, this is a list of dangers and so never complete: a net under the mode that asks for nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from diligent_tui.domain.errors import ToolError
from diligent_tui.tools.base import Workplace
from diligent_tui.tools.paths import locate
from diligent_tui.tools.shell.open_files import names_for
from diligent_tui.tools.shell.parser import CommandList, SimpleCommand, parse
from diligent_tui.tools.shell.reach import reached, shown_paths
from diligent_tui.tools.shell.within import MOST_DEPTH, SHELLS, WRAPPERS, name_of
from diligent_tui.tools.shell.words import Word

_REMOVERS_WORDS = "rm rmdir unlink shred truncate srm trash wipe"
REMOVERS = frozenset(_REMOVERS_WORDS.split())
_CHANGERS_WORDS = """
mv cp ln install tee touch mkdir chmod chown chgrp setfacl rsync scp tar unzip patch dd
"""
CHANGERS = frozenset(_CHANGERS_WORDS.split())
SYSTEM = re.compile(
    r"""
    mkfs(?:\.\w+)? | wipefs | fdisk | sfdisk | parted | mkswap | blkdiscard | diskutil | shutdown | reboot | halt
    | poweroff | init | telinit | systemctl | launchctl | crontab | at | useradd | userdel | usermod | passwd | visudo
    | iptables | nft | mount | umount | swapoff | insmod | rmmod | modprobe | dropdb | sudo | doas | su
    | pkexec | chroot
    """,
    re.VERBOSE,
)
_INTERPRETERS_WORDS = "python python3 perl ruby node deno php lua tclsh"
INTERPRETERS = frozenset(_INTERPRETERS_WORDS.split())
FEEDERS = frozenset({"xargs", "parallel"})
REMOVES_IN_CODE = re.compile(r"rmtree|removedirs|rmdir|unlink|rmSync|rm_rf|rimraf|os\.remove|File\.delete|\brm\b")
# Where a command cannot be read, these names in it are enough for a question.
NAMES_IN_TEXT = re.compile(
    r"(?<![\w-])(?:rm|rmdir|unlink|shred|dd|mkfs|wipefs|truncate|eval|sudo|doas|rmtree|rmSync|rimraf|removedirs|shutdown|reboot)"
    r"(?![\w-])|-delete\b|\bclean +-\w*f|--force\b|--delete\b"
)
INTO_SHELL = re.compile(
    r"(?:\||<\(|>\()[ \t]*(?:sudo +)?(?:\S*/)?(?:ba|da|z|k|fi|a)?sh\b|(?:source|\.|(?:ba|z)?sh) +<\("
)
WRITTEN = re.compile(r""">>?\|?[ \t]*["']?([^\s;|&<>()"']+)""")
HOME = re.compile(r"\$HOME\b|\$\{HOME\}")


def destruction(command: str, workplace: Workplace, depth: int = 0) -> str:
    """What must be asked about a command in every mode, as the beginning of a sentence; empty if nothing."""
    if depth > MOST_DEPTH:
        return "A command inside a command inside a command cannot be looked through"
    parsed = parse(command)
    if parsed is None:
        return _destruction_in_text(command, workplace)
    return next(filter(None, _dangers(parsed, workplace, depth)), "")


def _dangers(parsed: CommandList, workplace: Workplace, depth: int) -> Iterator[str]:
    place = workplace
    for at, simple in enumerate(parsed.commands):
        if simple.program == "cd":
            place = _moved(simple, place)
            continue
        if name_of(simple.program) in FEEDERS and any(name_of(word.text) in REMOVERS for word in simple.words):
            yield f"{name_of(simple.program)} takes from its input what is removed"
        is_piped = at > 0 and parsed.operators[at - 1] == "|"
        for inner in _unwrapped(simple):
            yield _Look(inner, place, is_piped, depth).danger()


def _unwrapped(simple: SimpleCommand) -> Iterator[SimpleCommand]:
    """The command, and behind a program that runs its words whatever could be the command."""
    yield simple
    if name_of(simple.program) in WRAPPERS:
        for at, word in enumerate(simple.words[1:], start=1):
            name = name_of(word.text)
            if name in REMOVERS | CHANGERS | SHELLS | INTERPRETERS or SYSTEM.fullmatch(name):
                yield SimpleCommand(simple.words[at:])


@dataclass(frozen=True, slots=True)
class _Look:
    """One simple command, where it would run."""

    simple: SimpleCommand
    workplace: Workplace
    is_piped: bool
    depth: int

    def danger(self) -> str:
        name = name_of(self.simple.program)
        texts = self.simple.texts
        if SYSTEM.fullmatch(name):
            return f"{name} acts on the system, not on the project"
        if name in REMOVERS | CHANGERS:
            return self._reaches(name, self._paths(name))
        if name == "find":
            return self._find()
        if name == "git":
            return _git(texts)
        if name in SHELLS or name in INTERPRETERS:
            return self._code(name, texts)
        return ""

    def _paths(self, name: str) -> list[str]:
        words = [word for word in self.simple.words[1:] if not word.text.startswith("-") or len(word.text) == 1]
        if name in ("chmod", "chown", "chgrp"):
            words = words[1:]
        elif name == "dd":
            words = [Word(word.text[3:]) for word in words if word.text.startswith("of=")]
        # What is only read from may lie anywhere.
        elif name in ("cp", "install", "ln", "rsync", "scp"):
            words = words[-1:]
        return [path for word in words for path in self._names(word)]

    def _names(self, word: Word) -> list[str]:
        if not word.has_glob:
            return [word.text]
        folder = word.text.rpartition("/")[0]
        if word.text.rpartition("/")[2] == "*":
            # All that is in a folder is the folder.
            return [folder or "."]
        return names_for(word.text, self.workplace) or [folder or "."]

    def _reaches(self, name: str, paths: Sequence[str]) -> str:
        found = reached(paths, self.workplace, removes=name in REMOVERS or name == "mv")
        return f"{name} would reach {shown_paths(found)}" if found else ""

    def _find(self) -> str:
        texts = self.simple.texts
        if not any(text.startswith(("-delete", "-exec", "-ok", "-fprint", "-fls")) for text in texts):
            return ""
        starts: list[str] = []
        for text in texts:
            if text.startswith("-") and text not in ("-H", "-L", "-P"):
                break
            starts.append(text)
        if "-L" in starts:
            return "find -L would follow links out of the workspace"
        found = reached(
            [start for start in starts if not start.startswith("-")] or ["."], self.workplace, removes=False
        )
        return f"find would reach {shown_paths(found)}" if found else ""

    def _code(self, name: str, texts: Sequence[str]) -> str:
        flags = [at for at, text in enumerate(texts) if re.fullmatch(r"-[a-z]*[ce]", text)]
        if flags and flags[0] + 1 < len(texts):
            code = texts[flags[0] + 1]
            if name in SHELLS:
                return destruction(code, self.workplace, self.depth + 1)
            return f"This {name} code may delete files" if REMOVES_IN_CODE.search(code) else ""
        if self.is_piped and all(text.startswith("-") for text in texts):
            return f"What is piped into {name} would be run unseen"
        return ""


def _git(texts: Sequence[str]) -> str:
    verb = next((text for text in texts if not text.startswith("-")), "")
    if verb == "clean" and any(re.fullmatch(r"-\w*f\w*|--force", text) for text in texts):
        return "git clean deletes files that git does not keep"
    if verb == "push" and any(re.fullmatch(r"-\w*[fd]\w*|--(?:force|delete|mirror|prune)\S*", text) for text in texts):
        return "git push would overwrite or delete what others may have"
    return ""


def _destruction_in_text(command: str, workplace: Workplace) -> str:
    """The same of a command that cannot be read: what it names is taken for what it does."""
    if INTO_SHELL.search(command):
        return "What is piped into a shell would be run unseen"
    if named := NAMES_IN_TEXT.search(command):
        return f"This command cannot be read with certainty, and there is `{named.group()}` in it"
    for target in WRITTEN.findall(command):
        path = HOME.sub("~", target)
        if path.startswith(("/dev/null", "/dev/std", "$", "&")):
            continue
        found = reached([path], workplace, removes=False)
        if found:
            return f"This would write to {shown_paths(found)}"
    return ""


def _moved(simple: SimpleCommand, workplace: Workplace) -> Workplace:
    """Where the commands behind a `cd` would run, as far as one can tell."""
    target = simple.texts[0] if simple.texts else str(Path.home())
    try:
        return replace(workplace, cwd=locate(target, workplace).real)
    except ToolError:
        return workplace
