"""The replay with a real model as summariser: the same sessions, probes and policies, the model's own words."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from bench.frame import Measure
from bench.survival.bars import bars_of
from bench.survival.measuring import Measured, Writers, measure_session
from bench.survival.report import shortfalls, tables
from bench.survival.transcripts import Transcript
from bench.survival.writers import AskingWriter, RelayingProvider
from diligent_tui.domain.models import Model
from diligent_tui.providers.base import Provider
from diligent_tui.providers.registry import KEY_VARIABLES, ProviderOptions, find, make_provider

REPEATS = 3
"""A model says something else each time; one run says little."""


def ask_model(
    name: str,
    transcripts: Sequence[Transcript],
    windows: Sequence[int],
    policies: Sequence[str],
    environ: Mapping[str, str],
    repeats: int = REPEATS,
) -> list[Measure]:
    """Measure with this model as the writer of all summaries, so many times, and tell each run."""
    model = find(name)
    provider = make_provider(model.provider, ProviderOptions(api_key=_key(model, environ)))
    print(f"{model.id}, {datetime.now(UTC).date()}, {repeats} runs")
    bars: list[Measure] = []
    for number in range(1, repeats + 1):
        measured, asking = asyncio.run(_measured(provider, model, transcripts, windows, policies, number == repeats))
        fed = sum(usage.prompt_tokens for usage in asking.costs)
        print(f"\nrun {number}; the other policies' summaries took {fed:,} tokens in {len(asking.costs)} answers")
        print(tables(measured))
        print(shortfalls(measured))
        bars += [bar for each in measured for bar in bars_of(each)]
    return bars


async def _measured(
    provider: Provider,
    model: Model,
    transcripts: Sequence[Transcript],
    windows: Sequence[int],
    policies: Sequence[str],
    is_last: bool,
) -> tuple[list[Measured], AskingWriter]:
    asking = AskingWriter(provider, model)
    writers = Writers(lambda spent, ruler: RelayingProvider(provider, model, spent, ruler), asking)
    totals: list[Measured] = []
    try:
        for window in windows:
            total = Measured(window)
            for transcript in transcripts:
                total.add(await measure_session(transcript, window, policies, writers))
            totals.append(total)
    finally:
        if is_last:
            await provider.aclose()
    return totals, asking


def _key(model: Model, environ: Mapping[str, str]) -> str | None:
    """The key in the environment that belongs to a model's provider."""
    for variable, model_id in KEY_VARIABLES:
        if model_id.partition("/")[0] == model.provider:
            return environ.get(variable, "").strip() or None
    return None
