"""Every model goes on from every other one's talk and back: what it said itself comes back to it byte for byte.

The strict server refuses what the real ones refuse, thoughts and sealed reasoning that it did not write for this very
model among it, so that an accepted request shows both: nothing of another maker's was taken along, and nothing of its
own was changed.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import pytest

from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.events import MessageSaved, TextDelta, ToolCallDelta
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire import check_request
from diligent_tui.session.effective import Verbatim
from tests.wire import anthropic, responses
from tests.wire.scripts import Break, Call, Say, Script, Think, call
from tests.wire.server import WireServer
from tests.wire.sessions import MODELS, WireStage, as_sent, wire_stage

PAIRS = list(permutations(MODELS, 2))
SUMMARY = "## Goal\nTo see what is here.\n\n## Done\nLooked once."


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@dataclass
class Talk:
    """A session that several models take turns in, and what each of them said, in its own bytes, by the entry."""

    stage: WireStage
    said: dict[str, tuple[str, list[bytes]]] = field(default_factory=dict[str, tuple[str, list[bytes]]])
    came_back: Counter[str] = field(default_factory=Counter[str])
    turns: int = 0

    async def plain(self, name: str) -> None:
        await self._turn(name, f"hello, {self._count()}", Script((Say(f"Good day — 東京 {self.turns}.\n"),)))

    async def tool(self, name: str) -> None:
        number = self._count()
        calls = [call(f"call_{number}_{index}", "ls", path=f"é{index}", depth=1.0) for index in range(2)]
        first = Script((Say("I look  twice."), *calls))
        await self._turn(name, "list .", first, Script((Say(f"There are files, {number}."),)))

    async def thinking(self, name: str) -> None:
        number = self._count()
        first = Script((Think("Hm.  Let me see."), Say("I look."), call(f"call_{number}", "ls", path=".")))
        last = Script((Think(f"hidden {number}", hidden=True), Think(f"And {number}."), Say("I have seen it.")))
        await self._turn(name, "list .", first, last, thinks=True)

    async def abort(self, name: str) -> None:
        await self._switch(name)
        if name == "offline":
            await self.stage.abort(f"{self._count()} [[t=4000 r=400 id=ab]]", TextDelta)
            return
        words = Script((Think("Well."), Say("I begin to say something long. " * 9)), fault=Break("stall", None, 12))
        await self.stage.abort(f"go, {self._count()}", TextDelta, words)
        half = Script((Say("I look."), call("call_x", "ls", path="x" * 200)), fault=Break("stall", None, 12))
        await self.stage.abort(f"go, {self._count()}", ToolCallDelta, half)

    async def compact(self, first_kept_entry_id: str) -> None:
        entry = CompactionEntry(summary=SUMMARY, first_kept_entry_id=first_kept_entry_id, tokens_before=9_000)
        await self.stage.session.conversation.add(entry)

    @property
    def leaf(self) -> str | None:
        return self.stage.session.store.tree.leaf_id

    @property
    def last_prompt(self) -> str:
        return [event.entry_id for event in self.stage.heard(MessageSaved) if event.role == "user"][-1]

    def _count(self) -> int:
        self.turns += 1
        return self.turns

    async def _switch(self, name: str, *, thinks: bool = False) -> None:
        await self.stage.session.set_model(MODELS[name], "high" if thinks else "off")

    async def _turn(self, name: str, prompt: str, *scripts: Script, thinks: bool = False) -> None:
        await self._switch(name, thinks=thinks)
        if name == "offline":
            await self.stage.ask(prompt)
            return
        due = self._due_back(name)
        requests, answers = len(self.stage.requests_to(name)), len(self._answers)
        await self.stage.ask(prompt, *scripts)
        asked = self.stage.requests_to(name)[requests:]
        assert [item for item in due if item not in asked[0].raw] == []
        self.came_back[name] += len(due)
        for script, sent, entry_id in zip(scripts, asked, self._answers[answers:], strict=True):
            self.said[entry_id] = (name, [as_sent(item) for item in items_of(name, script, sent.body)])

    @property
    def _answers(self) -> list[str]:
        return [event.entry_id for event in self.stage.heard(MessageSaved) if event.role == "assistant"]

    def _due_back(self, name: str) -> list[bytes]:
        """What the next request to a maker has to bring back: all that it said and that is still in the context."""
        shown = [item.entry_id for item in self.stage.session.conversation.fold.items if isinstance(item, Verbatim)]
        told = [self.said[entry_id] for entry_id in shown if entry_id in self.said]
        return [item for teller, items in told if teller == name for item in items]


def items_of(name: str, script: Script, body: JsonObject) -> list[JsonObject] | list[object]:
    """What an answer is made of, as its maker is to get it back."""
    match name:
        case "anthropic":
            return anthropic.blocks(script, body["model"])
        case "openai":
            return responses.items(script, body)
        case _:
            # A server of Chat Completions takes its words and calls back, and no reasoning.
            texts: list[object] = [step.text for step in script.steps if isinstance(step, Say)]
            calls = [step for step in script.steps if isinstance(step, Call)]
            functions = [{"name": each.name, "arguments": each.arguments} for each in calls]
            return texts + [
                {"id": each.id, "type": "function", "function": function}
                for each, function in zip(calls, functions, strict=True)
            ]


async def plain(talk: Talk, one: str, other: str) -> None:
    for name in (one, other, one, other):
        await talk.plain(name)


async def tool(talk: Talk, one: str, other: str) -> None:
    for name in (one, other, one, other):
        await talk.tool(name)


async def thinking(talk: Talk, one: str, other: str) -> None:
    for name in (one, other, one, other):
        await talk.thinking(name)


async def aborted(talk: Talk, one: str, other: str) -> None:
    for name in (one, other):
        await talk.thinking(name)
    for name in (one, other, one):
        await talk.abort(name)
    for name in (one, other, one):
        await talk.tool(name)


async def branched(talk: Talk, one: str, other: str) -> None:
    await talk.thinking(one)
    fork = talk.leaf
    await talk.plain(one)
    left = talk.leaf
    await talk.stage.session.move_to(fork)
    await talk.thinking(other)
    await talk.tool(one)
    await talk.plain(other)
    await talk.stage.session.move_to(left)
    await talk.plain(other)
    await talk.plain(one)


async def compacted(talk: Talk, one: str, other: str) -> None:
    await talk.plain(one)
    await talk.thinking(one)
    first_kept = talk.last_prompt
    await talk.thinking(other)
    await talk.compact(first_kept)
    await talk.plain(one)
    await talk.plain(other)
    await talk.compact(talk.last_prompt)
    await talk.plain(one)
    await talk.plain(other)


SCENES: dict[str, Callable[[Talk, str, str], Awaitable[None]]] = {
    scene.__name__: scene for scene in (plain, tool, thinking, aborted, branched, compacted)
}


@pytest.fixture
async def talk(tmp_path: Path, server: WireServer, one: str) -> AsyncGenerator[Talk, None]:
    async with wire_stage(tmp_path, server, MODELS[one]) as stage:
        yield Talk(stage)
    server.reset()


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(("one", "other"), PAIRS, ids=[f"{one}-{other}" for one, other in PAIRS])
async def test_models_take_turns_and_each_gets_its_own_words_back_as_they_were(
    talk: Talk, one: str, other: str, scene: str
) -> None:
    await SCENES[scene](talk, one, other)
    assert [sent.problems for sent in talk.stage.server.requests if sent.problems] == []
    assert all(talk.came_back[name] for name in (one, other) if name != "offline")
    assert all(check_request(talk.stage.session.next_request(model)) == [] for model in MODELS.values())
