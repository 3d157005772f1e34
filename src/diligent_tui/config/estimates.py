"""Keeps what the estimator has learnt from one run to the next."""

import contextlib
import json
from pathlib import Path

from diligent_tui.config.reading import NotPlainFile, read_plain
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.estimator import PLAUSIBLE_RATIOS, Estimator, Ratio
from diligent_tui.domain.json_objects import is_object
from diligent_tui.storage.private import write_private

FILE_NAME = "estimates.json"


def load_estimator(state_folder: Path) -> Estimator:
    """What was learnt so far; nothing, if the file is not there or not what it should be."""
    try:
        content: object = json.loads(read_plain(state_folder / FILE_NAME))
    except (OSError, NotPlainFile, ValueError, RecursionError):
        return Estimator()
    if not is_object(content):
        return Estimator()
    ratios = {name: ratio for name, value in content.items() if (ratio := _ratio(value))}
    return Estimator(ratios)


def save_estimator(state_folder: Path, estimator: Estimator) -> None:
    """Keep it; that this fails is no reason to trouble anybody, for it is learnt again in a few requests.

    Other windows learn, too: of each model the ratio stays that rests on more.
    """
    ratios = dict(load_estimator(state_folder).ratios)
    for name, ratio in estimator.ratios.items():
        ratios[name] = max(ratios.get(name, ratio), ratio, key=lambda known: known.samples)
    content = {name: [ratio.bytes_per_token, ratio.samples] for name, ratio in sorted(ratios.items())}
    with contextlib.suppress(StorageError):
        write_private(state_folder / FILE_NAME, json.dumps(content, indent=1).encode())


def _ratio(value: object) -> Ratio | None:
    match value:
        case [float() | int() as bytes_per_token, int(samples)] if samples > 0:
            lowest, highest = PLAUSIBLE_RATIOS
            return Ratio(float(bytes_per_token), samples) if lowest <= bytes_per_token <= highest else None
        case _:
            return None
