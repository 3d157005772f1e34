"""Thirty turns in which much changes: each request begins with the one before it, and the trace names what does not.

What has to stay the same to the byte is what the servers' caches are found by: Anthropic's by the content of tools,
system prompt and messages up to a mark, OpenAI's and a local server's by the beginning of the prompt that they make of
the same three. The mark itself (`cache_control`) says where to write and to look and is no content; it moves with the
talk, so it is taken out before comparing. All else in a request is compared as it was sent.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.agent.trace import TraceRecorder
from diligent_tui.config.instructions import read_instructions
from diligent_tui.config.paths import find_places
from diligent_tui.domain.entries import CompactionEntry
from diligent_tui.domain.events import MessageSaved, TextDelta, ThinkingDelta
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.providers.wire.values import is_array, is_object
from tests.providers.lineup import LINEUP, Contender
from tests.wire.scripts import Break, Say, Script, Think, call
from tests.wire.server import WireServer
from tests.wire.sessions import WireStage, as_sent, wire_stage

TURNS = 30
PLAIN = Script((Think("Well."), Say("So it is — 東京.")))
TALK = ("messages", "input")
"""Where the formats keep the talk; what stands outside of it holds for all of it."""

TOLD = (
    "The build number is 4.",
    "Use spaces.",
    "The date is now 2026-11-17.",
    "Queued behind it.",
    "Mind the tests, too.",
    "The build number is 21.",
    "AGENTS.md is gone",
)
"""What the model hears on the way, at the tail."""


@pytest.fixture(scope="module")
def server() -> Iterator[WireServer]:
    with WireServer(answer=lambda _: PLAIN) as running:
        yield running


@dataclass
class Project:
    """A folder with instructions and knowledge, and a date."""

    folder: Path
    knowledge: KnowledgeStore = field(init=False)
    today: date = date(2026, 11, 16)

    def __post_init__(self) -> None:
        (self.folder / ".git").mkdir()
        self.instructions.write_text("Use tabs.\n")
        self.knowledge = KnowledgeStore(self.folder / ".diligent" / "knowledge.jsonl")

    @property
    def instructions(self) -> Path:
        return self.folder / "AGENTS.md"

    def brief(self) -> Briefing:
        places = find_places(self.folder, {"HOME": str(self.folder / "home")})
        found = read_instructions(places, (), trusted=True)
        return Briefing("Be good.", "Here.", self.today, found, (self.knowledge.refresh(),))

    def learn(self, words: str) -> None:
        self.knowledge.add(KnowledgeEntry(type="discovery", content=words))


async def turn(stage: WireStage, project: Project, number: int, contender: Contender) -> None:
    """One of the thirty; what happens to the world happens right before its prompt."""
    session, prompt = stage.session, f"Prompt {number}."
    match number:
        case 4 | 21:
            project.learn(f"The build number is {number}.")
        case 7:
            project.instructions.write_text("Use spaces.\n")
        case 10:
            project.today = date(2026, 11, 17)
        case 12:
            await session.prompt(prompt)
            await session.prompt("Queued behind it.")
            assert session.waiting.next_queued is not None
        case 15:
            stage.server.play(Script((Say("I look."), call("call_s", "ls", path="steered"))))
            await session.prompt(prompt)
            await session.steer("Mind the tests, too.")
            assert session.waiting.has("steer")
        case 17:
            half = Script((Say("I say something long. " * 9),), fault=Break("stall", None, 8))
            await stage.abort(prompt, TextDelta, half)
        case 18:
            thought = Script((Think("I only think so far. " * 9),), fault=Break("stall", None, 8))
            await stage.abort(prompt, ThinkingDelta, thought)
        case 20:
            kept = [event.entry_id for event in stage.heard(MessageSaved) if event.role == "user"][-2]
            await session.conversation.add(CompactionEntry(summary="All went well.", first_kept_entry_id=kept))
        case 23:
            project.instructions.unlink()
        case 25:
            await session.set_model(replace(contender.model, name=f"{contender.model.name}-next"))
        case 27:
            await session.set_model(contender.model)
        case _ if number % 3 == 0:
            calls = [call(f"call_{number}_{index}", "ls", path=f"é {index}") for index in range(3)]
            stage.server.play(Script((Think("I should look."), Say("I look."), *calls)))
        case _:
            pass
    if number in (12, 15):
        await session.wait_idle()
    elif number not in (17, 18):
        await stage.ask(prompt)


def unmarked(value: object) -> object:
    """A body without its cache marks."""
    if is_array(value):
        return [unmarked(item) for item in value]
    if is_object(value):
        return {key: unmarked(item) for key, item in value.items() if key != "cache_control"}
    return value


def goes_on(before: JsonObject, after: JsonObject) -> bool:
    """Whether one body begins with the other; what was said last may be said on, so its closing marks are left off."""
    heads = [{key: value for key, value in body.items() if key not in TALK} for body in (before, after)]
    talks = [as_sent(next(unmarked(body[key]) for key in TALK if key in body)) for body in (before, after)]
    return as_sent(unmarked(heads[0])) == as_sent(unmarked(heads[1])) and talks[1].startswith(talks[0].rstrip(b'"]}'))


@pytest.mark.parametrize("contender", LINEUP, ids=[contender.name for contender in LINEUP])
async def test_each_request_begins_with_the_one_before_and_the_trace_names_the_breaks(
    server: WireServer, contender: Contender, tmp_path: Path
) -> None:
    project, trace = Project(tmp_path), TraceRecorder()
    async with wire_stage(tmp_path, server, contender.model, project.brief) as stage:
        stage.session.hub.subscribe(trace)
        await stage.session.set_model(contender.model, "high")
        for number in range(1, TURNS + 1):
            await turn(stage, project, number, contender)
    sent = [request.body for request in server.requests]
    assert [request.problems for request in server.requests if request.problems] == []
    assert all(as_sent(json.loads(request.raw)) == request.raw for request in server.requests)
    server.reset()

    requests = trace.requests
    assert len(sent) == len(requests) > TURNS
    breaks = [goes_on(*two) for two in pairwise(sent)]
    assert [request.prefix_break == "" for request in requests[1:]] == breaks
    named = [request.prefix_break for request in requests if request.prefix_break]
    assert named == ["compaction", "model switched", "model switched"]

    words = [as_sent(body).decode() for body in sent]
    assert [told for told in TOLD if told in words[0]] == []
    assert [told for told in TOLD if not any(told in each for each in words)] == []
