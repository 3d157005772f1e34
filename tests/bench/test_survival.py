"""The replay measures what it says, for every policy, and the same in every run."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.compaction import run as run_planning
from bench.survival.bars import bars_of
from bench.survival.drift import drift_of
from bench.survival.estimates import size_errors
from bench.survival.faults import fault_bars, fault_runs
from bench.survival.llm import ask_model
from bench.survival.measuring import EQUAL_CUT, OTHERS, OURS, measure_all, measure_session
from bench.survival.policies.base import Spent
from bench.survival.precision import precision_of
from bench.survival.probes import GroundTruth, Probe
from bench.survival.recall import PlainIndex, cloze
from bench.survival.replay import play
from bench.survival.report import as_data, asides, shortfalls, tables
from bench.survival.ruler import Ruler
from bench.survival.stale import stale_tokens
from bench.survival.stub import SUMMARY_TOKENS, Piece, summarise
from bench.survival.survival import Tally
from bench.survival.synthetic import synthetic_session
from bench.survival.transcripts import made_regular
from bench.survival.validity import flaws_of
from bench.survival.writers import told_in
from bench.wishes import POLICIES
from diligent_tui.agent.requests import SUMMARY_QUESTION
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantTurn,
    Request,
    RequestMessage,
    Text,
    ToolCall,
    ToolResult,
    UserTurn,
)

WINDOW = 8_000
SESSION = synthetic_session(seed=5, exchanges=56)
MANY_WORDS = "word " * 80
"""A hundred tokens."""


def told(text: str) -> UserTurn:
    return UserTurn((Text(text),))


def answered(text: str) -> AssistantTurn:
    return AssistantTurn((Text(text),))


@dataclass
class Forgetful:
    """Shows the newest message alone, from the third request on."""

    spent: Spent = field(default_factory=Spent)
    overhead_tokens: int = 50
    turns: list[RequestMessage] = field(default_factory=list[RequestMessage])

    async def next_list(self, heard: UserTurn) -> Sequence[RequestMessage]:
        self.turns.append(heard)
        return tuple(self.turns) if len(self.turns) < 5 else (heard,)

    async def answered(self, said: AssistantTurn) -> None:
        self.turns.append(said)

    async def close(self) -> None:
        self.turns.clear()


async def test_hits_costs_and_sizes_are_counted_message_by_message() -> None:
    events: list[JsonObject] = [{"role": role, "text": MANY_WORDS} for _ in range(3) for role in ("user", "assistant")]
    transcript = made_regular("made", "here", "hand", events)
    played = await play(transcript, Forgetful(), 320, Ruler(), ())
    # Requests of one, three and one messages of a hundred tokens, and fifty before each.
    assert played.input_tokens == 150 + 350 + 150
    assert played.hit_tokens == 0 + 150 + (50 + 100)
    assert (played.peak_tokens, played.over_window, played.invalid) == (350, 1, 0)
    assert played.cost == pytest.approx(0.1 * 300 + 1.25 * 350)


async def test_every_policy_keeps_its_lists_valid_and_within_the_window() -> None:
    measured = await measure_session(SESSION, WINDOW, POLICIES)
    assert set(measured.played) == {*POLICIES, EQUAL_CUT}
    for name in POLICIES:
        played = measured.played[name]
        assert (name, played.invalid, played.flaws) == (name, 0, [])
        assert (name, played.over_window > 0) == (name, name == "none")
        assert played.requests == len(SESSION.exchanges)
    ours, none = measured.played[OURS], measured.played["none"]
    assert all(none.tally.share(kind) == 1 for kind in none.tally.asked)
    assert ours.compactions > 0
    assert ours.tally.share("files_modified") == ours.tally.share("user_rules") == 1
    assert measured.recalled.ids > 0
    assert measured.recalled.ids == measured.recalled.identical
    assert [bar.name for bar in bars_of(measured) if bar.name.endswith("invalid requests")] == ["8k invalid requests"]


def test_a_run_is_the_same_each_time_and_can_be_told() -> None:
    first, second = (measure_all([SESSION], [WINDOW], ["ours", "pi", "none"]) for _ in range(2))
    precision = precision_of(SESSION)
    assert as_data(first, [], precision, []) == as_data(second, [], precision, [])
    assert "ours" in tables(first)
    assert "precision file" in asides([], precision, [], first)
    assert "8k" in shortfalls(first)


def test_a_failing_summariser_leaves_sessions_valid_with_their_ledgers() -> None:
    runs = fault_runs([synthetic_session(seed=6, exchanges=44)], WINDOW)
    assert [run.fault for run in runs] == ["empty", "too_long", "raises", "drops_sections"]
    assert all(bar.verdict == "ok" for bar in fault_bars(runs))
    assert all(run.compactions for run in runs)


def test_a_real_model_can_write_the_summaries(capsys: pytest.CaptureFixture[str]) -> None:
    bars = ask_model("offline/rehearsal", [SESSION], [WINDOW], ["ours", "codex"], {}, repeats=1)
    assert next(bar for bar in bars if "invalid" in bar.name).value == 0
    assert "offline/rehearsal" in capsys.readouterr().out


def test_the_stub_keeps_to_its_budget_and_to_words_that_were_said() -> None:
    outputs = [Piece("result", _line(number)) for number in range(900)]
    pieces = [Piece("user", "Please mend the parser of ledgers."), *outputs]
    summary = summarise(pieces)
    assert len(summary) <= SUMMARY_TOKENS * 4
    source = "\n".join(piece.text for piece in pieces)
    lines = [line.removeprefix("- ") for line in summary.splitlines() if line.startswith("- ")]
    assert len(lines) > 20
    assert all(line in source or line == "(none)" for line in lines)
    assert summary == summarise(pieces)


def _line(number: int) -> str:
    return f"{number} " + " ".join(f"{'abcdefghij'[int(sign)] * 5}{number % 37}" for sign in str(number * 7919))


def test_what_a_request_for_a_summary_tells_is_read_both_ways() -> None:
    asked = Text("Write the notes.\n\n## This Turn So Far")
    talk = (told(SUMMARY_QUESTION), answered("## Goal\n- old\n---\nKept by the program"), UserTurn((Text("go"), asked)))
    request = Request(Model("a", "b"), "", (), talk, 100, purpose="summary")
    assert told_in(request) == ([Piece("summary", "## Goal\n- old"), Piece("user", "go")], True)
    words = (
        "<previous-summary>\nold\n</previous-summary>\n\n<transcript>\n[user 1a] go\n  on\n\n[tool_result 2b] ok\n"
        "</transcript>\n\nWrite."
    )
    request = Request(Model("a", "b"), "", (), (told(words),), 100, purpose="summary")
    assert told_in(request) == ([Piece("summary", "old"), Piece("user", "go\non\n"), Piece("result", "ok")], False)


def test_flaws_are_found_in_both_wire_formats() -> None:
    assert flaws_of([told("go"), answered("done"), told("on")]) == []
    assert flaws_of([told("go"), AssistantTurn((ToolCall("c", "read", {}),)), told("on")])
    assert flaws_of([answered("first")])
    assert flaws_of([told("go"), answered(" "), told("on")])


def test_a_read_is_stale_once_its_file_was_changed() -> None:
    def step(call_id: str, name: str, output: str) -> list[RequestMessage]:
        call = ToolCall(call_id, name, {"path": "src/a.py"})
        return [AssistantTurn((call,)), UserTurn((ToolResult(call_id, name, output, is_error=False),))]

    history = [told("go"), *step("1", "read", "x" * 400), *step("2", "edit", "ok"), *step("3", "read", "y" * 800)]
    assert stale_tokens(history, history) == 100
    assert stale_tokens(history[3:], history) == 0
    assert stale_tokens(history[:3], history[:3]) == 0


def test_drift_is_what_each_further_compaction_loses() -> None:
    def tally(held: int) -> Tally:
        return Tally({"files_read": 10}, {"files_read": held})

    drift = drift_of([{1: tally(10), 2: tally(9), 4: tally(7)}, {1: tally(5)}])
    assert drift.loss_points == pytest.approx(10.0)
    assert drift.held == ((1, 0.75), (2, 0.9), (4, 0.7))
    assert drift.half_life == pytest.approx(math.log(0.5) / math.log(0.9))
    assert math.isnan(drift_of([{1: tally(3)}]).loss_points)


def test_a_cloze_query_leaves_the_item_out_and_plain_search_finds_its_place() -> None:
    query = cloze("then we call load_orders with the ledger of tenants", Probe("needed_ident", "load_orders", 0, 1))
    assert "load_orders" not in query
    index = PlainIndex()
    index.take([told("the ledger of tenants is read by load_orders"), told("nothing at all")])
    assert index.search(query)[0].endswith("load_orders")
    index.close()


def test_the_error_of_a_size_is_told_against_the_next_real_count() -> None:
    def answer(tokens: int) -> JsonObject:
        usage = {"input": tokens, "output": 10, "cacheRead": 0}
        return {"role": "assistant", "text": "ok, done", "usage": usage, "model": "m"}

    # Three bytes a token: a prompt of 300 characters is 100 tokens.
    asked: JsonObject = {"role": "user", "text": "x" * 300}
    made = made_regular("made", "here", "pi", [asked, answer(1_000), asked, answer(1_110), asked, answer(2_440)])
    found = size_errors(made)
    assert found is not None
    assert found.errors[0] == pytest.approx(0, abs=0.001)
    assert found.errors[1] == pytest.approx(0.5, abs=0.001)
    assert size_errors(SESSION) is None


def test_extractors_are_borne_out_by_the_session() -> None:
    precision = precision_of(SESSION)
    assert precision.found["file"] > 10
    assert precision.right["file"] == precision.found["file"]
    assert all(precision.right[kind] <= precision.found[kind] for kind in precision.found)


def test_synthetic_sessions_come_from_their_seed_and_have_something_of_every_kind() -> None:
    assert synthetic_session(3, 40) == synthetic_session(3, 40)
    assert synthetic_session(3, 40) != synthetic_session(4, 40)
    checkpoints = GroundTruth(SESSION, Ruler()).checkpoints(WINDOW)
    kinds = {probe.kind for checkpoint in checkpoints for probe in checkpoint.probes}
    assert kinds >= {"needed_ident", "files_modified", "files_read", "errors", "user_rules"}


def test_sessions_are_read_from_a_folder_and_figures_kept_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = [{"role": "user", "text": "go"}, {"role": "assistant", "text": "done"}]
    lines = [{"type": "meta", "name": "one", "source": "here"}, *events]
    (tmp_path / "one.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    kept = tmp_path / "kept.json"
    words = ["survival", "--data", str(tmp_path), "--window", "4000", "--policy", "ours,none", "--json", str(kept)]
    assert main(words) == 1
    assert "Nothing was measured." in capsys.readouterr().err
    assert json.loads(kept.read_text(encoding="utf-8"))["windows"][0]["sessions"] == 0


@pytest.mark.parametrize("words", [("--window", "big"), ("--window", "3"), ("--policy", "ours,theirs")])
def test_a_wrong_wish_is_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["survival", *words])
    assert words[0] in capsys.readouterr().err


def test_the_names_of_policies_are_those_that_can_be_played() -> None:
    assert set(POLICIES) == {OURS, *OTHERS}


def test_planning_is_measured_against_one_pass() -> None:
    (measure,) = run_planning(quick=True)
    assert measure.value > 0
    assert measure.target == 5
