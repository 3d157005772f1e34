"""What keeps a request from using the cache of the one before it, by name."""

from dataclasses import replace

import pytest

from diligent_tui.agent.prefix import PrefixWatch, prefix_break, sizes_bytes
from diligent_tui.agent.requests import SUMMARY_QUESTION
from diligent_tui.agent.trace import RequestRecord, TraceRecorder
from diligent_tui.domain.events import (
    CompactionFinished,
    CompactionPruned,
    CompactionReverted,
    Event,
    LeafMoved,
    Pinned,
    StepStarted,
    SummaryEdited,
    TextDelta,
    UsageRecorded,
)
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Request, RequestMessage, Text, ToolSpec, UserTurn
from diligent_tui.domain.times import now
from diligent_tui.domain.usage import Usage

MODEL = Model("maker", "one")
LS = ToolSpec("ls", "Lists a folder.", {"type": "object"})
ASKED, SAID, MORE = UserTurn((Text("Go."),)), AssistantTurn((Text("I went."),)), UserTurn((Text("And on."),))
BEFORE = Request(MODEL, "Be good.", (LS,), (ASKED, SAID, MORE), 100, "high", cache_key="a")


def compacted(summary: str, *rest: RequestMessage) -> Request:
    pair = (UserTurn((Text(f"{SUMMARY_QUESTION}\n\nand pins"),)), AssistantTurn((Text(summary),)))
    return replace(BEFORE, messages=(*pair, *rest))


def said(*messages: RequestMessage) -> Request:
    return replace(BEFORE, messages=messages)


def finished(messages: int) -> CompactionFinished:
    return CompactionFinished("k", 900, 100, messages, 2, messages, "We went." if messages else "")


BREAKS: dict[str, tuple[Request, Request, str]] = {
    "the same again": (BEFORE, BEFORE, ""),
    "it goes on": (BEFORE, said(*BEFORE.messages, SAID, MORE), ""),
    "the last is said on": (BEFORE, said(ASKED, SAID, UserTurn((*MORE.parts, Text("Quick.")))), ""),
    "another limit, key and window": (
        BEFORE,
        replace(BEFORE, max_output_tokens=9, cache_key="b", model=replace(MODEL, window_tokens=9)),
        "",
    ),
    "another model": (BEFORE, replace(BEFORE, model=Model("maker", "two"), system="Be."), "model switched"),
    "another tool": (BEFORE, replace(BEFORE, tools=(replace(LS, description="Shows."),)), "tools changed"),
    "no tools": (BEFORE, replace(BEFORE, tools=(), system="Be."), "tools changed"),
    "another system prompt": (BEFORE, replace(BEFORE, system="Be better."), "system prompt changed"),
    "another level": (BEFORE, replace(BEFORE, thinking="off"), "thinking level changed"),
    "a summary": (BEFORE, compacted("We went.", MORE), "compaction"),
    "another summary": (compacted("We went.", MORE), compacted("We came.", MORE), "compaction"),
    "a summary undone": (compacted("We went.", MORE), BEFORE, "compaction left out"),
    "a pin below a summary": (
        compacted("We went."),
        said(UserTurn((Text(f"{SUMMARY_QUESTION} alone"),)), AssistantTurn((Text("We went."),)), MORE),
        "message 1 changed",
    ),
    "another answer": (BEFORE, said(ASKED, AssistantTurn((Text("I stayed."),)), MORE), "message 2 changed"),
    "an earlier one said on": (BEFORE, said(UserTurn((*ASKED.parts, Text("!"))), SAID, MORE), "message 1 changed"),
    "another role": (BEFORE, said(ASKED, SAID, AssistantTurn((Text("And on."),))), "message 3 changed"),
    "an earlier place": (BEFORE, said(ASKED), "message 2 left out"),
    "nothing": (BEFORE, said(), "message 1 left out"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_has_a_name_and_what_goes_on_has_none(name: str) -> None:
    before, after, why = BREAKS[name]
    assert prefix_break(before, after) == why


def test_each_request_is_held_against_the_one_before_it() -> None:
    watch = PrefixWatch()
    changed = replace(BEFORE, system="Be better.")
    assert [watch.see(request) for request in (BEFORE, BEFORE, changed, changed)] == [
        "",
        "",
        "system prompt changed",
        "",
    ]


OTHER = AssistantTurn((Text("I stayed."),))
DEEDS: dict[str, tuple[Request, Request, list[Event], str]] = {
    "a move to another answer": (
        BEFORE,
        said(ASKED, OTHER, MORE),
        [LeafMoved("a", "")],
        "moved to another place: message 2 changed",
    ),
    "a move to before a compaction": (
        compacted("We went.", MORE),
        BEFORE,
        [LeafMoved("a", "")],
        "moved to another place",
    ),
    "a move that goes on": (BEFORE, said(*BEFORE.messages, SAID), [LeafMoved("a", "")], ""),
    "a prune": (
        BEFORE,
        said(ASKED, OTHER, MORE),
        [CompactionPruned("k", 2, 900, ("read",)), finished(messages=0)],
        "outputs pruned: message 2 changed",
    ),
    "a compaction that pruned": (
        BEFORE,
        compacted("We went."),
        [CompactionPruned("k", 2, 900, ("read",)), finished(messages=2)],
        "compaction",
    ),
    "an undo": (compacted("We went."), BEFORE, [CompactionReverted("k", redone=False)], "compaction undone"),
    "an edit": (compacted("We went."), compacted("We came."), [SummaryEdited("l", "k")], "summary edited"),
    "a pin": (
        compacted("We went."),
        said(UserTurn((Text(f"{SUMMARY_QUESTION} alone"),)), AssistantTurn((Text("We went."),)), MORE),
        [Pinned("e")],
        "pins changed: message 1 changed",
    ),
    "a move and then a compaction": (
        BEFORE,
        compacted("We went."),
        [LeafMoved("a", ""), finished(messages=2)],
        "moved to another place, then compaction",
    ),
    "a move and another model": (
        BEFORE,
        replace(said(ASKED), model=Model("maker", "two")),
        [LeafMoved("a", "")],
        "model switched",
    ),
}


@pytest.mark.parametrize("name", DEEDS)
def test_a_break_is_told_by_what_was_done_since_the_request_before(name: str) -> None:
    before, after, events, why = DEEDS[name]
    watch = PrefixWatch()
    watch.hear(LeafMoved("earlier", ""))
    watch.see(before)
    for event in events:
        watch.hear(event)
    assert watch.see(after) == why


def test_sizes_are_bytes_in_the_order_of_the_cache() -> None:
    sizes = dict(sizes_bytes(replace(BEFORE, system="é")))
    assert list(sizes) == ["tools", "system", "messages"]
    assert (sizes["system"], sizes["messages"]) == (2, len("Go.I went.And on."))
    assert sizes["tools"] > len(LS.description)


def test_the_trace_tells_each_request_with_its_break_its_sizes_and_its_count() -> None:
    moment = now()
    trace = TraceRecorder(lambda: moment)
    usage = Usage(input_tokens=3, cache_read_tokens=40)
    sizes = (("tools", 1), ("system", 2), ("messages", 3))
    for event in (
        StepStarted("t", "m1", 1, "maker/one", sizes),
        TextDelta("m1", "Hello"),
        UsageRecorded("m1", "maker/one", usage, None),
        StepStarted("t", "m2", 2, "maker/two", sizes, "model switched"),
        UsageRecorded("m9", "maker/two", usage, None, "summary"),
    ):
        trace(event)
    assert trace.requests == [
        RequestRecord(moment, "m1", "maker/one", sizes, "", usage),
        RequestRecord(moment, "m2", "maker/two", sizes, "model switched"),
    ]
