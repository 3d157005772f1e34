"""The commands inside a command: behind programs that run their words, and in the text given to a shell."""

import re
from collections.abc import Iterator
from itertools import pairwise

from diligent_tui.tools.shell.parser import CommandList, SimpleCommand, parse

_WRAPPERS_WORDS = """
env nice ionice nohup setsid timeout stdbuf xargs command busybox toybox unshare watch strace ltrace parallel
flock time caffeinate script entr find sudo doas su pkexec chroot chrt taskset systemd-run
"""
WRAPPERS = frozenset(_WRAPPERS_WORDS.split())
_SHELLS_WORDS = "sh bash dash zsh ksh fish ash"
SHELLS = frozenset(_SHELLS_WORDS.split())
CODE_FLAG = re.compile(r"-[a-z]*c")
MOST_DEPTH = 3


class TooDeep(Exception):
    """A command inside a command inside a command: what runs cannot be said."""


def name_of(program: str) -> str:
    """The name of a program without its folder."""
    return program.rpartition("/")[2]


def commands_within(parsed: CommandList, depth: int = 0) -> Iterator[tuple[int, SimpleCommand]]:
    """Each simple command with its place in the list, then all that it might run; raises TooDeep, or if unreadable."""
    for at, simple in enumerate(parsed.commands):
        for inner in _within(simple, depth):
            yield at, inner


def _within(simple: SimpleCommand, depth: int) -> Iterator[SimpleCommand]:
    yield simple
    if name_of(simple.program) in WRAPPERS:
        # Which word begins the inner command depends on the wrapper's flags; any of them might.
        for at in range(1, len(simple.words)):
            if not simple.words[at].text.startswith("-"):
                inner = SimpleCommand(simple.words[at:])
                yield inner
                yield from _given_to_shell(inner, depth)
    yield from _given_to_shell(simple, depth)


def _given_to_shell(simple: SimpleCommand, depth: int) -> Iterator[SimpleCommand]:
    if name_of(simple.program) not in SHELLS:
        return
    texts = simple.texts
    for flag, code in pairwise(texts):
        if not CODE_FLAG.fullmatch(flag):
            continue
        inner = parse(code)
        if inner is None or depth >= MOST_DEPTH:
            raise TooDeep
        for _, found in commands_within(inner, depth + 1):
            yield found
