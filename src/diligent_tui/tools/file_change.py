"""What the tools that change a file have in common: judged on the diff, and made only on the file as it was judged."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.paths import Located
from diligent_tui.tools.seen_files import SeenFiles
from diligent_tui.tools.writing import Drafting, Writing

Wish = Callable[[JsonObject, Workplace], tuple[Located, Drafting]]
"""Reads the arguments of a call: which file, and what is to become of it."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A tool that changes one file; a subclass names its `wish` and its `spec`."""

    wish: ClassVar[Wish]
    writing: Writing = field(default_factory=lambda: Writing(SeenFiles()))
    read_only: bool = False

    def subject(self, arguments: JsonObject) -> str:
        """The file as it was given."""
        return str(arguments.get("path") or "")

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Asked on the diff, unless the mode allows it."""
        located, drafting = self.wish(arguments, workplace)
        return self.writing.judge(arguments, located, drafting, mode, workplace)

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Change the file, if it still is as it was judged."""
        located, drafting = self.wish(arguments, call.workplace)
        return await self.writing.make(arguments, located, drafting, call)
