"""What a command says: shown live, kept within a limit, and whole in a file when it is longer."""

import asyncio
from pathlib import Path

from diligent_tui.tools.base import Call
from diligent_tui.tools.live_output import LiveOutput
from diligent_tui.tools.output import HeadTail, TextStream
from diligent_tui.tools.paths import shown_name
from diligent_tui.tools.spill import Spill

WRITE_AT_BYTES = 262_144
# The sentences around a cut output count as output too.
SENTENCES_BYTES = 1_024


class Capture:
    """Receives the bytes of one command; memory stays small whatever their number."""

    def __init__(self, call: Call) -> None:
        """Nothing is written until the output is longer than its limit."""
        limit_bytes = call.workplace.output_limit_bytes
        self._ends = HeadTail(max(limit_bytes - SENTENCES_BYTES, limit_bytes // 2))
        self._text = TextStream()
        self._live = LiveOutput(call.say)
        self._spill = Spill(call.workplace.spill_folder / f"{call.entry_id}.txt")
        self._root = call.workplace.root
        self._unsaved = bytearray()

    async def receive(self, data: bytes) -> None:
        """Take the next bytes; the file is written in a thread, and the command waits for it."""
        self._take(self._text.feed(data))
        if self._spill.problem:
            return
        self._unsaved += data
        if self._ends.is_cut and len(self._unsaved) >= WRITE_AT_BYTES:
            await self._save()

    async def finish(self) -> str:
        """The text to keep, with a word on what is left out and where the whole is."""
        self._take(self._text.close())
        if self._ends.is_cut:
            await self._save()
            await asyncio.to_thread(self._spill.finish)
        self.close()
        kept = self._ends.kept()
        if not kept.left_out_bytes:
            return kept.head
        middle = f"[… {kept.left_out_bytes:,} bytes left out …]\n"
        closing = f"[shown: {kept.shown_bytes:,} of {self._ends.total_bytes:,} bytes. {self._whereabouts()}]"
        return _line(kept.head) + middle + _line(kept.tail) + closing

    def close(self) -> None:
        """Show what still waits and let go of the file; what was written stays."""
        self._live.close()
        self._spill.close()

    @property
    def spill_name(self) -> str | None:
        """The name of the file with the whole output, if one was needed."""
        return self._spill.path.name if self._spill.saved_bytes else None

    def _take(self, text: str) -> None:
        self._ends.feed(text.encode())
        self._live.feed(text)

    async def _save(self) -> None:
        data, self._unsaved = bytes(self._unsaved), bytearray()
        await asyncio.to_thread(self._spill.write, data)

    def _whereabouts(self) -> str:
        spill = self._spill
        if not spill.saved_bytes:
            return f"The whole could not be saved: {spill.problem}"
        name = f"{spill.saved_bytes:,} bytes are in {_shown_path(spill.path, self._root)}"
        return f"{name}. {spill.problem}" if spill.problem else f"All {name}: read it with offset and limit."


def _shown_path(path: Path, root: Path) -> str:
    return shown_name(str(path.relative_to(root) if path.is_relative_to(root) else path))


def _line(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"
