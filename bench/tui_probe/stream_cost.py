"""Streams texts of one shape through the real app without a terminal: `stream_cost.py SHAPE KILOBYTES ROUNDS`.

Prints, as JSON, the least CPU seconds of rendering the text once, of streaming it, and of streaming twice as much.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.agent.session import AgentSession
from diligent_tui.domain.events import Event, StepStarted, TextDelta, TurnFinished, TurnStarted
from diligent_tui.domain.plain_text import clean
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.offline.markdown import markdown
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.markdown import render
from diligent_tui.ui.markdown_looks import look_for
from diligent_tui.ui.opening import Opening

CHUNK_CHARS = 24
SIZE = (120, 40)
ROOM_COLUMNS = 116
TOKEN_CHARS = 4
CODE_LINE = '    total_{n} = sum(part.weight for part in parts if part.name != "{n}")  # so many grams\n'
TABLE_ROW = "| part {n} | `{n}` grams | from the **left** shelf of room {n} |\n"


def text_of(shape: str, chars: int) -> str:
    """A text of a shape and about so many characters."""
    match shape:
        case "fence":
            return f"```python\n{_lines(CODE_LINE, chars)}```\n"
        case "table":
            return f"| part | weight | place |\n|---|---:|---|\n{_lines(TABLE_ROW, chars)}"
        case _:
            return markdown(chars // TOKEN_CHARS, "end")


def _lines(line: str, chars: int) -> str:
    found: list[str] = []
    left = chars
    for number in count(1):
        if left <= 0:
            break
        found.append(line.replace("{n}", str(number)))
        left -= len(found[-1])
    return "".join(found)


def events_of(name: str, text: str) -> Iterable[Event]:
    """A turn whose answer is the text, in chunks."""
    yield TurnStarted(name, "Go on.")
    yield StepStarted(name, f"message-{name}", 1, "offline/rehearsal")
    for begin in range(0, len(text), CHUNK_CHARS):
        yield TextDelta(f"message-{name}", text[begin : begin + CHUNK_CHARS])
    yield TurnFinished(name, "end_turn", 1, Usage(), 0.0)


async def stream(pilot: Pilot[int], core: Core, session: AgentSession, name: str, text: str) -> float:
    """Publish as fast as the loop takes it, one event a pass; the CPU time until the end of it is painted."""
    begun_s = time.process_time()
    for event in events_of(name, text):
        session.hub.publish(event)
        await asyncio.sleep(0)
    while core.is_behind:
        await pilot.pause(0.005)
    await pilot.pause()
    return time.process_time() - begun_s


async def measure(shape: str, chars: int, rounds: int) -> dict[str, float]:
    """The least of each over rounds that take them in turn, and how many widgets there are at the end."""
    small, large = text_of(shape, chars), text_of(shape, 2 * chars)
    least: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        opening = Opening(Path(folder), {"HOME": folder, "PATH": ""}, model="offline/rehearsal")
        app = DiligentApp(opening)
        async with app.run_test(size=SIZE) as pilot:
            while app.core is None or app.core.session is None:
                await pilot.pause(0.01)
            core, session = app.core, app.core.session
            await stream(pilot, core, session, "warm", text_of(shape, 2_000))
            for number in range(rounds):
                begun_s = time.process_time()
                render(clean(small), ROOM_COLUMNS, look_for("dark"))
                found = {"render": time.process_time() - begun_s}
                found["small"] = await stream(pilot, core, session, f"small-{number}", small)
                found["large"] = await stream(pilot, core, session, f"large-{number}", large)
                least = {key: min(value, least.get(key, value)) for key, value in found.items()}
            least["widgets"] = len(app.screen.walk_children(with_self=True))
    return least


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(sys.argv[1], int(sys.argv[2]) * 1_000, int(sys.argv[3])))))
