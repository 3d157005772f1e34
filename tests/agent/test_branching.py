"""Moving about the tree: summaries of what is left, quotes that are brought over, forks and comparisons."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diligent_tui.agent.branching import BranchSummaryWish
from diligent_tui.agent.session import AgentSession
from diligent_tui.agent.surroundings import Surroundings
from diligent_tui.agent.system_prompt import Briefing
from diligent_tui.domain.entries import BranchSummaryEntry
from diligent_tui.domain.errors import ProviderError, SessionReadOnly, UsageError
from diligent_tui.domain.events import LeafMoved, MessageSaved, SessionForked, UsageRecorded
from diligent_tui.domain.messages import UserMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import Request, Text, UserTurn
from diligent_tui.providers.base import Finished, Piece
from diligent_tui.providers.offline.provider import OfflineProvider
from diligent_tui.providers.registry import REHEARSAL, find
from diligent_tui.providers.wire import check_request
from diligent_tui.tools.toolbox import builtin_tools
from tests.agent.conftest import Stage


def prompts(stage: Stage) -> list[str]:
    """The ids of all prompts, in the order of the file."""
    return [node.id for node in stage.session.store.tree.nodes.values() if node.is_prompt]


def words_of_request(stage: Stage) -> str:
    parts = [part for turn in stage.session.next_request().messages for part in turn.parts]
    return "\n".join(part.text for part in parts if isinstance(part, Text))


async def test_leaving_with_a_summary_is_one_line_that_moves_and_tells(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("seven swans\n")
    await stage.ask("hello")
    target = stage.session.store.tree.leaf_id
    await stage.ask("read note.txt because we decided to use swans")
    left_leaf = stage.session.store.tree.leaf_id
    lines_before = stage.session.store.path.read_bytes().splitlines()
    told: list[str] = []
    assert stage.session.left_behind(target) > 0
    assert await stage.session.move_to(target, BranchSummaryWish(tell=told.append))
    lines = [json.loads(line) for line in stage.session.store.path.read_bytes().splitlines()]
    assert [line["type"] for line in lines[len(lines_before) :]] == ["branch_summary", "session_info"]
    entry = stage.session.store.entry(stage.session.store.tree.leaf_id or "")
    assert isinstance(entry, BranchSummaryEntry)
    assert entry.from_id == left_leaf
    assert entry.parent_id == target
    assert "note.txt" in entry.summary
    assert "".join(told).strip() == entry.summary
    assert "note.txt" in words_of_request(stage)
    assert stage.heard(LeafMoved)[-1].entry_id == entry.id
    assert stage.heard(UsageRecorded)[-1].purpose == "summary"
    await stage.ask("go on")
    check_request(stage.session.next_request())


async def test_esc_while_it_is_summarised_moves_nothing(stage: Stage) -> None:
    await stage.ask("hello")
    target = stage.session.store.tree.leaf_id
    await stage.ask("run echo hi")
    before = stage.session.store.path.read_bytes()
    leaf = stage.session.store.tree.leaf_id
    wish = BranchSummaryWish(tell=lambda _: stage.session.interrupt())
    assert await stage.session.move_to(target, wish) is False
    assert stage.session.store.tree.leaf_id == leaf
    assert stage.session.store.path.read_bytes() == before
    assert not stage.heard(LeafMoved)


async def test_a_summary_that_fails_moves_nothing_and_says_why(stage: Stage) -> None:
    await stage.ask("hello")
    target = stage.session.store.tree.leaf_id
    await stage.ask("hello again [[fault=overloaded on=summary]]")
    leaf = stage.session.store.tree.leaf_id
    with pytest.raises(ProviderError):
        await stage.session.move_to(target, BranchSummaryWish())
    assert stage.session.store.tree.leaf_id == leaf


class HeldProvider(OfflineProvider):
    """Holds back the end of a summary until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = asyncio.Event()
        self.is_held = asyncio.Event()

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        async for piece in super().stream(request):
            if isinstance(piece, Finished) and request.purpose == "summary":
                self.is_held.set()
                await self.let_go.wait()
            yield piece


async def test_a_branch_that_went_on_meanwhile_is_not_left(tmp_path: Path, stage: Stage) -> None:
    provider = HeldProvider()

    def provide(_: Model) -> HeldProvider:
        return provider

    held = replace(stage.given, provider_for=provide)
    stage = Stage(AgentSession.begin(tmp_path / ".diligent" / "sessions", held), held)
    await stage.ask("hello")
    target = stage.session.store.tree.leaf_id
    await stage.ask("run echo hi")
    moving = asyncio.create_task(stage.session.move_to(target, BranchSummaryWish("above all the echo")))
    await provider.is_held.wait()
    await stage.ask("one more thing")
    provider.let_go.set()
    with pytest.raises(UsageError, match="went on"):
        await moving
    assert prompts(stage)[-1] in {node.id for node in stage.session.conversation.path}
    await stage.session.close()


async def test_an_entry_that_is_brought_over_is_a_quote_with_its_origin(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("seven swans\nand a fox\n")
    await stage.ask("hello")
    fork = stage.session.store.tree.leaf_id
    await stage.ask("read note.txt")
    result = next(node.id for node in stage.session.conversation.path if node.role == "tool_result")
    await stage.session.move_to(fork)
    await stage.session.graft(result)
    message = stage.messages()[-1]
    assert isinstance(message, UserMessage)
    assert isinstance(message.content, str)
    head, *quote = message.content.splitlines()
    assert head.startswith("[")
    assert result in head
    assert "read" in head
    assert "note.txt" in head
    assert any("seven swans" in line for line in quote)
    assert all(line.startswith(">") for line in quote)
    assert stage.heard(MessageSaved)[-1].text == message.content
    await stage.ask("what does it say?")
    request = stage.session.next_request()
    check_request(request)
    assert isinstance(request.messages[0], UserTurn)


async def test_a_fork_goes_on_by_itself_and_the_old_one_stays(stage: Stage) -> None:
    await stage.ask("first")
    keep = stage.session.store.tree.leaf_id
    await stage.ask("second")
    before = stage.session.store.path.read_bytes()
    path = await stage.session.fork(keep)
    assert stage.session.store.path.read_bytes() == before
    assert stage.heard(SessionForked)[0].session_id == path.stem
    fork = Stage(await AgentSession.resume(path, stage.given), stage.given)
    assert [m.content for m in fork.messages() if isinstance(m, UserMessage)] == ["first"]
    assert fork.session.store.content.header.parent_session == stage.session.id
    await fork.ask("another second")
    assert stage.session.store.path.read_bytes() == before
    await fork.session.close()


async def test_nothing_said_is_nothing_to_fork(stage: Stage) -> None:
    with pytest.raises(UsageError, match="Nothing was said"):
        await stage.session.fork()


async def test_a_session_that_is_in_use_goes_on_in_a_fork_or_is_read(stage: Stage) -> None:
    await stage.ask("first")
    reader = Stage(await AgentSession.resume(stage.session.store.path, stage.given, read_only=True), stage.given)
    with pytest.raises(SessionReadOnly):
        await reader.session.prompt("may I?")
    assert not reader.session.is_running
    await reader.session.close()
    fork = Stage(await AgentSession.resume_in_fork(stage.session.store.path, stage.given), stage.given)
    await fork.ask("here I may")
    await stage.ask("and so may I")
    assert [m.content for m in fork.messages() if isinstance(m, UserMessage)] == ["first", "here I may"]
    assert [m.content for m in stage.messages() if isinstance(m, UserMessage)] == ["first", "and so may I"]
    await fork.session.close()


async def test_two_branches_are_compared_from_where_they_part(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    await stage.ask("common words")
    parting = stage.session.store.tree.leaf_id
    await stage.ask("read a.txt")
    left = stage.session.store.tree.leaf_id
    await stage.session.move_to(parting)
    await stage.ask("read b.txt")
    await stage.ask("read missing.txt")
    right = stage.session.store.tree.leaf_id
    assert left
    assert right
    assert parting
    found = stage.session.compare(left, right)
    assert found.ancestor_id == parting
    assert found.left.prompts == ("read a.txt",)
    assert found.right.prompts == ("read b.txt", "read missing.txt")
    assert found.left.files_read == ("a.txt",)
    assert found.right.files_read == ("b.txt",)
    assert found.right.tokens > found.left.tokens > 0
    assert (found.left.name, found.right.name) == ("read a.txt", "read b.txt")
    await stage.session.label(right, "try-b")
    await stage.session.label(parting, "shared")
    named = stage.session.compare(left, right)
    assert (named.left.name, named.right.name) == ("read a.txt", "try-b")


async def test_the_context_at_a_node_is_what_was_sent_there(stage: Stage) -> None:
    await stage.ask("first")
    here = stage.session.store.tree.leaf_id
    then = stage.session.next_request()
    await stage.ask("second")
    assert stage.session.request_at(here).messages == then.messages
    assert stage.session.request_at(here).system == then.system
    with pytest.raises(UsageError, match="no entry"):
        stage.session.request_at("ffffffff")


VERBS = st.lists(
    st.tuples(
        st.sampled_from(["prompt", "move", "summary", "label", "graft", "reopen", "fork"]), st.integers(0, 10_000)
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VERBS)
def test_whatever_the_journey_the_file_only_grows_and_the_context_is_the_path(
    tmp_path_factory: pytest.TempPathFactory, verbs: list[tuple[str, int]]
) -> None:
    asyncio.run(_travel(tmp_path_factory.mktemp("journey"), verbs))


async def _travel(folder: Path, verbs: list[tuple[str, int]]) -> None:
    given_here = Surroundings(
        model=REHEARSAL,
        provider_for=lambda _: OfflineProvider(),
        tools=builtin_tools,
        root=folder,
        cwd=folder,
        brief=lambda: Briefing("Be good."),
        find_model=find,
    )
    stage = Stage(AgentSession.begin(folder / ".diligent" / "sessions", given_here), given_here)
    await stage.ask("the very first")
    said = 1
    for verb, number in verbs:
        session = stage.session
        before = session.store.path.read_bytes()
        nodes = [node.id for node in session.store.tree.nodes.values() if node.type in ("message", "branch_summary")]
        target = nodes[number % len(nodes)]
        match verb:
            case "prompt":
                said += 1
                await stage.ask(f"words number {said}")
            case "move":
                await session.move_to(target)
            case "summary" if session.left_behind(target):
                await session.move_to(target, BranchSummaryWish())
            case "label":
                await session.label(target, f"label {number}")
            case "graft":
                await session.graft(target)
            case "fork":
                path = await session.fork(target)
                fork = await AgentSession.resume(path, given_here)
                assert [n.id for n in fork.conversation.path] == [n.id for n in session.store.tree.path(target)]
                await fork.close()
            case _:
                leaf, branch = session.store.tree.leaf_id, session.branch
                stage = await stage.reopen()
                assert stage.session.store.tree.leaf_id == leaf
                assert stage.session.branch == branch
        session = stage.session
        assert session.store.path.read_bytes().startswith(before)
        path = session.conversation.path
        assert [n.id for n in path] == [n.id for n in session.store.tree.path(session.store.tree.leaf_id)]
        if any(node.type in ("message", "branch_summary") for node in path):
            request = session.request_at(session.store.tree.leaf_id)
            assert request.messages == session.next_request().messages
    await stage.ask("the very last")
    check_request(stage.session.next_request())
    await stage.session.close()
