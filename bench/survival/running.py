"""One run of the benchmark, from the command line's wishes to measures, tables and a file."""

import json
import os
from collections.abc import Sequence

from bench.frame import Measure
from bench.survival.bars import bars_of, size_bars
from bench.survival.estimates import SizeErrors, size_errors
from bench.survival.faults import fault_bars, fault_runs
from bench.survival.llm import ask_model
from bench.survival.measuring import measure_all
from bench.survival.precision import Precision, precision_of
from bench.survival.report import as_data, asides, shortfalls, tables
from bench.survival.synthetic import synthetic_sessions
from bench.survival.transcripts import Transcript, read_folder
from bench.wishes import Wishes

QUICK_WINDOWS = (16_000,)


def run(quick: bool) -> list[Measure]:
    """The synthetic set at the usual windows."""
    return run_wishes(Wishes(windows=QUICK_WINDOWS, is_quick=True) if quick else Wishes())


def run_wishes(wishes: Wishes) -> list[Measure]:
    """Measure, print what was found, keep it if a file is named, and give the bars."""
    transcripts = read_folder(wishes.data) if wishes.data else synthetic_sessions(quick=wishes.is_quick)
    if wishes.llm:
        return ask_model(wishes.llm, transcripts, wishes.windows, wishes.policies, os.environ)
    measured = measure_all(transcripts, wishes.windows, wishes.policies, wishes.jobs)
    errors = _size_errors(transcripts)
    precision = Precision()
    for transcript in transcripts:
        precision.add(precision_of(transcript))
    faulted = fault_runs(transcripts, min(wishes.windows)) if "ours" in wishes.policies else []
    bars = [
        *(bar for each in measured for bar in bars_of(each)),
        *size_bars(errors),
        *fault_bars(faulted),
    ]
    for part in (tables(measured), asides(errors, precision, faulted, measured), shortfalls(measured)):
        if part:
            print(part, end="\n\n")
    if wishes.json:
        data = as_data(measured, errors, precision, faulted)
        data["bars"] = [
            {"name": bar.name, "value": bar.value, "target": bar.target, "verdict": bar.verdict} for bar in bars
        ]
        wishes.json.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return bars


def _size_errors(transcripts: Sequence[Transcript]) -> list[SizeErrors]:
    return [found for transcript in transcripts if (found := size_errors(transcript))]
