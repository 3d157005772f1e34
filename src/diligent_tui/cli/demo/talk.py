"""What is said in the demo's session: prompts of a user, and answers with calls that the real tools then carry out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from diligent_tui.cli.demo.files import DAYS, RISE_CM, base_level_cm

RUN_TESTS = "python3 -m unittest"
REPORT = "python3 -m tide data/harbour.csv"
HEADLINE = "743 readings, 74 to 228 cm, 1 without a level\n"
SINCE_29 = "72 readings, 74 to 216 cm, 1 without a level\n"
RULE = "-" * 70
STOPPED = """\
Traceback (most recent call last):
  File "tide/__main__.py", line 16, in <module>
    main(sys.argv[1])
  File "tide/__main__.py", line 10, in main
    readings = read(path)
  File "tide/readings.py", line 17, in read
    return [Reading(row["time"], float(row["level"])) for row in csv.DictReader(file)]
ValueError: could not convert string to float: ''
"""
BROKEN_TEST = f"""\
E
{"=" * 70}
ERROR: test_a_line_is_a_reading (tests.test_readings.ReadingTest)
{RULE}
Traceback (most recent call last):
  File "tests/test_readings.py", line 21, in test_a_line_is_a_reading
    self.assertEqual(readings_of("time,level\\n2026-03-01T00:00,120\\n")[0].level_cm, 120)
AttributeError: 'list' object has no attribute 'level_cm'

{RULE}
Ran 1 test in 0.001s

FAILED (errors=1)
"""
OLD_TEST = '        self.assertEqual(readings_of("time,level\\n2026-03-01T00:00,120\\n")[0].level_cm, 120)\n'
TESTS_PASS = f"..\n{RULE}\nRan 2 tests in 0.001s\n\nOK\n"


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call that an answer makes."""

    tool: str
    arguments: Mapping[str, object]
    printed: str = ""
    """What a command printed when it was really run here; those of the demo are not run again at each start."""
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class PreparedAnswer:
    """One answer of the model: words, then calls."""

    words: str
    calls: tuple[PreparedCall, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedTurn:
    """A prompt and the answers it gets."""

    prompt: str
    answers: Sequence[PreparedAnswer] = field(default_factory=tuple[PreparedAnswer, ...])


def table_rows(days: Iterable[int]) -> str:
    """The rows that the report prints for these days of the month."""
    rows = ((day, base_level_cm(day - 1)) for day in days)
    return "".join(f"2026-03-{day:02}  {base + max(RISE_CM):6}  {base + min(RISE_CM):6}\n" for day, base in rows)


def _read(path: str) -> PreparedCall:
    return PreparedCall("read", {"path": path})


def _run(command: str, printed: str, exit_code: int = 0) -> PreparedCall:
    return PreparedCall("bash", {"command": command}, printed, exit_code)


def _write(path: str, content: str) -> PreparedCall:
    return PreparedCall("write", {"path": path, "content": content})


def _edit(path: str, *edits: tuple[str, str]) -> PreparedCall:
    return PreparedCall("edit", {"path": path, "edits": [{"old": old, "new": new} for old, new in edits]})


LOOK_AROUND = PreparedTurn(
    "Have a look around and tell me what this project does.",
    (
        PreparedAnswer("I look at the files first.", (PreparedCall("ls", {"path": "."}), _read("README.md"))),
        PreparedAnswer("Now the code behind it.", (_read("tide/readings.py"), _read("tide/__main__.py"))),
        PreparedAnswer(
            "**tide** reports the tide in a harbour from the readings of its gauge.\n\n"
            "- `tide/readings.py` reads lines of `time,level` into a list of `Reading`.\n"
            "- `tide/__main__.py` prints how many there are, with the lowest and the highest level.\n"
            "- One test, for a single well-formed line.\n\n"
            "Nothing handles a line that is not well formed."
        ),
    ),
)

WHY_IT_STOPS = PreparedTurn(
    "It stops with an error on data/harbour.csv. Why?",
    (
        PreparedAnswer("I run it to see the error itself.", (_run(REPORT, STOPPED, 1),)),
        PreparedAnswer("A level is empty. I look for the line.", (_read("data/harbour.csv"),)),
        PreparedAnswer(
            "The reading of **2026-03-10, 17:00** has no level: the gauge was silent for an hour.\n\n"
            "`read()` calls `float('')`, which raises `ValueError`, and so one bad line takes the whole report down."
        ),
    ),
)

SKIP_AND_COUNT = PreparedTurn(
    "Skip such lines, but count them and say how many. Never guess a level.",
    (
        PreparedAnswer(
            "I keep the readings and the count apart.",
            (
                _edit(
                    "tide/readings.py",
                    (
                        '"""All readings of a file, in its order."""',
                        '"""The readings of a file, and how many had no level."""',
                    ),
                    (
                        '        return [Reading(row["time"], float(row["level"])) for row in csv.DictReader(file)]\n',
                        (
                            "        rows = list(csv.DictReader(file))\n"
                            '    known = [row for row in rows if row["level"].strip()]\n'
                            '    readings = [Reading(row["time"], float(row["level"])) for row in known]\n'
                            "    return readings, len(rows) - len(readings)\n"
                        ),
                    ),
                ),
                _edit(
                    "tide/__main__.py",
                    ("    readings = read(path)\n", "    readings, skipped = read(path)\n"),
                    (
                        '{max(levels):.0f} cm")\n',
                        '{max(levels):.0f} cm, {skipped} without a level")\n',
                    ),
                ),
            ),
        ),
        PreparedAnswer("The test still expects the old shape; I see what it says.", (_run(RUN_TESTS, BROKEN_TEST, 1),)),
        PreparedAnswer("As expected. I mend it and add one for the gap.", (_read("tests/test_readings.py"),)),
        PreparedAnswer(
            "",
            (
                _edit(
                    "tests/test_readings.py",
                    (
                        OLD_TEST,
                        (
                            '        readings, skipped = readings_of("time,level\\n2026-03-01T00:00,120\\n")\n'
                            "        self.assertEqual((readings[0].level_cm, skipped), (120, 0))\n\n"
                            "    def test_a_line_without_a_level_is_counted_and_not_guessed(self):\n"
                            '        readings, skipped = readings_of("time,level\\n2026-03-10T17:00,\\n")\n'
                            "        self.assertEqual((readings, skipped), ([], 1))\n"
                        ),
                    ),
                ),
                _run(f"{RUN_TESTS} && {REPORT}", f"{TESTS_PASS}{HEADLINE}"),
            ),
        ),
        PreparedAnswer(
            "Done. Lines without a level are skipped and counted; the report now ends with `1 without a level`. "
            "Two tests pass."
        ),
    ),
)

NO_PYTEST = PreparedTurn(
    "Good. By the way: there is no pytest on the harbour's machine. Tests run with python3 -m unittest.",
    (
        PreparedAnswer(
            "I keep that in mind beyond this session.",
            (
                PreparedCall(
                    "add_knowledge",
                    {
                        "content": "Tests run with `python3 -m unittest`; there is no pytest on the harbour's machine.",
                        "type": "correction",
                        "confidence": 0.95,
                        "tags": ["tests"],
                    },
                ),
            ),
        ),
        PreparedAnswer("Kept. I used unittest so far and will stay with it."),
    ),
)

BY_DAY = PreparedTurn(
    "Now a table by day: date, highest, lowest.",
    (
        PreparedAnswer(
            "A module of its own, so that the reading stays apart from the reporting.",
            (
                _write(
                    "tide/table.py",
                    '"""Readings as a table by day."""\n\n\n'
                    "def by_day(readings):\n"
                    '    """Rows of date, highest and lowest level, in the order of the days."""\n'
                    "    days = {}\n"
                    "    for reading in readings:\n"
                    "        days.setdefault(reading.time[:10], []).append(reading.level_cm)\n"
                    "    return [(day, max(levels), min(levels)) for day, levels in sorted(days.items())]\n",
                ),
                _edit(
                    "tide/__main__.py",
                    (
                        "from tide.readings import read\n",
                        "from tide.readings import read\nfrom tide.table import by_day\n",
                    ),
                    (
                        '{skipped} without a level")\n',
                        (
                            '{skipped} without a level")\n'
                            "    for day, highest, lowest in by_day(readings):\n"
                            '        print(f"{day}  {highest:6.0f}  {lowest:6.0f}")\n'
                        ),
                    ),
                ),
            ),
        ),
        PreparedAnswer("", (_run(REPORT, HEADLINE + table_rows(range(1, DAYS + 1))),)),
        PreparedAnswer(
            "The report has one row for each day now:\n\n"
            "| date | highest | lowest |\n| --- | ---: | ---: |\n"
            "| 2026-03-01 | 210 | 74 |\n| 2026-03-02 | 213 | 77 |\n| 2026-03-03 | 216 | 80 |\n\n"
            "… and 28 more. `by_day()` groups by the date in the time itself, without a time zone."
        ),
    ),
)

WITH_SQLITE = PreparedTurn(
    "What if the readings were kept in SQLite?",
    (
        PreparedAnswer(
            "I try it in a file of its own.",
            (
                _write(
                    "tide/store.py",
                    '"""Readings in SQLite: a trial."""\n\nimport sqlite3\n\n\n'
                    "def store(path, readings):\n"
                    '    """Keep the readings; the same time twice is one reading."""\n'
                    "    with sqlite3.connect(path) as base:\n"
                    '        base.execute("create table if not exists reading (time primary key, level_cm)")\n'
                    '        base.executemany("insert or replace into reading values (?, ?)", readings)\n',
                ),
            ),
        ),
        PreparedAnswer(
            "It works, and doubled lines vanish by themselves. Against it:\n\n"
            "1. the gauge writes CSV, so there would be two truths;\n"
            "2. 744 lines need no index;\n"
            "3. people look into the file with an editor."
        ),
    ),
)

HOW_LARGE = PreparedTurn(
    "How large does the file get in a year?",
    (
        PreparedAnswer("", (_run("wc -l data/harbour.csv", "745 data/harbour.csv\n"),)),
        PreparedAnswer("24 lines a day make 8,760 a year, some 190 kB. CSV carries that for decades."),
    ),
)

SINCE = PreparedTurn(
    "Right. Now add an option --since DATE to the report.",
    (
        PreparedAnswer("I read what is there now.", (_read("tide/__main__.py"),)),
        PreparedAnswer(
            "",
            (
                _edit(
                    "tide/__main__.py",
                    ("import sys\n", "import argparse\n"),
                    ("def main(path):\n", "def main(path, since):\n"),
                    (
                        "    readings, skipped = read(path)\n",
                        (
                            "    readings, skipped = read(path)\n"
                            "    readings = [reading for reading in readings if reading.time >= since]\n"
                        ),
                    ),
                    (
                        "    main(sys.argv[1])\n",
                        (
                            '    parser = argparse.ArgumentParser(prog="tide")\n'
                            '    parser.add_argument("path")\n'
                            '    parser.add_argument("--since", default="", metavar="DATE")\n'
                            "    words = parser.parse_args()\n"
                            "    main(words.path, words.since)\n"
                        ),
                    ),
                ),
                _run(f"{REPORT} --since 2026-03-29", SINCE_29 + table_rows(range(29, DAYS + 1))),
            ),
        ),
        PreparedAnswer(
            "`--since 2026-03-29` reports the last three days only. ISO dates compare as text, without parsing.\n\n"
            "One thing is open: with a date after the last reading `min()` has nothing to look at and fails."
        ),
    ),
)

LOOKS_WRONG = PreparedTurn(
    "We stay with CSV. But the lowest level of 3 March looks too high to me. Check it against the file.",
    (
        PreparedAnswer(
            "", (_read("data/harbour.csv"), PreparedCall("grep", {"pattern": "2026-03-03T", "path": "data"}))
        ),
        PreparedAnswer(
            "The file says 80 cm, at 11:00 and at 23:00; I compared all 24 lines of that day. The report is right: if "
            "a level is wrong, the gauge is. I will keep the level as it is, rather than smooth it."
        ),
    ),
)

WHY_SILENT = PreparedTurn(
    "Why was the gauge silent on 10 March? Look into data/gauge.log.",
    (
        PreparedAnswer("", (_read("data/gauge.log"),)),
        PreparedAnswer(
            "At 16:58 the float stuck and the sensor restarted; at 17:41 it was back. So the reading of 17:00 was "
            "never taken, and skipping it is right."
        ),
    ),
)

IN_THE_README = PreparedTurn(
    "Fine. Describe --since in the README.",
    (
        PreparedAnswer("", (_read("README.md"),)),
        PreparedAnswer(
            "",
            (
                _edit(
                    "README.md",
                    (
                        "    python3 -m tide data/harbour.csv\n",
                        (
                            "    python3 -m tide data/harbour.csv\n"
                            "    python3 -m tide data/harbour.csv --since 2026-03-29\n"
                        ),
                    ),
                ),
            ),
        ),
        PreparedAnswer("Done. Still open: a date after the last reading. Shall I mend that next?"),
    ),
)
