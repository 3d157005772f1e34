"""Draws a thing of the trace: one row with its time, state and words, and its details below when it is open."""

from collections.abc import Callable, Hashable, Sequence
from datetime import datetime, timedelta

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.domain.plain_text import clean_line, clean_name
from diligent_tui.domain.times import Clock
from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown.wrap import break_text
from diligent_tui.ui.panes.trace.details import Kept, details, source
from diligent_tui.ui.panes.trace.hiding import hide_in_row
from diligent_tui.ui.panes.trace.look import TraceLook
from diligent_tui.ui.panes.trace.things import MARKS, Thing
from diligent_tui.ui.panes.trace.words import brief_duration, headline
from diligent_tui.ui.widgets.row_text import join_lines

GUTTER = " "
GAP = 2
"""Between columns."""
TIME_COLUMNS = 7
SHORT_TIME_COLUMNS = 5
DURATION_COLUMNS = 6
TITLE_COLUMNS = 10
"""As wide as our own titles, so that subjects stand below each other; a tool may have a longer name."""
CAPTION_COLUMNS = 10
NARROW_COLUMNS = 64
"""Below this a row has no tenths of seconds."""
LONGEST_TITLE = 24
LONGEST_ABOUT = 40


class ThingRenderer:
    """Draws things; all of them are folded until they are opened."""

    gutter_columns = len(GUTTER)

    def __init__(
        self, look: Callable[[], TraceLook], began_at: Callable[[], datetime | None], kept: Kept, clock: Clock
    ) -> None:
        """Draw in the look that is in force; times are told from the trace's own beginning."""
        self._look = look
        self._began_at = began_at
        self._kept = kept
        self._clock = clock

    def render(self, block: Thing, width: int, folded: bool) -> Sequence[Strip]:
        """The rows of a thing."""
        look = self._look()
        began = self._began_at() or block.began_at
        head = draw_row(block, width, look, block.began_at - began, self._clock(), is_open=not folded)
        return [head] if folded else [head, *_details(block, width, look, self._kept), Strip.blank(0)]

    def estimate(self, block: Thing, width: int, folded: bool) -> int:
        """One row, or one for each detail and a blank one."""
        return 1 if folded else 2 + len(details(block, self._kept))

    def starts_folded(self, block: Thing) -> bool:
        """All do."""
        return True

    def state(self, block: Thing) -> Hashable:
        """Nothing else."""
        return None

    def source(self, block: Thing) -> str:
        """What is copied."""
        return source(block, self._kept)


def since_words(passed: timedelta, *, is_short: bool = False) -> str:
    """How long after the beginning: 0:04.2, 12:31.0, 1:02:03; without tenths where there is little room."""
    seconds = max(0.0, passed.total_seconds())
    hours, rest = divmod(int(seconds), fmt.HOUR_SECONDS)
    minutes, whole = divmod(rest, fmt.MINUTE_SECONDS)
    if hours:
        return f"{hours}:{minutes:02}:{whole:02}"
    return f"{minutes}:{whole:02}" if is_short else f"{minutes}:{whole:02}.{int(seconds * 10) % 10}"


def draw_row(
    thing: Thing, width: int, look: TraceLook, passed: timedelta, now: datetime, *, is_open: bool = False
) -> Strip:
    """The row, exactly as wide as asked."""
    line = hide_in_row(headline(thing))
    is_narrow = width < NARROW_COLUMNS
    when = since_words(passed, is_short=is_narrow).rjust(SHORT_TIME_COLUMNS if is_narrow else TIME_COLUMNS)
    taken = thing.seconds(now)
    duration = "" if taken is None else brief_duration(taken)
    title = clean_name(line.title, LONGEST_TITLE)
    title = set_cell_size(title, max(cell_len(title), TITLE_COLUMNS) + GAP)
    room = width - len(GUTTER) - cell_len(when) - GAP - 2 - cell_len(title) - GAP - DURATION_COLUMNS
    effects = line.effects if room >= line.full_columns else line.effects[1:]
    effect = _effect(effects, room - GAP - min(cell_len(line.subject), room // 2))
    subject_room = max(0, room - GAP - cell_len(effect) if effect else room)
    subject = _fitted(line.subject, subject_room)
    about = clean_line(line.about, LONGEST_ABOUT)
    if cell_len(subject) + GAP + cell_len(about) > subject_room or line.about != about:
        about = ""
    between = room - cell_len(subject) - (GAP + cell_len(about) if about else 0) - cell_len(effect)
    # A blank is a piece of its own: converters of pictures eat those that a piece begins with.
    pieces = [
        Segment(GUTTER),
        Segment(when + " " * GAP, look.dim),
        Segment(f"{MARKS[thing.state]} ", look.of_state(thing.state)),
        Segment(title, look.of_role(line.title_role) + Style(bold=is_open)),
        Segment(subject, look.text),
        Segment(" " * GAP if about else "", look.text),
        Segment(about, look.dim),
        Segment(" " * between, look.text),
        Segment(effect, look.of_role(line.effect_role)),
        Segment(" " * (GAP + DURATION_COLUMNS - len(duration)), look.text),
        Segment(duration, look.dim),
    ]
    return Strip([piece for piece in pieces if piece.text]).crop_extend(0, width, None)


def _effect(effects: Sequence[str], room: int) -> str:
    """The most that there is room for; a piece of a number or of a word would say something else."""
    said = (clean_line(join_lines(words)) for words in effects)
    return next((words for words in said if cell_len(words) <= room), "")


def _fitted(words: str, room: int) -> str:
    if room < 2:
        return ""
    # A long text is not read to its end for the sake of one row.
    return fit(join_lines(words[: 4 * room]), room)


def _details(thing: Thing, width: int, look: TraceLook, kept: Kept) -> list[Strip]:
    rows: list[Strip] = []
    for caption, words in details(thing, kept):
        deeper = len(caption) - len(caption.lstrip())
        indent = " " * (len(GUTTER) + GAP + deeper)
        first = set_cell_size(caption.lstrip(), CAPTION_COLUMNS - deeper + GAP)
        for line in _wrapped(words, max(1, width - len(indent) - len(first) - 1)):
            rows.append(Strip([Segment(indent, look.text), Segment(first, look.dim), Segment(line, look.text)]))
            first = " " * len(first)
    return rows


def _wrapped(text: str, room: int) -> list[str]:
    rows: list[str] = []
    for line in text.split("\n"):
        rows += [line[found.begin : found.end] for found in break_text(line, room)] or [""]
    return rows
