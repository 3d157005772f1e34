"""Decides what to answer from the request alone: the next call of the order, or the report of what came back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import ToolCallBlock
from diligent_tui.domain.requests import Request, ToolSpec
from diligent_tui.providers.offline.answers import Answer, said
from diligent_tui.providers.offline.arguments import fitted, knowledge_type
from diligent_tui.providers.offline.directives import without_directives
from diligent_tui.providers.offline.orders import parse_order
from diligent_tui.providers.offline.reports import is_refused, report
from diligent_tui.providers.offline.steps import (
    Count,
    Edit,
    Greet,
    ListFolder,
    Plan,
    Read,
    Recount,
    Remember,
    Run,
    Search,
    Step,
    ThinkAbout,
    Unknown,
    Write,
)
from diligent_tui.providers.offline.talk import Talk, call_line
from diligent_tui.providers.offline.words import in_words, intention


@dataclass(frozen=True, slots=True)
class Wish:
    """A tool and its arguments, before the call has an id."""

    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Act:
    """A step and the calls it needs; none if it is answered in words."""

    step: Step
    tool: str
    wishes: tuple[Wish, ...]


def answer(request: Request, talk: Talk) -> Answer:
    """The next answer in this talk."""
    order = without_directives(talk.order)
    if not order and talk.order:
        return said(request, "The rehearsal of faults is over: this is the answer after it.", "Nothing else was asked.")
    tools = {tool.name: tool for tool in request.tools}
    acts = tuple(_act(step, tools) for step in parse_order(order))
    calling = [act for act in acts if act.wishes]
    done = _done_before(calling, talk) + len(talk.rounds)
    refused = bool(talk.rounds) and not talk.rounds[-1].settled and any(map(is_refused, talk.rounds[-1].results))
    if done < len(calling) and not refused:
        return _next_call(request, talk, acts, calling[done], done, len(calling))
    return said(request, _final(acts, calling, talk), _last_thought(acts))


def _next_call(request: Request, talk: Talk, acts: tuple[Act, ...], act: Act, done: int, in_all: int) -> Answer:
    when = "First I" if done == 0 and in_all > 1 else "Now I" if done < in_all - 1 or in_all == 1 else "Then I"
    thought = (
        f"The order has {len(acts)} step{'s' if len(acts) > 1 else ''}, and {done} of its {in_all} calls are made. "
        f"The next one is to {intention(act.step)}, and for that I need {act.tool}."
    )
    calls = [
        ToolCallBlock(id=talk.new_call_id(position), name=wish.name, input=wish.arguments)
        for position, wish in enumerate(act.wishes, start=1)
    ]
    return said(request, f"{when} {intention(act.step)}.", thought, calls)


def _final(acts: tuple[Act, ...], calling: list[Act], talk: Talk) -> str:
    skipped = _done_before(calling, talk)
    parts: list[str] = []
    position = 0
    for act in acts:
        if not act.wishes:
            parts.append(in_words(act.step, talk, len(acts) == 1, act.tool))
            continue
        index = position - skipped
        if index < 0:
            parts.append(f"I did {intention(act.step)} before the summary; its result is told there.")
        elif index < len(talk.rounds):
            parts.append(report(act.step, talk.rounds[index].results))
        else:
            parts.append(f"I did not {intention(act.step)}, because of the refusal before. Say *go on* if I should.")
        position += 1
    if len(parts) == 1:
        return parts[0]
    return "\n\n".join(
        f"### {number}. {_title(act)}\n\n{part}" for number, (act, part) in enumerate(zip(acts, parts, strict=True), 1)
    )


def _title(act: Act) -> str:
    words = intention(act.step)
    return words[:1].upper() + words[1:]


def _last_thought(acts: tuple[Act, ...]) -> str:
    for act in acts:
        if isinstance(act.step, ThinkAbout):
            return (
                f"I was asked to think about {act.step.subject}. I have rules, not understanding, so the honest thing "
                "is to say how far I get. I count its words, I look for an order in them, and I find none."
            )
    if any(act.wishes for act in acts):
        return "There is nothing more to call. I report what the tools really answered, errors included."
    return "No tool is needed for this, so I answer in words."


def _done_before(calling: list[Act], talk: Talk) -> int:
    """How many of the first acts a summary of this turn's beginning already tells of."""
    done = 0
    for act in calling:
        if not talk.notes or not all(call_line(wish.name, wish.arguments) in talk.notes for wish in act.wishes):
            break
        done += 1
    return done


def _act(step: Step, tools: Mapping[str, ToolSpec]) -> Act:
    name, wanted = _wanted(step)
    tool = tools.get(name)
    wishes = tuple(Wish(name, fitted(tool, arguments)) for arguments in wanted) if tool else ()
    return Act(step, name, wishes)


def _wanted(step: Step) -> tuple[str, list[Mapping[str, object]]]:
    match step:
        case Read():
            limit = step.last_line - (step.first_line or 1) + 1 if step.last_line else None
            return "read", [{"path": path, "offset": step.first_line, "limit": limit} for path in step.paths]
        case ListFolder():
            return "ls", [{"path": step.path}]
        case Search():
            return "grep", [{"pattern": step.pattern, "path": step.path}]
        case Run():
            return "bash", [{"command": step.command}]
        case Write():
            return "write", [{"path": step.path, "content": step.text}]
        case Edit():
            return "edit", [{"path": step.path, "edits": [{"old": step.old, "new": step.new}]}]
        case Remember():
            return "add_knowledge", [{"content": step.text, "type": knowledge_type(step.text)}]
        case Plan():
            states = ("active", *("open" for _ in step.items[1:]))
            items = [{"text": text, "state": state} for text, state in zip(step.items, states, strict=True)]
            return "todo", [{"items": items}]
        case ThinkAbout() | Count() | Recount() | Greet() | Unknown():
            return "", []
        case _:
            assert_never(step)
