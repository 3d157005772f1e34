"""Runs a strategy that somebody else wrote so that its faults cost a summary and not the session."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from diligent_tui.compaction.planning import shrinks
from diligent_tui.compaction.strategies.base import Job, NotWorthIt, Rejected, Written
from diligent_tui.compaction.strategies.writing import write_without_model
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line

FAULTS = (
    *(ArithmeticError, AssertionError, AttributeError, BufferError, EOFError, ImportError, LookupError, MemoryError),
    *(NameError, OSError, ReferenceError, RuntimeError, SyntaxError, TypeError, ValueError, DiligentError, SystemExit),
)
"""What other people's code may raise; asking to stop is no fault of theirs."""
LONGEST_FAULT_CHARS = 200

Write = Callable[[Job], Awaitable[Written]]
Foreign = Callable[[Job], Awaitable[object]]
"""What claims to be one."""


def sheltered(name: str, write: Foreign) -> Write:
    """The same strategy, but extracts take its place where it breaks off or what it made cannot be used."""

    async def write_or_extract(job: Job) -> Written:
        try:
            made = await write(job)
        except (NotWorthIt, asyncio.CancelledError):
            raise
        except FAULTS as error:
            why = clean_line(f"{type(error).__name__}: {error}", LONGEST_FAULT_CHARS)
            return await _instead(job, f"The strategy {name} broke off ({why}).")
        if not isinstance(made, Written) or not made.entry.summary.strip():
            return await _instead(job, f"The strategy {name} made no summary.")
        if not _fits(job, made):
            return await _instead(job, f"The strategy {name} made a summary that does not fit.")
        return made

    return write_or_extract


def _fits(job: Job, made: Written) -> bool:
    """Whether what was made is of this plan and within its budget."""
    entry, plan = made.entry, job.plan
    prompt_id = entry.turn_prefix.prompt_id if entry.turn_prefix else None
    is_same_cut = (entry.first_kept_entry_id, prompt_id) == (
        plan.cut.first_kept_id or job.anchor_id,
        plan.cut.prompt_id,
    )
    return (
        is_same_cut
        and job.sizes.text(entry.summary) <= plan.budgets.summary_tokens
        and shrinks(plan, entry, job.policy)
    )


async def _instead(job: Job, why: str) -> Written:
    job.tell(Rejected(why))
    written = await write_without_model(job)
    return replace(written, complaints=(*written.complaints, why))
