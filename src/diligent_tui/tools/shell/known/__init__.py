"""The programs that are known to only read, each with the flags and paths with which it does."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from diligent_tui.tools.base import Workplace
from diligent_tui.tools.shell.known.git import GIT
from diligent_tui.tools.shell.known.reading import READING
from diligent_tui.tools.shell.known.searching import SEARCHING
from diligent_tui.tools.shell.known.telling import TELLING

Rule = Callable[[Sequence[str], Workplace], bool]
"""Whether a program with these words reads at most what lies open in the workspace, and changes nothing."""

KNOWN: Mapping[str, Rule] = MappingProxyType({**TELLING, **READING, **SEARCHING, **GIT})
BUILT_INTO_THE_SHELL = frozenset({"type", "command", "echo", "printf", "pwd", "true", "false", "test"})
