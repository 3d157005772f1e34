"""Which panes stand open and how wide they are, kept from one run to the next; loaded without pydantic."""

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from diligent_tui.config.reading import read_plain
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.json_objects import is_object
from diligent_tui.storage.private import write_private

FILE_NAME = "layout.json"
SHARES_PERCENT = tuple(range(15, 85, 5))
"""The widths that a pane can be given, of the whole screen; the style sheet has a class for each."""
PANE_NAME = re.compile(r"[a-z]{1,20}")
MOST_PANES = 20


@dataclass(frozen=True, slots=True)
class Layout:
    """The panes that stand open, by name, and the widths that the user gave them."""

    left: str = ""
    right: str = ""
    shares_percent: Mapping[str, int] = field(default_factory=dict[str, int])


def load_layout(state_folder: Path) -> Layout:
    """The layout of the last run; the usual one if the file is not there or not what it should be."""
    try:
        content: object = json.loads(read_plain(state_folder / FILE_NAME))
    except (OSError, ValueError, RecursionError):
        return Layout()
    if not is_object(content):
        return Layout()
    shares = content.get("sharesPercent")
    widths = {name: value for name, value in shares.items() if _is_share(name, value)} if is_object(shares) else {}
    return Layout(_name(content.get("left")), _name(content.get("right")), _integers(widths))


def save_layout(state_folder: Path, layout: Layout) -> None:
    """Keep it; that this fails is no reason to trouble anybody, for it is made again with a few keys."""
    shares = dict(sorted(layout.shares_percent.items()))
    content = {"left": layout.left, "right": layout.right, "sharesPercent": shares}
    with contextlib.suppress(StorageError):
        write_private(state_folder / FILE_NAME, json.dumps(content, indent=1).encode())


def _name(value: object) -> str:
    return value if isinstance(value, str) and PANE_NAME.fullmatch(value) else ""


def _is_share(name: str, value: object) -> bool:
    return bool(_name(name)) and type(value) is int and value in SHARES_PERCENT


def _integers(values: Mapping[str, object]) -> dict[str, int]:
    return {name: value for name, value in list(values.items())[:MOST_PANES] if isinstance(value, int)}
