"""Prints what a key costs on large things against small ones, in seconds of CPU: an output of 200 MB, a long diff."""

import asyncio
import gc
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from textual.pilot import Pilot

from diligent_tui.domain.events import PermissionRequested
from diligent_tui.ui.screens.permission import PermissionScreen
from tests.ui.panes.tools_stage import ToolsApp, Workshop
from tests.ui.permission_stage import PermissionStage

Result = TypeVar("Result")
SIZE = (120, 40)
ROUNDS = 5
LINE = b"a line of output that is about as long as lines of output are, and then a little longer\n"
SMALL_LINES, LARGE_LINES = 250, 2_500
SMALL_BYTES, LARGE_BYTES = 1_000_000, 200_000_000
KEYS: Sequence[str] = ("G", *["pageup"] * 10, "g", *["pagedown"] * 10, *["j"] * 20)
DIFF_KEYS: Sequence[str] = ("end", *["pageup"] * 10, "home", *["pagedown"] * 10, *["down"] * 20)


async def output_seconds(folder: Path, size_bytes: int) -> float:
    """The mean cost of a key in the whole of an output."""
    with (folder / "e.txt").open("wb") as file:
        for _ in range(size_bytes // (len(LINE) * 1_000)):
            file.write(LINE * 1_000)
    shop = Workshop()
    shop.use("bash", {"command": "make"}, "head … tail", spill="e.txt")
    app = ToolsApp(shop, spills=folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        return await _cost(pilot, KEYS)


async def diff_seconds(lines: int) -> tuple[float, float]:
    """What it costs to show a question on a diff, and the mean cost of a key in it."""
    removed = "".join(f"-    value = compute({n}, 'before')\n" for n in range(lines))
    added = "".join(f"+    value = compute({n}, 'after')\n" for n in range(lines))
    diff = f"--- a.py\n+++ a.py\n@@ -1,{lines} +1,{lines} @@\n{removed}{added}"
    app = PermissionStage()
    async with app.run_test(size=SIZE) as pilot:
        await app.ask(PermissionRequested("0", "edit", "a.py", "First, so that all is loaded.", diff[:200]))
        await pilot.press("n")
        # What programs before this one left is not its cost.
        gc.collect()
        began = time.process_time()
        await app.ask(PermissionRequested("1", "edit", "a.py", "It would be changed.", diff))
        await pilot.pause()
        shown = time.process_time() - began
        return shown, await _cost(pilot, DIFF_KEYS)


async def _cost(pilot: Pilot[Result], keys: Sequence[str]) -> float:
    await pilot.pause()
    began = time.process_time()
    for key in keys:
        await pilot.press(key)
    await pilot.pause()
    return (time.process_time() - began) / len(keys)


async def _measure() -> dict[str, float]:
    PermissionScreen.GRACE_SECONDS = 0.0
    with tempfile.TemporaryDirectory() as folder:
        small, large = [await output_seconds(Path(folder), size) for size in (SMALL_BYTES, LARGE_BYTES)]
    # In turn, so that a process that grew or a machine that was busy weighs on both.
    rounds = [[await diff_seconds(lines) for lines in (SMALL_LINES, LARGE_LINES)] for _ in range(ROUNDS)]
    (few_shown, few), (many_shown, many) = (
        [min(each) for each in zip(*size, strict=True)] for size in zip(*rounds, strict=True)
    )
    return {
        "small output": small,
        "large output": large,
        "small diff": few,
        "large diff": many,
        "small diff shown": few_shown,
        "large diff shown": many_shown,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_measure())))
