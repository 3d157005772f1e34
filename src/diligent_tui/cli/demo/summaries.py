"""The summaries of the demo's session: two compactions, and the branch that was left."""

FIRST = """\
## Goal

- Make the report of `tide` survive bad lines.

## Constraints & Preferences

- Never guess a level.
- Tests run with `python3 -m unittest`; there is no pytest.

## Progress

### Done

- Found why the report stopped: `read()` called `float('')` on the reading of 2026-03-10, 17:00.
- `tide/readings.py`: lines without a level are skipped and counted; `read()` returns readings and count.
- `tests/test_readings.py`: two tests, both pass.

### In Progress

- (none)

### Blocked

- (none)

## Key Decisions

- Skipping is counted and said, so that silence of the gauge is seen.

## Next Steps

- Wait for the user's next wish.

## Critical Context

- `data/harbour.csv` has a month of hourly readings, times in ISO format.

## Knowledge Candidates

- (pattern) Levels are centimetres above chart datum, times are ISO without a time zone.
"""

BRANCH = """\
## Goal

- See whether the readings should be kept in SQLite.

## Progress

- `tide/store.py` was written as a trial and works; doubled times become one reading.

## Key Decisions

- Not worth it: the gauge writes CSV, a year is 8,760 lines, and people open the file in an editor.
"""

SECOND = """\
## Goal

- Make the report of `tide` survive bad lines, and show the tide by day.

## Constraints & Preferences

- Tests run with `python3 -m unittest`; there is no pytest.
- Readings stay in CSV.

## Progress

### Done

- `tide/readings.py`: lines without a level are skipped and counted.
- `tide/table.py`: `by_day()` gives date, highest, lowest.
- SQLite was tried on a branch and left.

### In Progress

- (none)

### Blocked

- (none)

## Key Decisions

- CSV stays: the gauge writes it, and people read it with an editor.

## Next Steps

- Wait for the user's next wish.

## Critical Context

- `data/harbour.csv` has a month of hourly readings, times in ISO format.

## Knowledge Candidates

- (discovery) The gauge is silent for an hour now and then; such lines have no level.
"""

FORGOTTEN = ("- Readings stay in CSV.\n", "- Readings stay in CSV.\n- Never guess a level.\n")
"""What the second summary dropped, and what the user's edit of it brought back."""
