"""Transcripts are made regular, and what is asked of a context follows from the session itself."""

import pytest

from bench.survival.deeds import Touch, touches_in
from bench.survival.finders import errors_in, literals_in, names_in, path_key, paths_in, rules_in
from bench.survival.probes import GroundTruth, Kind, Probe
from bench.survival.ruler import Ruler
from bench.survival.survival import Held
from bench.survival.transcripts import GO_ON, INTERRUPTED, Transcript, made_regular
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.requests import Image, Text, ToolCall, UserTurn

PADDING = "nothing of note here. " * 300
"""Some 1,650 tokens."""


def user(text: str) -> JsonObject:
    return {"role": "user", "text": text}


def said(text: str, *calls: tuple[str, str, JsonObject]) -> JsonObject:
    return {"role": "assistant", "text": text, "calls": [{"id": i, "name": n, "args": a} for i, n, a in calls]}


def result(call_id: str, output: str, *, is_error: bool = False) -> JsonObject:
    return {"role": "tool", "call_id": call_id, "output": output, "is_error": is_error}


def session(*events: JsonObject) -> Transcript:
    return made_regular("made", "here", "hand", events)


def texts(turn: UserTurn) -> list[str]:
    parts = [part for part in turn.parts if not isinstance(part, Image)]
    return [part.text if isinstance(part, Text) else part.output for part in parts]


def test_two_answers_in_a_row_are_one_and_a_call_without_result_is_answered() -> None:
    made = session(user("go"), said("one", ("c", "bash", {})), said("two"), user("on"), said("three"))
    assert len(made.exchanges) == 2
    assert [type(part) for part in made.exchanges[0].said.parts] == [Text, ToolCall, Text]
    assert texts(made.exchanges[1].heard) == [INTERRUPTED, "on"]


def test_results_come_first_and_in_the_order_of_their_calls() -> None:
    made = session(
        user("go"),
        said("", ("a", "x", {}), ("b", "y", {})),
        user("wait"),
        result("b", "2"),
        result("a", "1"),
        result("z", "stray"),
        said("done"),
    )
    assert texts(made.exchanges[1].heard) == ["1", "2", "wait"]


def test_ids_of_calls_are_unique_and_empty_answers_are_left_out() -> None:
    made = session(
        said("", ("c", "x", {})), result("c", "1"), said(""), said("", ("c", "x", {})), result("c", "2"), said("end")
    )
    ids = [part.id for turn in made.turns for part in turn.parts if isinstance(part, ToolCall)]
    assert len(ids) == len(set(ids)) == 2
    assert texts(made.exchanges[0].heard) == [GO_ON]
    assert texts(made.exchanges[2].heard) == ["2"]


def test_a_compaction_of_the_original_agent_is_left_out_and_remembered() -> None:
    made = session(user("go"), said("one"), {"role": "compaction", "text": "all"}, user("on"), said("two"))
    assert [exchange.follows_compaction for exchange in made.exchanges] == [False, True]
    assert not any("all" in text for exchange in made.exchanges for text in texts(exchange.heard))


@pytest.mark.parametrize(
    ("call", "touched"),
    [
        (ToolCall("1", "Read", {"file_path": "/a/b/c.py"}), [Touch("read", "b/c.py")]),
        (ToolCall("1", "str_replace_editor", {"command": "create", "path": "x/y.c"}), [Touch("changed", "x/y.c")]),
        (ToolCall("1", "bash", {"command": "cd /r && cat lib/a.ex | head"}), [Touch("read", "lib/a.ex")]),
        (ToolCall("1", "bash", {"command": "sed -i 's/a/b/' lib/a.ex"}), [Touch("changed", "lib/a.ex")]),
        (ToolCall("1", "bash", {"command": "cat > t.py <<'EOF'\ncat other.py\nEOF"}), [Touch("changed", "t.py")]),
        (ToolCall("1", "bash", {"command": "make test 2>&1 | tail -5"}), []),
    ],
)
def test_files_that_a_call_touches(call: ToolCall, touched: list[Touch]) -> None:
    assert list(touches_in(call)) == touched


def test_things_are_found_by_their_shape() -> None:
    text = "see ./lib/web/live.ex:12, `load_session` and UserStore at https://x.org/a. v1.2.3 #451 3f9ac90 plain"
    assert paths_in(text) == {"web/live.ex"}
    assert names_in(text) == {"load_session", "UserStore"}
    assert literals_in(text) == {"https://x.org/a", "v1.2.3", "#451", "3f9ac90"}
    assert path_key("/a/b/c/d.py") == "c/d.py"
    assert list(errors_in("ok\nTypeError: no such thing here\n  12 raise ValueError: x")) == [
        "TypeError: no such thing here"
    ]
    assert list(rules_in("Please fix it. You must never touch the lock file! ok?")) == [
        "You must never touch the lock file!"
    ]


def needed(made: Transcript, exchange: int, kind: Kind, window_tokens: int = 5_000) -> set[str]:
    truth = GroundTruth(made, Ruler())
    return {probe.text for probe in truth.probes(exchange, window_tokens) if probe.kind == kind}


def test_needed_is_what_the_agent_uses_later_and_nobody_brings_back_first() -> None:
    made = session(
        user("go"),
        said("I see load_orders and save_orders and drop_orders.", ("a", "bash", {"command": "ls"})),
        result("a", PADDING),
        said("more", ("b", "bash", {"command": "ls"})),
        result("b", "drop_orders is here"),
        said("Now I call load_orders and drop_orders."),
    )
    # Before the second answer all three stand far back; only one of them is used before anybody names it.
    assert needed(made, 1, "needed_ident") == {"load_orders"}
    # Before the third, the other name has just been said by a tool.
    assert needed(made, 2, "needed_ident") == {"load_orders"}


def test_what_stands_in_the_tail_is_not_asked_for() -> None:
    made = session(user("go"), said("load_orders"), user("and"), said("load_orders again"))
    assert needed(made, 1, "needed_ident") == set()


def test_what_happened_is_asked_for_each_once() -> None:
    made = session(
        user("You must never touch the lock file."),
        said(
            "",
            ("a", "Read", {"file_path": "/p/src/a.py"}),
            ("b", "Edit", {"file_path": "/p/src/b.py"}),
            ("c", "Edit", {"file_path": "/p/src/c.py"}),
            ("d", "bash", {"command": "make"}),
        ),
        result("a", "text"),
        result("b", "done"),
        result("c", "no match", is_error=True),
        result("d", "ValueError: it is not there", is_error=True),
        said(PADDING),
        user(PADDING),
        said("end"),
    )
    assert needed(made, 2, "files_read") == {"src/a.py"}
    assert needed(made, 2, "files_modified") == {"src/b.py"}
    assert needed(made, 2, "errors") == {"ValueError: it is not there"}
    assert needed(made, 2, "user_rules") == {"You must never touch the lock file."}


def test_open_things_to_do_are_those_of_the_last_list() -> None:
    todos = [{"content": "write it", "status": "pending"}, {"content": "read it", "status": "completed"}]
    made = session(user("go"), said("", ("a", "TodoWrite", {"todos": todos})), result("a", PADDING), said("on"))
    assert needed(made, 1, "todo") == {"write it"}


def test_checkpoints_are_only_where_the_history_does_not_fit() -> None:
    events = [user("go")]
    for number in range(20):
        events += [said("look", (f"c{number}", "bash", {"command": "ls"})), result(f"c{number}", PADDING)]
    made = session(*events, said("end"))
    shares = [checkpoint.share for checkpoint in GroundTruth(made, Ruler()).checkpoints(20_000)]
    assert shares == [0.70, 0.85, 0.95]


@pytest.mark.parametrize(
    ("kind", "probe", "text", "is_held"),
    [
        ("needed_path", "b/c.py", "/a/b/c.py was read", True),
        ("needed_path", "b/c.py", "/a/bb/c.pyc", False),
        ("files_read", "c.py", "sub/c.py", True),
        ("needed_ident", "load_orders", "call load_orders()", True),
        ("needed_ident", "load_orders", "reload_orders()", False),
        ("needed_literal", "v1.2.3", "at v1.2.3", True),
        ("errors", "TypeError: a b", "x\n TypeError:  a b c", True),
        ("user_rules", "never do it", "never do this", False),
    ],
)
def test_a_probe_is_held_to_the_letter(kind: Kind, probe: str, text: str, is_held: bool) -> None:
    assert Held(text).has(Probe(kind, probe, 0)) == is_held


def test_a_rule_in_other_words_is_held_in_sense() -> None:
    tally = Held("never ever touch the lock file").tally([Probe("user_rules", "Never touch that lock file", 0)])
    assert (tally.held["user_rules"], tally.held["user_lenient"]) == (0, 1)
