"""What a compaction computes is computed beside the event loop, once; what the user does meanwhile is not lost."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from diligent_tui.agent import compactor, requesting
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.domain.events import CompactionFinished
from diligent_tui.providers.offline import provider
from tests.agent.memory_stage import MemoryStage, stage_in

Words = ParamSpec("Words")
Result = TypeVar("Result")


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[MemoryStage]:
    stage = stage_in(tmp_path)
    yield stage
    await stage.session.close()


class Watch:
    """Notes in which threads functions ran; `gate` holds them back."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, bool]] = []
        self.is_held = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    def over(self, name: str, function: Callable[Words, Result]) -> Callable[Words, Result]:
        def watched(*args: Words.args, **more: Words.kwargs) -> Result:
            self.ran.append((name, threading.current_thread() is threading.main_thread()))
            self.is_held.set()
            self.gate.wait(30)
            return function(*args, **more)

        return watched


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    for name, module in (
        ("plan_compaction", compactor),
        ("plan_pruning", compactor),
        ("facts_for", compactor),
        ("build_messages", requesting),
        ("summarise", provider),
    ):
        monkeypatch.setattr(module, name, watch.over(name, getattr(module, name)))
    return watch


async def test_it_is_planned_once_and_nothing_of_it_in_the_loops_own_thread(stage: MemoryStage, watch: Watch) -> None:
    await stage.fill(3)
    watch.ran.clear()
    assert await stage.memory.compact(CompactionWish(strategy="summarize"))
    names = [name for name, _ in watch.ran]
    assert names.count("plan_compaction") == 1
    assert {"facts_for", "build_messages", "summarise"} <= set(names)
    assert not [name for name, is_in_loop in watch.ran if is_in_loop]


async def test_outputs_that_were_pruned_on_the_way_are_planned_for_anew(stage: MemoryStage, watch: Watch) -> None:
    await stage.fill(5)
    watch.ran.clear()
    assert await stage.memory.compact(CompactionWish(strategy="auto"))
    finished = stage.heard(CompactionFinished)[-1]
    assert [name for name, _ in watch.ran].count("plan_compaction") == 1 + bool(finished.pruned)


async def test_pruning_alone_is_planned_once(stage: MemoryStage, watch: Watch) -> None:
    await stage.fill(5)
    watch.ran.clear()
    assert await stage.memory.compact(CompactionWish(strategy="prune"))
    assert watch.ran == [("plan_pruning", False)]


async def test_a_pin_and_words_that_come_while_it_is_planned_are_kept(stage: MemoryStage, watch: Watch) -> None:
    await stage.fill(3)
    prompt = next(node for node in stage.session.conversation.path if node.is_prompt)
    watch.is_held.clear()
    watch.gate.clear()
    compacting = asyncio.create_task(stage.memory.compact(CompactionWish()))
    await asyncio.to_thread(watch.is_held.wait, 30)
    assert stage.memory.is_compacting
    await stage.memory.pin(prompt.id)
    await stage.session.prompt("hello meanwhile")
    watch.gate.set()
    assert await compacting
    await stage.session.wait_idle()
    assert stage.memory.fates()[prompt.id] == "pinned"
    assert "hello meanwhile" in stage.said()[-2_000:]


async def test_a_compaction_that_is_stopped_while_it_is_planned_changes_nothing(
    stage: MemoryStage, watch: Watch
) -> None:
    await stage.fill(3)
    entries = len(stage.session.store.tree.nodes)
    watch.is_held.clear()
    watch.gate.clear()
    compacting = asyncio.create_task(stage.memory.compact(CompactionWish()))
    await asyncio.to_thread(watch.is_held.wait, 30)
    stage.session.interrupt()
    assert not await compacting
    watch.gate.set()
    assert len(stage.session.store.tree.nodes) == entries
    assert not stage.memory.is_compacting
