"""The small project of the demo as it is before anybody works on it: a tool that reports tides from a CSV file."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

DAYS = 31
READINGS_PER_DAY = 24
GAP = (9, 17)
"""The day and hour at which the gauge said nothing: the reading that stops the report."""
RISE_CM = (0, 31, 58, 79, 90, 88, 75, 53, 26, -4, -30, -46)
"""Twelve hours of a tide, as good as any."""

README = """\
# tide

Reports the tide in a harbour from the readings of its gauge.

    python3 -m tide data/harbour.csv

A reading is a line `time,level`: ISO time, level in centimetres above chart datum.
No dependencies beyond Python 3.9.
"""

READINGS = '''\
"""Reads what the gauge wrote."""

import csv
from typing import NamedTuple


class Reading(NamedTuple):
    """One line of the file."""

    time: str
    level_cm: float


def read(path):
    """All readings of a file, in its order."""
    with open(path, newline="") as file:
        return [Reading(row["time"], float(row["level"])) for row in csv.DictReader(file)]
'''

MAIN = '''\
"""The command line."""

import sys

from tide.readings import read


def main(path):
    """Print how many readings there are, and the extremes."""
    readings = read(path)
    levels = [reading.level_cm for reading in readings]
    print(f"{len(readings)} readings, {min(levels):.0f} to {max(levels):.0f} cm")


if __name__ == "__main__":
    main(sys.argv[1])
'''

TESTS = '''\
"""How readings are read."""

import os
import tempfile
import unittest

from tide.readings import read


def readings_of(text):
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        file.write(text)
    try:
        return read(file.name)
    finally:
        os.unlink(file.name)


class ReadingTest(unittest.TestCase):
    def test_a_line_is_a_reading(self):
        self.assertEqual(readings_of("time,level\\n2026-03-01T00:00,120\\n")[0].level_cm, 120)


if __name__ == "__main__":
    unittest.main()
'''


def base_level_cm(day: int) -> int:
    """What the tide of a day, counted from 0, goes up and down from."""
    return 120 + 3 * (day % 7)


def gauge_log() -> str:
    """What the gauge says of itself: a line every three hours, and two on the day it was silent."""
    lines: list[str] = []
    for day in range(DAYS):
        for hour in range(0, READINGS_PER_DAY, 3):
            volts = 12.6 - (hour % 12) / 20
            lines.append(f"2026-03-{day + 1:02}T{hour:02}:05 info  battery {volts:.2f} V, float free, sent 3 readings")
            if (day, hour) == (GAP[0], GAP[1] - 2):
                lines.append("2026-03-10T16:58 error float stuck, restarting the sensor")
                lines.append("2026-03-10T17:41 info  sensor restarted, float free")
    return "\n".join(lines) + "\n"


def readings_csv() -> str:
    """The gauge's file: a month by the hour, one reading without a level."""
    lines = ["time,level"]
    for day in range(DAYS):
        for hour in range(READINGS_PER_DAY):
            level = "" if (day, hour) == GAP else str(base_level_cm(day) + RISE_CM[hour % len(RISE_CM)])
            lines.append(f"2026-03-{day + 1:02}T{hour:02}:00,{level}")
    return "\n".join(lines) + "\n"


PROJECT: Mapping[str, str] = MappingProxyType(
    {
        "README.md": README,
        "tide/__init__.py": '"""Tides from the readings of a gauge."""\n',
        "tide/__main__.py": MAIN,
        "tide/readings.py": READINGS,
        "tests/__init__.py": "",
        "tests/test_readings.py": TESTS,
        "data/harbour.csv": readings_csv(),
        "data/gauge.log": gauge_log(),
    }
)


def write_project(folder: Path) -> None:
    """Put the project into an empty folder."""
    for name, text in PROJECT.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
