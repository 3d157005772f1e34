"""Records become things: what belongs together is one row, and says what came of it."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import pytest
from pydantic import TypeAdapter
from rich.style import Style

from diligent_tui.agent.trace import TraceRecorder
from diligent_tui.domain import events as ev
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.usage import Usage
from diligent_tui.session.export.masking import Mask
from diligent_tui.session.export.saving import save_export
from diligent_tui.ui.panes.trace import export, save_trace, trace_lines
from diligent_tui.ui.panes.trace.book import TraceBook
from diligent_tui.ui.panes.trace.details import details, model_seconds, source
from diligent_tui.ui.panes.trace.drawing import draw_row, since_words
from diligent_tui.ui.panes.trace.look import TraceLook
from diligent_tui.ui.panes.trace.sieve import Sieve
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.panes.trace.words import brief_duration, headline, size_words
from tests.ui.panes.trace_stage import BUSY, SIZES, Timed, compaction, story, tool

KEY = "sk-a-key-of-nobody"
LOOK = TraceLook(*[Style()] * 6)
MASK = Mask(((KEY, "[A_KEY]"),))
NUMBERS = (
    "number tokens limit attempt outputs tokens_saved messages tokens_before tokens_after pruned summarised steps "
    "exit_code timeout_seconds cost delay_seconds duration_seconds percent expected_words candidates part part_count"
)
FLAGS = "is_error allowed can_retry suggest_new_session redone restored pinned accepted limit_assumed estimated"
VALUES: Mapping[str, object] = MappingProxyType(
    {
        **dict.fromkeys(NUMBERS.split(), 3),
        **dict.fromkeys(FLAGS.split(), True),
        "usage": Usage(input_tokens=10, output_tokens=2),
        "problem": BUSY,
        "items": (ev.QueuedText("q", "later", "queue"),),
        "input": {"command": "ls", "deep": {"list": [1, True, None]}},
        "sizes_bytes": SIZES,
        "parts": (("turns", 5),),
        "tools": ("read",),
        "role": "user",
        "purpose": "turn",
        "reason": "manual",
        "kind": "learn",
    }
)


def recorded(events: list[Timed]) -> TraceRecorder:
    """The events at their times."""
    at = [datetime(2026, 1, 2, tzinfo=UTC)]
    recorder = TraceRecorder(lambda: at[0])
    for seconds, event in events:
        at[0] = datetime(2026, 1, 2, tzinfo=UTC) + timedelta(seconds=seconds)
        recorder(event)
    return recorder


def things(events: list[Timed]) -> list[Thing]:
    book = TraceBook()
    book.take(recorded(events).take_changes())
    return list(book.things.values())


def no_log(_: str) -> int | None:
    return None


def test_a_turn_is_listed_as_what_was_sent_answered_and_run() -> None:
    listed = [(thing.kind, thing.state) for thing in things(story()[1:-2])]
    assert listed == [
        ("turn", "done"),
        ("request", "done"),
        ("answer", "done"),
        ("tool", "failed"),
        ("request", "done"),
        ("answer", "done"),
        ("turn", "done"),
        ("compaction", "done"),
        ("request", "done"),
        ("retry", "failed"),
        ("answer", "done"),
        ("permission", "done"),
        ("tool", "done"),
        ("request", "done"),
        ("answer", "done"),
        ("note", "told"),
        ("request", "done"),
        ("answer", "done"),
    ]


def test_every_event_is_in_exactly_one_thing() -> None:
    recorder = recorded(story())
    book = TraceBook()
    book.take(recorder.take_changes())
    numbers = [record.number for thing in book.things.values() for record in thing.records]
    assert sorted(numbers) == list(range(recorder.heard))


def test_totals_count_requests_breaks_problems_and_the_cache() -> None:
    book = TraceBook()
    book.take(recorded(story()).take_changes())
    totals = book.totals
    assert (totals.requests, totals.breaks, totals.problems) == (6, 2, 2)
    assert totals.cache_percent == pytest.approx(48.3, abs=0.1)


def test_a_request_tells_its_size_and_why_the_cache_broke() -> None:
    listed = [headline(thing) for thing in things(story()) if thing.kind == "request"]
    assert [line.subject for line in listed] == ["75 kB"] * 6
    assert [line.effects[0] for line in listed[:3]] == [
        "first request",
        "cache kept",
        "cache broke: compaction",
    ]


def test_a_compaction_is_one_thing_with_its_measures() -> None:
    found = next(thing for thing in things(story()) if thing.kind == "compaction")
    told = dict(details(found, lambda compaction_id: 12 if compaction_id == "k" else None))
    assert told["messages"] == "46 cut, 12 kept; 12 outputs pruned"
    assert told["tokens"] == "142,000 → 28,000, −80 %"
    assert told["time"] == "11 s, 9.0 s by the model"
    assert told["estimate"] == "≈28,000, and the next request was 29,100 (−4 %)"
    assert told["summary"] == "138,900 tokens sent for it, 1,100 received, cache 99 %, $0.05"
    assert model_seconds(found) == pytest.approx(9.0)


def errand(at: float, kind: ev.ErrandKind) -> list[Timed]:
    """An errand while a turn ends beside it."""
    usage = Usage(input_tokens=900, output_tokens=110)
    return [
        (at, ev.ErrandStarted("e", kind, 46)),
        (at + 1, ev.ErrandAsked("e", "a/b", 100)),
        *((at + 2 + number / 10, ev.ErrandDelta("e", "some words ")) for number in range(40)),
        (at + 6, ev.TurnFinished("p", "done", 1, Usage(), None)),
        (at + 7, ev.UsageRecorded("e", "a/b", usage, 0.05, "summary")),
        (at + 7, ev.ErrandFinished("e", kind, "some words " * 40, 2, 7.0)),
    ]


@pytest.mark.parametrize(("kind", "brought"), [("learn", "2 candidates"), ("branch_summary", "summary saved")])
def test_an_errand_is_one_thing_that_no_turn_ends_with_its_measures(kind: ev.ErrandKind, brought: str) -> None:
    (found,) = [thing for thing in things([(0, ev.TurnStarted("p", "x")), *errand(1, kind)]) if thing.kind == "errand"]
    assert (found.state, found.group, len(found.records)) == ("done", "memory", 5)
    assert headline(found).subject == brought
    assert found.entry_id == ("e" if kind == "branch_summary" else "")
    told = dict(details(found, no_log))
    assert told["messages"] == "46 read"
    assert told["time"] == "7.0 s, 6.0 s by the model"
    assert told["answer"] == "900 tokens sent for it, 110 received, cache 0 %, $0.05"
    assert told["+2.0 s"] == "440 characters of the answer came in 40 pieces over 3.9 s"


@pytest.mark.parametrize(("steps", "subject"), [(1, "reading 46 messages"), (3, "writing")])
def test_an_errand_that_runs_says_what_it_does(steps: int, subject: str) -> None:
    (found,) = things(errand(0, "learn")[:steps])
    assert (found.state, headline(found).subject) == ("running", subject)


def test_an_errand_that_was_stopped_is_no_problem_and_one_that_failed_is() -> None:
    stopped = Problem("interrupted", "It was stopped.", "Ask again.")
    for problem, state, effect in ((stopped, "stopped", "stopped"), (BUSY, "failed", "failed")):
        book = TraceBook()
        events: list[Timed] = [*errand(0, "learn")[:5], (5.0, ev.ErrandFailed("e", "learn", problem))]
        book.take(recorded(events).take_changes())
        (found,) = book.things.values()
        assert (found.state, headline(found).effects) == (state, (effect,))
        assert book.totals.problems == (state == "failed")


def test_the_name_of_a_tool_is_one_line_whatever_the_model_wrote() -> None:
    name = "ba\nsh\x1b[31m"
    finished = ev.ToolFinished("c", name, "", is_error=True, duration_seconds=0.1)
    (called,) = things([(0, ev.ToolCallReady("c", name, {}))])
    assert dict(details(called, no_log))["+0 ms"] == "the call of ba sh was complete"
    (ran,) = things([(0, ev.ToolStarted("c", name, {})), (1, finished)])
    assert dict(details(ran, no_log))["+0 ms"] == "ba sh began"
    assert "✗ ba sh " in draw_row(ran, 80, LOOK, timedelta(), ran.began_at).text


def test_the_estimate_waits_for_the_next_request() -> None:
    (found,) = things(compaction(0))
    assert "the next request will tell" in dict(details(found, no_log))["estimate"]


@pytest.mark.parametrize(
    ("ended", "state"),
    [
        (ev.TurnFailed("p", BUSY), "failed"),
        (ev.TurnFinished("p", "interrupted", 1, Usage(), None), "stopped"),
        (ev.TurnFinished("p", "done", 1, Usage(), None), "done"),
    ],
)
def test_nothing_of_a_turn_runs_on_after_its_end(ended: ev.Event, state: str) -> None:
    found = things([(0, ev.TurnStarted("p", "x")), (1, ev.StepStarted("p", "m", 1, "a/b", SIZES)), (2, ended)])
    assert [thing.state for thing in found if thing.kind == "request"] == [state]
    assert "running" not in {thing.state for thing in found}


@pytest.mark.parametrize("steps", [0, 4])
def test_a_compaction_that_was_stopped_is_no_problem(steps: int) -> None:
    stopped = Problem("interrupted", "The compaction was stopped; nothing was changed.", "Compact again.")
    events: list[Timed] = [*compaction(0)[:steps], (5.0, ev.CompactionFailed("k", stopped, True, False))]
    book = TraceBook()
    book.take(recorded(events).take_changes())
    (found,) = book.things.values()
    assert (found.state, book.totals.problems) == ("stopped", 0)
    assert headline(found).effects == ("stopped",)
    assert not Sieve(only_problems=True).fits(found)
    assert "failed" not in str(details(found, no_log))


@pytest.mark.parametrize(
    ("why", "row", "short", "anew"),
    [
        ("tools changed", "tools changed", "tools", "all of it is read anew"),
        ("system prompt changed", "system prompt changed", "system", "it is read anew from the system prompt on"),
        ("thinking level changed", "thinking level changed", "thinking", "its messages are read anew"),
        ("message 7 changed", "message 7 changed", "message 7", "it is read anew from message 7 on"),
        ("compaction", "compaction", "compaction", "its messages are read anew"),
        (
            "moved to another place: message 3 changed",
            "moved to another place",
            "moved",
            "it is read anew from message 3 on",
        ),
        (
            "moved to another place, then compaction undone",
            "moved to another place, then compaction undone",
            "undone",
            "its messages are read anew",
        ),
    ],
)
def test_a_break_says_why_in_a_row_and_what_is_read_anew_below_it(why: str, row: str, short: str, anew: str) -> None:
    (found,) = things([(0, ev.StepStarted("t", "m", 2, "a/b", SIZES, why))])
    assert headline(found).effects == (f"cache broke: {row}", f"broke: {row}", f"broke: {short}", "broke")
    assert ("cache", f"broke, so {anew}: {row}") in details(found, no_log)


def test_what_is_not_known_to_be_kept_is_left_out() -> None:
    found = next(thing for thing in things(story()) if thing.kind == "compaction")
    assert dict(details(found, no_log))["messages"] == "46 cut; 12 outputs pruned"


def test_what_is_told_of_nobody_known_stands_for_itself() -> None:
    odd: list[Timed] = [
        (0, ev.ToolFinished("x", "bash", "", False, 1.0)),
        (1, ev.PermissionResolved("x", False, "a rule")),
        (2, ev.CompactionFailed("", Problem("latched", "Twice in vain.", "Try again."), True, True)),
        (3, ev.CompactionPruned("u", 12, 31_000, ("read",))),
        (4, ev.UsageRecorded("b", "a/b", Usage(input_tokens=5), None, "summary")),
        (5, ev.TurnFinished("t", "done", 0, Usage(), None)),
        (6, ev.ToolCallReady("c", "bash", {"command": "ls"})),
        (7, ev.MessageSaved("m", "user", "steered")),
    ]
    found = things(odd)
    assert len(found) == len(odd)
    assert all(headline(thing).title for thing in found)


@pytest.mark.parametrize("event_class", ev.EVENT_CLASSES, ids=ev.event_name)
def test_every_kind_of_event_has_a_row_and_is_told_in_words_and_not_by_its_fields(event_class: type[ev.Event]) -> None:
    (found,) = things([(0.0, an_event(event_class))])
    assert headline(found).title
    told = "\n".join(" ".join(row) for row in details(found, no_log))
    # What is one word may well be the word for it.
    names = [field.name for field in dataclasses.fields(event_class) if "_" in field.name]
    names += [ev.event_name(event_class)] if "_" in ev.event_name(event_class) else []
    told = told.replace("with exit code", "").replace("the turn failed", "")
    assert not [name for name in names if name in told or name.replace("_", " ") in told]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            ev.RetryScheduled("m", 1, 2.0, BUSY),
            ["waits 2.0 s, then tries again (retry 1)", "The provider is too busy.", "Try again in a minute."],
        ),
        (ev.TurnFinished("p", "step_limit", 2, Usage(), 0.5), ["the turn ended after 2 requests, $0.50: stopped at"]),
        (ev.ToolFinished("c", "bash", "no", True, 9.1, exit_code=2), ["failed after 9.1 s with exit code 2, 2 char"]),
        (
            ev.CompactionStarted("k", 142_000, 200_000, "auto", "threshold"),
            ["142k of 200k tokens, 71 %", "nearly"],
        ),
        (
            ev.PermissionRequested("c", "bash", "make", "Not allowed yet."),
            ["asked you about bash", "make", "Not"],
        ),
        (ev.MessageSaved("m", "assistant", "Hm.", "max_tokens"), ["the answer was saved: the answer hit", "Hm."]),
        (ev.ToolStarted("c", "bash", {"command": "ls", "all": True}), ["bash began", "command: ls\nall: yes"]),
    ],
)
def test_an_event_is_told_as_one_would_say_it(event: ev.Event, words: list[str]) -> None:
    (found,) = things([(0.0, event)])
    told = [row[1] for row in details(found, no_log)]
    assert all(any(each in row for row in told) for each in words), told


def test_what_was_said_once_is_not_said_again_and_ids_stand_at_the_end() -> None:
    (found,) = things(tool(0, "c1"))
    told = details(found, no_log)
    assert sum(words.startswith("all passed") for _, words in told) == 1
    assert told[-1] == ("ids", "call c1, entry r-c1")


def test_a_switch_of_the_model_tells_from_which_to_which() -> None:
    found = things(story())
    changed = next(thing for thing in found if isinstance(thing.first, ev.ModelChanged))
    assert headline(changed).subject == "sonnet-5-5 → gpt-6"
    after = [thing for thing in found if thing.kind == "request"][4]
    assert headline(after).effects[0] == "cache broke: sonnet-5-5 → gpt-6"
    assert ("cache", "broke, so all of it is read anew: sonnet-5-5 → gpt-6") in details(after, no_log)


def test_a_change_of_thinking_alone_is_no_switch_of_the_model() -> None:
    (_, found) = things([(0, ev.ModelChanged("a/b", "low")), (1, ev.ModelChanged("a/b", "high"))])
    assert (headline(found).title, headline(found).subject) == ("thinking", "high")


@pytest.mark.parametrize(
    ("word", "subject"), [("sandbox off", "off"), ("sandbox full", "full"), ("no sandbox", "none")]
)
def test_the_sandbox_is_named_once(word: str, subject: str) -> None:
    (found,) = things([(0, ev.SandboxProbed(word, "A sentence."))])
    assert (headline(found).title, headline(found).subject) == ("sandbox", subject)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.8, "800 ms"), (4.3, "4.3 s"), (59, "59 s"), (725, "12 min"), (9_000, "2.5 h")]
)
def test_a_row_says_briefly_how_long_it_took(seconds: float, words: str) -> None:
    assert brief_duration(seconds) == words


def an_event(event_class: type[ev.Event]) -> ev.Event:
    """An event of any class, with something in each field."""
    fields = {field.name: VALUES.get(field.name, "words") for field in dataclasses.fields(event_class)}
    return TypeAdapter(event_class).validate_python(fields)


def test_old_things_are_forgotten_with_their_records() -> None:
    recorder = TraceRecorder(most_records=10)
    book = TraceBook()
    for number in range(40):
        recorder(ev.ModeChanged(str(number)))
    book.take(recorder.take_changes())
    recorder(ev.ModeChanged("last"))
    book.take(recorder.take_changes())
    assert len(book.forget_before(recorder.records[0].number)) == 1
    assert len(book.things) == 10


@pytest.mark.parametrize(
    ("seconds", "words", "short"),
    [(0, "0:00.0", "0:00"), (4.27, "0:04.2", "0:04"), (751, "12:31.0", "12:31"), (3_723, "1:02:03", "1:02:03")],
)
def test_times_are_told_from_the_beginning(seconds: float, words: str, short: str) -> None:
    assert since_words(timedelta(seconds=seconds)) == words
    assert since_words(timedelta(seconds=seconds), is_short=True) == short


@pytest.mark.parametrize(
    ("size_bytes", "words"), [(0, "0 B"), (999, "999 B"), (1_234, "1.2 kB"), (75_262, "75 kB"), (3_100_000, "3.1 MB")]
)
def test_sizes_are_told_as_people_say_them(size_bytes: int, words: str) -> None:
    assert size_words(size_bytes) == words


def exported(events: list[Timed]) -> list[dict[str, object]]:
    recorder = recorded(events)
    lines = list(trace_lines(list(recorder.records), MASK, "s1", recorder.dropped))
    return [json.loads(line) for line in lines]


def test_an_export_has_every_record_with_its_time() -> None:
    head, *records = exported(story())
    assert head == {"type": "trace", "sessionId": "s1", "records": 58, "dropped": 0}
    assert len(records) == 58
    assert records[0]["at"] == "2026-01-02T00:00:00.000Z"
    answer = next(record for record in records if record["type"] == "text_delta")
    assert (answer["characters"], answer["pieces"], answer["text"]) == (440, 40, "")


def test_no_key_and_no_half_of_one_gets_into_an_export() -> None:
    long = f"{'x' * 990}{KEY}{'y' * 2_000}"
    events: list[Timed] = [
        (0, ev.TurnStarted("p", f"use {KEY}")),
        (1, ev.ToolStarted("c", "bash", {KEY: ["echo", {"key": KEY}]})),
        (2, ev.ToolFinished("c", "bash", long, False, 1.0)),
    ]
    text = json.dumps(exported(events))
    assert KEY[:6] not in text
    assert text.count("[A_KEY]") == 4


TOKEN = f"ghp_{'aB3dE5gH' * 5}"


def secrets() -> list[Timed]:
    text = f"{TOKEN} postgres://app:hunter2@db password=hunter3"
    key = f"-----BEGIN PRIVATE KEY-----\n{'MIIEaB3d' * 300}"
    return [
        (0, ev.TurnStarted("p", text)),
        (1, ev.ToolStarted("c", "bash", {"command": f"echo {TOKEN}", "password": "hunter3", "deep": {"token": TOKEN}})),
        (2, ev.ToolFinished("c", "bash", f"{'x ' * 492}{TOKEN}{'y ' * 900}", False, 1.0)),
        (3, ev.ToolFinished("d", "read", key, False, 1.0)),
        (4, ev.ToolFinished("e", "bash", f"ghp_\x1b[31m{TOKEN[4:]}\x1b[0m", False, 1.0)),
        (5, ev.PermissionRequested("f", "bash", text, text)),
    ]


def test_nothing_that_looks_like_a_secret_is_exported_shown_or_copied() -> None:
    texts = [json.dumps(exported(secrets()))]
    for thing in things(secrets()):
        texts.append(source(thing, no_log))
        row = draw_row(thing, 400, LOOK, timedelta(), thing.began_at)
        texts.append(row.text)
    for text in texts:
        assert not [secret for secret in ("ghp_", "aB3d", "hunter", "MIIE") if secret in text]
    assert "[access token]" in texts[0]
    assert "[access token] postgres://app:[password]@db password=[hidden]" in texts[2]


def test_two_exports_at_the_same_time_get_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other: list[Path] = []

    def taken_meanwhile(path: Path, pieces: Iterable[bytes]) -> int:
        if not other:
            other.append(path)
            path.touch()
        return save_export(path, pieces)

    monkeypatch.setattr(export, "save_export", taken_meanwhile)
    path, _ = save_trace(recorded(story()), MASK, tmp_path, "s1")
    assert [each.name for each in (*other, path)] == ["trace-s1.jsonl", "trace-s1-2.jsonl"]


def test_an_export_has_nothing_that_acts_on_a_terminal() -> None:
    text = json.dumps(exported(tool(0, "c\x1b[31m\u202e")), ensure_ascii=False)
    assert "\\u001b" not in text
    assert "\u202e" not in text


def test_an_export_is_private_and_never_replaces_another(tmp_path: Path) -> None:
    recorder = recorded(story())
    first, size_bytes = save_trace(recorder, MASK, tmp_path, "s1")
    second, _ = save_trace(recorder, MASK, tmp_path, "s1")
    assert (first.name, second.name) == ("trace-s1.jsonl", "trace-s1-2.jsonl")
    assert first.stat().st_size == size_bytes
    assert first.stat().st_mode & 0o077 == 0
