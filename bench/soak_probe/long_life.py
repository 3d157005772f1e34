"""A long life of the real app without a terminal: `long_life.py TURNS COMPACTIONS SWITCHES` prints it as JSON.

Each turn runs a command that says a megabyte. In between it is compacted by hand and another branch is gone to.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.agent.session import AgentSession
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.opening import Opening

ORDER = "run seq 160000"
OUTPUT_BYTES = 1_008_894
SIZE = (120, 40)
POLL_SECONDS = 0.005
TURNS_BACK = 3
"""How far back a new branch begins."""
STEADY_POLLS = 20
WARM_UP_TURNS = 2
PATIENCE_POLLS = 400


@dataclass(frozen=True, slots=True)
class Plan:
    """How much happens."""

    turns: int
    compactions: int
    switches: int


@dataclass(frozen=True, slots=True)
class Held:
    """What the process holds at one moment."""

    rss_bytes: int
    tasks: int
    descriptors: int
    widgets: int
    threads: int


@dataclass(frozen=True, slots=True)
class Life:
    """What happened, and what was held: at rest after the first turns, after each turn, and at rest at the end."""

    first: Held
    turns: tuple[Held, ...]
    last: Held
    compactions: int
    switches: int
    output_bytes: int


async def live(folder: Path, plan: Plan) -> Life:
    """Go through the plan in a folder."""
    project = folder / "project"
    # Its own project, whatever stands in the folders above.
    (project / ".git").mkdir(parents=True)
    environ = {"HOME": str(folder / "home"), "PATH": os.defpath}
    flags = {"sandbox.mode": "off", "mode": "full"}
    app = DiligentApp(Opening(project, environ, flags=flags, model="offline/rehearsal"))
    async with app.run_test(size=SIZE) as pilot:
        while app.core is None or app.core.session is None or not (app.main.state and app.main.state.sandbox):
            await pilot.pause(POLL_SECONDS)
        return await _Liver(pilot, app, app.core, app.core.session).live(plan)


class _Liver:
    """Goes through a plan."""

    def __init__(self, pilot: Pilot[int], app: DiligentApp, core: Core, session: AgentSession) -> None:
        self._pilot = pilot
        self._app = app
        self._core = core
        self._session = session
        self._left: str | None = None

    async def live(self, plan: Plan) -> Life:
        for _ in range(WARM_UP_TURNS):
            await self._turn()
        await self._switch()
        await self._switch()
        # What is opened once and kept is there before the count: the session's file is opened for reading when the
        # first entry is asked for that has left the memory.
        self._session.store.read(next(iter(self._session.store.tree.nodes)))
        first = await self._settled()
        turns: list[Held] = []
        compactions = switches = 0
        for turn in range(1, plan.turns + 1):
            await self._turn()
            if is_due(turn, plan.turns, plan.compactions):
                compactions += await self._compact()
            if is_due(turn, plan.turns, plan.switches):
                switches += await self._switch()
            turns.append(self._held())
        last = await self._back_at(first)
        return Life(first, tuple(turns), last, compactions, switches, self._spilt_bytes())

    async def _turn(self) -> None:
        nodes = self._session.store.tree.nodes
        before = len(nodes)
        self._app.main.prompt.set_text(ORDER)
        await self._pilot.press("enter")
        while len(nodes) == before:
            await self._pilot.pause(POLL_SECONDS)
        await self._session.wait_idle()
        await self._painted()

    async def _compact(self) -> bool:
        is_done = await self._core.wish(self._session.memory.compact(CompactionWish(strategy="auto")))
        await self._painted()
        return is_done

    async def _switch(self) -> bool:
        """Begin a branch some turns back, and the next time go on with the one that was left."""
        target = self._left
        if target is None:
            ends = [node.id for node in self._session.conversation.path if node.role == "assistant"]
            # A turn has two answers: the call, and the words after it.
            target, self._left = ends[max(1, len(ends) - 2 * TURNS_BACK) - 1], self._session.store.tree.leaf_id
        else:
            self._left = None
        is_done = await self._core.wish(self._session.move_to(target))
        await self._painted()
        return is_done

    async def _painted(self) -> None:
        while self._core.is_behind:
            await self._pilot.pause(POLL_SECONDS)
        await self._pilot.pause()

    async def _settled(self) -> Held:
        """What is held once nothing more begins or ends by itself."""
        held, steady_polls = self._held(), 0
        while steady_polls < STEADY_POLLS:
            await self._pilot.pause(POLL_SECONDS)
            before, held = held, self._held()
            is_steady = (before.tasks, before.descriptors) == (held.tasks, held.descriptors)
            steady_polls = steady_polls + 1 if is_steady else 0
        return held

    async def _back_at(self, wanted: Held) -> Held:
        """What is held at the end; a while is given to what ends by itself."""
        held = await self._settled()
        for _ in range(PATIENCE_POLLS):
            if held.tasks <= wanted.tasks and held.descriptors <= wanted.descriptors:
                break
            await self._pilot.pause(POLL_SECONDS)
            held = self._held()
        return held

    def _held(self) -> Held:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return Held(
            rss_bytes=pages * resource.getpagesize(),
            tasks=len(asyncio.all_tasks()),
            descriptors=_count("/proc/self/fd"),
            widgets=len(self._app.screen.walk_children(with_self=True)),
            threads=_count("/proc/self/task"),
        )

    def _spilt_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._session.store.spill_folder.rglob("*") if path.is_file())


def _count(folder: str) -> int:
    return sum(1 for _ in Path(folder).iterdir())


def is_due(turn: int, turns: int, times: int) -> bool:
    """Whether one of `times` deeds, spread evenly over the turns, falls on this turn."""
    return turn * times // turns > (turn - 1) * times // turns


def main(words: Sequence[str]) -> None:
    """Live, and print it."""
    turns, compactions, switches = map(int, words)
    with tempfile.TemporaryDirectory() as folder:
        life = asyncio.run(live(Path(folder), Plan(turns, compactions, switches)))
    sys.stdout.write(json.dumps(asdict(life)))


if __name__ == "__main__":
    main(sys.argv[1:])
