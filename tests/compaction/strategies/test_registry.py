"""Strategies by name: ours, and others' that are kept at arm's length."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from diligent_tui.compaction.strategies.base import Job, NotWorthIt, Rejected, Strategy, Written
from diligent_tui.compaction.strategies.registry import GROUP, find_strategy, our_strategies, shelf_of, strategies
from diligent_tui.compaction.strategies.shelter import sheltered
from diligent_tui.compaction.strategies.writing import write_with_model, write_without_model
from diligent_tui.domain.errors import UsageError
from tests.compaction.strategies.stage import GOOD, Script, said, stage, talk


@pytest.mark.parametrize(
    ("name", "prunes", "writes"),
    [("auto", True, True), ("summarize", False, True), ("prune", True, False), ("truncate", False, True)],
)
def test_our_strategies_can_be_found(name: str, prunes: bool, writes: bool) -> None:
    found = find_strategy(f" {name.upper()} ")
    assert (found.name, found.prunes, found.write is not None) == (name, prunes, writes)
    assert found.help
    assert strategies()[name] is found


@pytest.mark.parametrize(("name", "near"), [("sumarize", "summarize"), ("truncat", "truncate"), ("\x1b[2Jx", "auto")])
def test_a_wrong_name_is_told_the_right_ones(name: str, near: str) -> None:
    with pytest.raises(UsageError) as refused:
        find_strategy(name)
    assert near in refused.value.advice
    assert "\x1b" not in refused.value.message


PLUGIN = """
from diligent_tui.compaction.strategies.base import Strategy

async def write(job):
    raise ZeroDivisionError("oops")

GOOD = Strategy("other", "Does\\x1b[31m it\\nwell.", True, write)
PRUNES = Strategy("x", "y", True, None)
NOT_ONE = 3
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strange_strategies.py").write_text(PLUGIN)
    (tmp_path / "strange_broken.py").write_text("import nothing_of_that_name")
    (tmp_path / "strange_exit.py").write_text("raise SystemExit(3)")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


@pytest.mark.usefixtures("plugin")
def test_other_packages_may_offer_strategies_under_the_name_of_their_entry_point() -> None:
    shelf = shelf_of([point("Mine", "strange_strategies:GOOD"), point("bare", "strange_strategies:PRUNES")])
    assert list(shelf.strategies) == [*our_strategies(), "mine", "bare"]
    mine = shelf.strategies["mine"]
    assert mine.name == "mine"
    assert "\x1b" not in mine.help
    assert "\n" not in mine.help
    assert shelf.strategies["bare"].write is None
    assert shelf.broken == ()


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("a", "strange_broken:X", "nothing_of_that_name"),
        ("a", "strange_exit:X", "SystemExit"),
        ("a", "strange_strategies:MISSING", "cannot be loaded"),
        ("a", "strange_strategies:NOT_ONE", "names no Strategy"),
        ("auto", "strange_strategies:GOOD", "second strategy called 'auto'"),
        ("two words\x1b]0;x\x07", "strange_strategies:GOOD", "can only have"),
        ("", "strange_strategies:GOOD", "can only have"),
    ],
)
def test_what_cannot_be_used_is_passed_over_with_a_sentence(name: str, value: str, why: str) -> None:
    shelf = shelf_of([point(name, value), point("fine", "strange_strategies:GOOD")])
    assert list(shelf.strategies) == [*our_strategies(), "fine"]
    (sentence,) = shelf.broken
    assert why in sentence
    assert "\x1b" not in sentence


async def raising(_: Job) -> Written:
    raise ZeroDivisionError("oops")


async def nothing(_: Job) -> object:
    return None


async def too_long(job: Job) -> Written:
    made = await write_without_model(job)
    return replace(made, entry=made.entry.model_copy(update={"summary": "word " * 50_000}))


async def other_cut(job: Job) -> Written:
    made = await write_without_model(job)
    return replace(made, entry=made.entry.model_copy(update={"first_kept_entry_id": "elsewhere"}))


@pytest.mark.parametrize("write", [raising, nothing, too_long, other_cut])
async def test_a_strategy_that_breaks_off_costs_a_summary_and_not_the_session(
    write: Callable[[Job], Awaitable[object]],
) -> None:
    play = stage(talk(), Script([said(GOOD)]))
    written = await sheltered("mine", write)(play.job)
    assert written.entry.strategy == "truncate"
    assert len(written.complaints) == 1
    assert "mine" in written.complaints[0]
    assert play.told == [Rejected(written.complaints[0])]


async def test_a_strategy_that_works_is_left_alone_and_may_refuse_or_be_stopped() -> None:
    play = stage(talk(), Script([said(GOOD)]))
    assert (await sheltered("mine", write_with_model)(play.job)).entry.summary == GOOD.strip()

    async def refusing(_: Job) -> Written:
        raise NotWorthIt("Too little.")

    async def stopped(_: Job) -> Written:
        raise asyncio.CancelledError

    with pytest.raises(NotWorthIt):
        await sheltered("mine", refusing)(play.job)
    with pytest.raises(asyncio.CancelledError):
        await sheltered("mine", stopped)(play.job)


def test_every_strategy_says_what_it_does_in_one_short_sentence() -> None:
    for strategy in strategies().values():
        assert isinstance(strategy, Strategy)
        assert len(strategy.help) <= 80
        assert strategy.help.endswith(".")
