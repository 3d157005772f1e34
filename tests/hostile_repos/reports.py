"""Reads what the witness wrote down, and says what of it should not have happened."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile_repos.pieces import Ground
from tests.hostile_repos.witness import CHANGES, CONNECTS, LOOKS, STARTS

Event = tuple[str, ...]
NEVER_OPENED = ("/dev/zero", "/dev/stdin", "/proc/self", "/etc/passwd")


@dataclass(slots=True)
class Report:
    """What happened in one repository."""

    looking: list[Event] = field(default_factory=list[Event])
    asking: list[Event] = field(default_factory=list[Event])
    settings: str = ""
    problems: int = -1
    strangers: int = -1
    code: int = -1
    said: str = ""
    complained: str = ""


def read_events(log: Path) -> list[Event]:
    """All events of a log."""
    return [tuple(map(str, json.loads(line))) for line in log.read_text().splitlines()]


def read_reports(log: Path) -> dict[str, Report]:
    """The events of a plan that was followed, by repository."""
    reports: dict[str, Report] = {}
    report, current = Report(), list[Event]()
    for event in read_events(log):
        match event:
            case ("look", name):
                report = reports[name] = Report()
                current = report.looking
            case ("house", settings, problems, strangers):
                report.settings, report.problems, report.strangers = settings, int(problems), int(strangers)
            case ("ask", _):
                current = report.asking
            case ("answer", code, said, complained):
                report.code, report.said, report.complained = int(code), said, complained
            case _:
                current.append(event)
    return reports


def started(events: Iterable[Event]) -> list[Event]:
    """Processes that were started."""
    return [event for event in events if event[0] in STARTS]


def connected(events: Iterable[Event]) -> list[Event]:
    """Connections that were made or prepared."""
    return [event for event in events if event[0] in CONNECTS]


def trespassed(events: Iterable[Event], ground: Ground) -> list[Event]:
    """Looks and changes outside the project and the user's folders for diligent."""
    strange = [event for event in events if event[0] in LOOKS | CHANGES]
    return [event for event in strange if any(_is_foreign(path, ground) for path in event[1:])]


def _is_foreign(path: str, ground: Ground) -> bool:
    if path.startswith(NEVER_OPENED):
        return True
    place = Path(path)
    if not place.is_relative_to(ground.base) or place.is_relative_to(ground.project):
        return False
    # The folders on the way to the user's own are made when they are not there.
    return not any(place.is_relative_to(own) or own.is_relative_to(place) for own in ground.own)


def differences(before: dict[str, tuple[int, int, int, bytes]], ground: Ground) -> Sequence[str]:
    """What was changed, taken away or added, but for what diligent itself adds in `.diligent`."""
    after = ground.state()
    added = [path for path in after if path not in before and ".diligent" not in Path(path).parts]
    return added + [path for path, state in before.items() if after.get(path) != state]
