"""Commands made from hostile and ordinary ones by cutting, joining and slipping in, and what is wrong with one.

What is wrong is told by two witnesses that know nothing of the parser: bash itself, in a shell that can run nothing,
says which words it would run, and a list of dangers says which of those words do harm.
"""

import os
import random
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.harmless import is_harmless
from diligent_tui.tools.shell.known import BUILT_INTO_THE_SHELL, KNOWN
from diligent_tui.tools.shell.open_files import names_for
from diligent_tui.tools.shell.parser import parse
from tests.tools.hostile_commands import HOSTILE, furnish
from tests.tools.ordinary_commands import ORDINARY

SLIPPED_IN = (
    *("; evil", "\nevil", " | evil", " && evil", " || evil", " & evil", "&evil", "$(evil)", "`evil`", '"$(evil)"'),
    *(
        ";",
        "|",
        "&",
        "&&",
        "\n",
        "\r",
        "\t",
        " ",
        "'",
        '"',
        "\\",
        "\\\n",
        "$",
        "`",
        "#",
        "!",
        "*",
        "?",
        "~",
        "=",
        "-",
        "--",
    ),
    *(
        "{a,b}",
        "[a]",
        "(",
        ")",
        "<",
        ">",
        ">x",
        " > x",
        " 2>&1",
        " 2>/dev/null",
        " < .env",
        "$'\\x2d'",
        "$x",
        "${x}",
        "@",
    ),
    *(
        " -delete",
        " -exec evil {} \\;",
        " -ok evil ;",
        " -fprint x",
        " -o x",
        " --output=x",
        " --pre=evil",
        " -i",
        " -f x",
    ),
    *(" -c core.pager=evil", " --ext-diff", " -Oevil", " --compress-program=evil", " --in-place", " -C /etc", " -L"),
    *(
        " /etc/passwd",
        " .env",
        " ../x",
        " out/passwd",
        " ~/x",
        " keys/server.pem",
        " passwd_link",
        " src/leak.txt",
        " evil",
    ),
    *(
        "X=1 ",
        "evil ",
        "env ",
        "sudo ",
        "command ",
        "eval ",
        "time ",
        "cd .. && ",
        "cd out; ",
        "\u200b",
        "\u202e",
        "\x1b[2J",
    ),
)
TRACED = re.compile(r"\++ (.*)")
NOT_RUN = re.compile(r"[<>]|kill|wait|read|exit|logout|suspend|ulimit")
"""Redirections are refused by a shell that can run nothing, and some words act on the shell itself."""
FILE_READERS = frozenset(
    [
        "cat",
        "head",
        "tail",
        "wc",
        "ls",
        "sort",
        "uniq",
        "nl",
        "tac",
        "file",
        "stat",
        "du",
        "diff",
        "od",
        "sha256sum",
        "cmp",
    ]
)
DANGERS = {
    "find": re.compile(r"-(?:exec|ok|delete|fprint|fls|files0).*|-[HLD]|-follow"),
    "sort": re.compile(r"-[a-zA-Z]*[oT].*|--(?:o|comp|files|temp).*"),
    "rg": re.compile(r"--(?:pre|hostname|file$|file=|search-zip|follow|ignore-file).*|-[a-zA-Z]*[fzL].*"),
    "grep": re.compile(r"(?!-e)-[a-zA-Z]*f.*|--file.*"),
    "fd": re.compile(r"(?!-[eEt])-[a-zA-Z]*[xXlL].*|--exec.*"),
    "tree": re.compile(r"(?!-[IPL])-[a-zA-Z]*[oRlH]|--fromfile.*"),
    "git": re.compile(r"--(?:output|ext-diff|textconv|no-index|exec|git-dir|work-tree|config|show-sig).*|-O.*"),
    "sed": re.compile(r"-[a-zA-Z]*[ifs].*|--(?:in|file).*"),
    "tail": re.compile(r"-[a-zA-Z]*[fF].*|--(?:follow|retry|pid).*"),
    "date": re.compile(r"-[a-zA-Z]*[sfr].*|--(?:s|f|r).*|[0-9].*"),
    "jq": re.compile(r"-[a-zA-Z]*[fL].*|--(?:from|raw-?file|slurpfile).*"),
}


@dataclass(frozen=True)
class Jail:
    """A furnished workspace whose known programs are all there, and a bash that can run none of them."""

    workplace: Workplace
    search_path: str

    @classmethod
    def make(cls, folder: Path) -> "Jail":
        root, programs = folder / "workspace", folder / "programs"
        root.mkdir()
        programs.mkdir()
        furnish(root)
        for name in {*KNOWN} - BUILT_INTO_THE_SHELL:
            (programs / name).touch(0o755)
        return cls(Workplace(root, root, 20_000, root / ".diligent"), f"{programs}:{os.environ['PATH']}")

    def flaw(self, command: str) -> str:
        """What is wrong with a command that was let through; empty if it was not, or if all is well."""
        if not is_harmless(command, self.workplace, self.search_path):
            return ""
        understood = self.understood(command)
        for words in understood:
            if harm := self._harm(words):
                return f"{harm}: {command!r}"
        if NOT_RUN.search(command):
            return ""
        beyond = Counter(map(tuple, self.traced(command))) - Counter(map(tuple, understood))
        return f"bash would run {list(beyond)}: {command!r}" if beyond else ""

    def understood(self, command: str) -> list[list[str]]:
        """The simple commands as the parser sees them, patterns replaced by names."""
        parsed = parse(command)
        assert parsed is not None
        found: list[list[str]] = []
        for simple in parsed.commands:
            words = [simple.program]
            for word in simple.words[1:]:
                words += (names_for(word.text, self.workplace) or []) if word.has_glob else [word.text]
            found.append(words)
        return found

    def traced(self, command: str) -> list[list[str]]:
        """The simple commands as bash runs them, or would if it found their programs."""
        environ = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
        done = subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-r", "-x", "-c", command],
            cwd=self.workplace.root,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=30,
        )
        lines = done.stderr.decode("utf-8", "replace").split("\n")
        return [shlex.split(found[1]) for found in map(TRACED.fullmatch, lines) if found]

    def _harm(self, words: Sequence[str]) -> str:
        program, *rest = words
        danger = DANGERS.get(program)
        ahead = rest[: rest.index("--")] if "--" in rest else rest
        flags = [word for word in ahead if word.startswith("-")]
        if program == "git" and flags[:1] == ["-c"] and rest[:1] == ["-c"]:
            return "git with a setting of its own"
        if danger and any(danger.fullmatch(word) for word in flags):
            return f"{program} with a flag that does harm"
        scripts = [word for word in rest if not word.startswith("-")][:1] if program == "sed" else []
        if any(set(re.sub("/[^/]*/", "", script)) & set("werRWFsyiacl") for script in scripts):
            return "sed with a script that does harm"
        if program in FILE_READERS:
            for word in rest:
                if not word.startswith("-") and not self._is_ours(word):
                    return f"{program} reads {word}"
        return "" if program in KNOWN or program == "cd" else f"{program} is run"

    def _is_ours(self, path: str) -> bool:
        root = str(self.workplace.root)
        # After a change of folder a word is looked up from there.
        places = [os.path.realpath(f"{folder}/{path}") for folder in (root, f"{root}/src")]
        return any(place.startswith(root) and not re.search(r"\.env$|\w\.pem$", place) for place in places)


def mutated(chance: random.Random) -> str:
    """A command that nobody thought of."""
    command = chance.choice(HOSTILE if chance.random() < 0.5 else ORDINARY)[:300]
    for _ in range(chance.randint(1, 4)):
        command = _changed(command, chance)
    return command


def _changed(command: str, chance: random.Random) -> str:
    at = chance.randint(0, len(command))
    match chance.randint(0, 5):
        case 0 | 1:
            return command[:at] + chance.choice(SLIPPED_IN) + command[at:]
        case 2:
            return command[:at] + command[at + chance.randint(1, 3) :]
        case 3:
            joint = chance.choice((" && ", " | ", "; ", "\n", " ", " || ", "", " & "))
            return command + joint + chance.choice((*HOSTILE, *ORDINARY))[:200]
        case 4:
            words = command.split(" ")
            chance.shuffle(words)
            return " ".join(words)
        case _:
            end = min(len(command), at + chance.randint(1, 8))
            quote = chance.choice(("'", '"', "\\"))
            return command[:at] + quote + command[at:end] + (quote if quote != "\\" else "") + command[end:]
