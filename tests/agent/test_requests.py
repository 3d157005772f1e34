"""Whatever a session holds, the next request is one that every server takes."""

import json

import pytest
from hypothesis import given, settings

from diligent_tui.agent.requests import CONTINUE, INTERRUPTED_RESULT, PINNED_INTRO, build_messages
from diligent_tui.domain.entries import CompactionEntry, Entry, MessageEntry, PinEntry, TurnPrefix
from diligent_tui.domain.messages import (
    AssistantMessage,
    Block,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantTurn,
    Request,
    RequestMessage,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserTurn,
)
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.openai_chat.conversion import to_chat
from diligent_tui.providers.openai_responses.conversion import to_responses
from diligent_tui.providers.wire import check_anthropic, check_chat, check_request, check_responses
from diligent_tui.session.effective import effective
from tests.strategies.sessions import STEPS, RandomSession, Step

MODEL = Model("anthropic", "claude-a", sees_images=True)
BLIND_MODEL = Model("local", "llama")
TOOLS = (ToolSpec("read", "Read a file.", {"type": "object", "properties": {}}),)


def request_of(session: RandomSession, model: Model) -> Request:
    messages = build_messages(effective(session.path, session.lookup).items, session.lookup, model)
    return Request(model, "Be good.", TOOLS, messages, max_output_tokens=1000)


@given(STEPS)
@settings(max_examples=1200, deadline=None)
def test_any_session_gives_a_request_that_all_validators_accept(steps: list[Step]) -> None:
    session = RandomSession()
    for step in steps:
        session.play(step)
    newest = session.prompt()
    for model in (MODEL, BLIND_MODEL):
        request = request_of(session, model)
        assert check_request(request) == []
        assert check_anthropic(to_anthropic(request)) == []
        assert check_responses(to_responses(request)) == []
        assert check_chat(to_chat(request)) == []
        assert isinstance(newest.message, UserMessage)
        assert Text("the newest prompt") in request.messages[-1].parts


@given(STEPS)
@settings(max_examples=400, deadline=None)
def test_what_was_sent_once_is_sent_again_unless_a_lens_came_between(steps: list[Step]) -> None:
    session = RandomSession()
    session.prompt()
    before = _flat(request_of(session, MODEL).messages)
    for step in steps:
        entry = session.play(step)
        after = _flat(request_of(session, MODEL).messages)
        if isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage | AssistantMessage):
            stable = [part for part in before if part != (CONTINUE,)]
            assert [part for part in after if part != (CONTINUE,)][: len(stable)] == stable or _ends_open(before)
        before = after


def _flat(messages: tuple[RequestMessage, ...]) -> list[object]:
    return [(part.text,) if isinstance(part, Text) else part for message in messages for part in message.parts]


def _ends_open(parts: list[object]) -> bool:
    """A call that had no result yet was told as interrupted; its real result may still come."""
    return any(isinstance(part, ToolResult) and part.output == INTERRUPTED_RESULT for part in parts)


def messages_of(*entries: Entry, model: Model = MODEL) -> tuple[RequestMessage, ...]:
    session = RandomSession()
    for entry in entries:
        session.append(entry)
    return request_of(session, model).messages


def user(text: str) -> MessageEntry:
    return MessageEntry(message=UserMessage(content=text))


def said(*blocks: Block, model: str = "claude-a", stop: str = "end_turn") -> MessageEntry:
    message = AssistantMessage(content=blocks, provider="anthropic", model=model, stop_reason=stop)
    return MessageEntry(message=message)


def result(call_id: str, output: str = "ok") -> MessageEntry:
    return MessageEntry(message=ToolResultMessage(tool_call_id=call_id, tool_name="read", output=output))


def call(call_id: str) -> ToolCallBlock:
    return ToolCallBlock(id=call_id, name="read", input={"path": "a"})


def test_a_call_without_a_result_is_answered_as_interrupted() -> None:
    messages = messages_of(user("go"), said(call("c1"), call("c2")), result("c2"), user("and?"))
    assert messages[-1] == UserTurn(
        (
            ToolResult("c1", "read", INTERRUPTED_RESULT, is_error=True),
            ToolResult("c2", "read", "ok", is_error=False),
            Text("and?"),
        )
    )


def test_words_between_a_call_and_its_result_come_after_the_result() -> None:
    messages = messages_of(user("go"), said(call("c1")), user("wait"), result("c1"))
    assert messages[-1] == UserTurn((ToolResult("c1", "read", "ok", is_error=False), Text("wait")))


def test_a_result_without_a_call_is_quoted() -> None:
    assert messages_of(user("go"), result("gone", "lost"))[0] == UserTurn(
        (Text("go"), Text("[result of an earlier call to read]\nlost"))
    )


def test_call_ids_that_repeat_are_told_apart_and_keep_their_results() -> None:
    messages = messages_of(
        user("go"), said(call("call_0")), result("call_0", "one"), said(call("call_0")), result("call_0", "two")
    )
    ids = [part.id for message in messages for part in message.parts if isinstance(part, ToolCall)]
    outputs = {p.call_id: p.output for message in messages for p in message.parts if isinstance(p, ToolResult)}
    assert len(set(ids)) == 2
    assert [outputs[call_id] for call_id in ids] == ["one", "two"]


def test_an_answer_that_hit_the_limit_is_asked_to_go_on() -> None:
    messages = messages_of(user("go"), said(TextBlock(text="half"), stop="max_tokens"))
    assert messages[-1] == UserTurn((Text(CONTINUE),))
    more = messages_of(user("go"), said(TextBlock(text="half"), stop="max_tokens"), said(TextBlock(text=" done")))
    assert more[: len(messages)] == messages


@pytest.mark.parametrize(("model", "kept"), [("claude-a", True), ("claude-b", False)])
def test_thinking_goes_back_to_its_own_model_only(model: str, kept: bool) -> None:
    answer = said(ThinkingBlock(thinking="hm", signature="s"), TextBlock(text="yes"), model=model)
    parts = messages_of(user("go"), answer, user("on"))[1].parts
    assert any(isinstance(part, Thinking) for part in parts) is kept


def test_an_answer_of_thinking_only_is_left_out() -> None:
    messages = messages_of(user("go"), said(ThinkingBlock(thinking="hm", signature="s")), user("on"))
    assert messages == (UserTurn((Text("go"), Text("on"))),)


def test_a_summary_is_a_pair_at_the_start_with_ledger_and_pins() -> None:
    session = RandomSession()
    for entry in (user("old"), said(TextBlock(text="old answer")), PinEntry(target_id="00000000"), user("new")):
        session.append(entry)
    session.append(CompactionEntry(summary="It began.", ledger="files: a.py", first_kept_entry_id="00000003"))
    first, second, third = request_of(session, MODEL).messages
    assert isinstance(first.parts[0], Text)
    assert PINNED_INTRO in first.parts[0].text
    assert "[00000000, user]\nold" in first.parts[0].text
    assert second == AssistantTurn((Text("It began.\n\nfiles: a.py"),))
    assert third == UserTurn((Text("new"),))


def test_a_cut_inside_a_turn_shows_the_prompt_and_then_the_prefix_summary() -> None:
    session = RandomSession()
    for entry in (user("task"), said(call("c1")), result("c1"), said(TextBlock(text="next"))):
        session.append(entry)
    prefix = TurnPrefix(prompt_id="00000000", summary="read a")
    session.append(CompactionEntry(summary="S", first_kept_entry_id="00000003", turn_prefix=prefix))
    messages = request_of(session, MODEL).messages
    assert messages[2].parts[0] == Text("task")
    assert isinstance(messages[2].parts[1], Text)
    assert messages[2].parts[1].text.endswith("read a")
    assert messages[3] == AssistantTurn((Text("next"),))


def test_nothing_in_a_request_breaks_json() -> None:
    messages = messages_of(user("go"), said(call("weird id/…"), call("")), result("weird id/…"))
    body = to_anthropic(Request(MODEL, "s", TOOLS, messages, 100))
    assert json.loads(json.dumps(body)) == body
