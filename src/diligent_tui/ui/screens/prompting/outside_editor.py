"""Lends the terminal to an editor of the user's own and brings back what was written; the agent works on meanwhile."""

import asyncio
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType

from diligent_tui.config.reading import read_plain
from diligent_tui.domain.errors import UsageError
from diligent_tui.domain.plain_text import mend_surrogates

USUAL_EDITORS = ("nano", "vim", "vi")
LARGEST_TEXT_BYTES = 16_000_000
FILE_NAME = "prompt.md"


def editor_of(environ: Mapping[str, str]) -> list[str]:
    """The command of the user's editor; raises UsageError if there is none."""
    said = environ.get("VISUAL", "").strip() or environ.get("EDITOR", "").strip()
    try:
        words = shlex.split(said)
    except ValueError:
        words = []
    if not words:
        words = [name for name in USUAL_EDITORS if shutil.which(name, path=environ.get("PATH"))][:1]
    if not words:
        raise UsageError("No editor is known.", "Set VISUAL or EDITOR to the command of one.")
    return words


async def edit_outside(
    text: str, environ: Mapping[str, str], lend: Callable[[], AbstractContextManager[None]]
) -> str | None:
    """What the user made of a text; None if the editor ended badly. `lend` gives the terminal away for a while."""
    command = editor_of(environ)
    with tempfile.TemporaryDirectory(prefix="diligent-") as folder:
        file = Path(folder) / FILE_NAME
        await asyncio.to_thread(file.write_text, mend_surrogates(text), "utf-8")
        with lend():
            is_done = await _run([*command, str(file)], environ)
        if not is_done:
            return None
        try:
            written = await asyncio.to_thread(read_plain, file, LARGEST_TEXT_BYTES)
        except OSError as error:
            raise UsageError("What was written cannot be read.", "The prompt is as it was.") from error
    return written.decode("utf-8", "replace").removesuffix("\n")


async def _run(command: list[str], environ: Mapping[str, str]) -> bool:
    # Ctrl+C in the editor is for the editor; with a handler of ours its own begins as usual.
    before = signal.signal(signal.SIGINT, _pass_over)
    try:
        process = await asyncio.create_subprocess_exec(*command, env=dict(environ))
        try:
            return await process.wait() == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be started: {error.strerror}.", "Set VISUAL or EDITOR.") from error
    finally:
        signal.signal(signal.SIGINT, before)


def _pass_over(_number: int, _frame: FrameType | None) -> None:
    """Nothing is stopped."""
