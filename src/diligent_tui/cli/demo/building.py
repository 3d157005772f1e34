"""Makes the demo's session through the product's own doors: real turns, file tools and compactions."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from diligent_tui.agent.branching import BranchSummaryWish
from diligent_tui.agent.session import AgentSession
from diligent_tui.cli.demo import summaries, talk
from diligent_tui.cli.demo.player import Player, PreparedCommands
from diligent_tui.compaction.views import CompactionWish
from diligent_tui.config.assembly import begin, surroundings
from diligent_tui.config.house import House, enter
from diligent_tui.domain.entries import MessageEntry
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.messages import UserMessage
from diligent_tui.domain.models import Model
from diligent_tui.domain.times import now, to_stamp
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.tools.toolbox import builtin_tools

MODEL = "offline/rehearsal"
NAME = "the tide report"
FLAGS: Mapping[str, object] = {"mode": "full", "sandbox.mode": "off"}
"""Only while it is made: the commands are our own, and nobody is there to be asked."""
KEPT_TOKENS = 800
BETWEEN_ENTRIES = timedelta(seconds=3)
BETWEEN_TURNS = timedelta(minutes=7)
BEGUN_BEFORE = timedelta(minutes=100)

FIRST_PART = (talk.LOOK_AROUND, talk.WHY_IT_STOPS, talk.SKIP_AND_COUNT, talk.NO_PYTEST, talk.BY_DAY)
BRANCH = (talk.WITH_SQLITE, talk.HOW_LARGE)
SECOND_PART = (talk.LOOKS_WRONG, talk.SINCE)
LAST_PART = (talk.WHY_SILENT, talk.IN_THE_README)


class Clock:
    """A clock that goes a little with each look at it, so that the session has taken its time."""

    def __init__(self, begin_at: datetime) -> None:
        """Begin at a moment in the past."""
        self._moment = begin_at

    def __call__(self) -> datetime:
        """The next moment."""
        self._moment += BETWEEN_ENTRIES
        return self._moment

    def rest(self) -> None:
        """Let time pass before the next turn."""
        self._moment += BETWEEN_TURNS


def build(project: Path, environ: Mapping[str, str]) -> None:
    """Make session, knowledge and inbox in a folder that has the project's files."""
    house = enter(project, environ, FLAGS)
    _save_knowledge(house)
    asyncio.run(_talk(house))


def _save_knowledge(house: House) -> None:
    trust = house.trust_list
    store = KnowledgeStore(house.places.knowledge, "project", made_folder=trust.mark_own, around_write=trust.own_write)
    today = now()

    def fact(days: int, entry: KnowledgeEntry) -> KnowledgeEntry:
        return entry.model_copy(update={"timestamp": to_stamp(today - timedelta(days=days))})

    old = store.add(fact(41, KnowledgeEntry(type="decision", content="Reports are written as HTML.", tags=("report",))))
    plain = store.supersede(
        old.id,
        fact(23, KnowledgeEntry(type="decision", content="Reports are plain text, for the harbour's printer.")),
    )
    store.supersede(
        plain.id,
        fact(
            6,
            KnowledgeEntry(
                type="decision",
                content="Reports are plain text of at most 72 columns, for the harbour's printer.",
                confidence=0.9,
                tags=("report",),
                author="user",
            ),
        ),
    )
    pinned = store.add(fact(19, KnowledgeEntry(type="preference", content="Answer in short sentences.", author="user")))
    store.pin(pinned.id)
    store.add(fact(12, KnowledgeEntry(type="discovery", content="The gauge's clock is set to UTC.", confidence=0.6)))
    store.add(
        fact(9, KnowledgeEntry(type="pattern", content="Modules read, compute or print, one of these.", tags=("code",)))
    )


async def _talk(house: House) -> None:
    clock = Clock(now() - BEGUN_BEFORE)
    turns = (*FIRST_PART, *BRANCH, *SECOND_PART, *LAST_PART)
    answers = [answer for turn in turns for answer in turn.answers]
    player = Player(answers, [summaries.FIRST, summaries.BRANCH, summaries.SECOND])

    def provide(_: Model) -> Player:
        return player

    given = surroundings(house, may_ask=False, model_flag=MODEL)
    # A short session for its window: by the usual figures nothing of it would be old enough to prune.
    memory = replace(given.compaction, protected_share=0.05, trimmed_results=2, most_kept_tokens=KEPT_TOKENS)
    prepared = replace(
        given,
        clock=clock,
        provider_for=provide,
        tools=lambda: builtin_tools(PreparedCommands(answers)),
        compaction=memory,
    )
    session = begin(house, prepared)
    try:
        await _first_part(session, clock)
        await _branch(session, clock)
        await _second_part(session, clock)
    finally:
        await session.close()


async def _first_part(session: AgentSession, clock: Clock) -> None:
    for turn in FIRST_PART:
        await _play(session, turn, clock)
        if turn is talk.LOOK_AROUND:
            await session.rename(NAME)
    await session.memory.pin(_prompt_id(session, talk.SKIP_AND_COUNT))
    await session.memory.compact(CompactionWish(strategy="summarize"))


async def _branch(session: AgentSession, clock: Clock) -> None:
    fork_at = session.store.tree.leaf_id
    for turn in BRANCH:
        await _play(session, turn, clock)
    await session.label(_prompt_id(session, talk.WITH_SQLITE), "try-sqlite")
    await session.move_to(fork_at, BranchSummaryWish())


async def _second_part(session: AgentSession, clock: Clock) -> None:
    for turn in SECOND_PART:
        await _play(session, turn, clock)
    await session.label(_prompt_id(session, talk.LOOKS_WRONG), "csv")
    await session.memory.compact(CompactionWish(strategy="summarize", focus="what was decided"))
    dropped, mended = summaries.FORGOTTEN
    summary = session.memory.versions()[-1].entry.summary
    await session.memory.edit_summary(summary.replace(dropped, mended))
    for turn in LAST_PART:
        await _play(session, turn, clock)
    await session.memory.compact(CompactionWish(strategy="prune"))


async def _play(session: AgentSession, turn: talk.PreparedTurn, clock: Clock) -> None:
    clock.rest()
    await session.prompt(turn.prompt)
    await session.wait_idle()


def _prompt_id(session: AgentSession, turn: talk.PreparedTurn) -> str:
    """The entry of a prompt that is on the path."""
    for node in session.conversation.path:
        match session.store.entry(node.id):
            case MessageEntry(message=UserMessage(content=turn.prompt)):
                return node.id
            case _:
                pass
    raise LookupError(turn.prompt)
