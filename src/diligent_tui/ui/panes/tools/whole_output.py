"""The whole of an output on screen, of any size: only what is in sight is read and drawn."""

from pathlib import Path

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from diligent_tui.ui.panes.tools.byte_source import ByteSource, FileSource, TextSource
from diligent_tui.ui.panes.tools.reading_place import ReadingPlace
from diligent_tui.ui.panes.tools.text_window import TextWindow
from diligent_tui.ui.widgets.tool_card import output_rows

WHEEL_ROWS = 3
UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


class WholeOutput(Widget, can_focus=False):
    """A reader; whoever holds it gives it bytes and moves it."""

    def __init__(self) -> None:
        """Nothing to read yet."""
        super().__init__(id="tools-whole")
        self.source: ByteSource | None = None
        """What is being read."""
        self._place: ReadingPlace[list[Segment]] | None = None
        self._rows: list[list[Segment]] = []

    def open_file(self, path: Path) -> None:
        """Read a file; OSError if it cannot be opened."""
        self._open(FileSource(path))

    def open_text(self, text: str) -> None:
        """Read a text."""
        self._open(TextSource(text))

    def close(self) -> None:
        """Read nothing any more."""
        if self.source is not None:
            self.source.close()
        self.source = self._place = None

    @property
    def page_rows(self) -> int:
        """How many rows are in sight."""
        return max(1, self.size.height)

    def told(self) -> str:
        """How much there is, and where one reads."""
        if self._place is None or self.source is None:
            return ""
        size = self.source.size_bytes
        share = 100 if self._place.is_at_end else min(99, 100 * self._place.place_bytes // max(1, size))
        return f"{size_words(size)} · {share} %"

    def move(self, rows: int) -> None:
        """Go by rows."""
        if self._place is not None:
            self._place.move(rows)
            self.refresh()

    def go_to_first(self) -> None:
        """Go to the beginning."""
        if self._place is not None:
            self._place.go_to_share(0)
            self.refresh()

    def go_to_last(self) -> None:
        """Go to the end."""
        if self._place is not None:
            self._place.go_to_end()
            self.refresh()

    def on_resize(self) -> None:
        """Wrap for another screen."""
        if self._place is not None:
            self._place.resize(self.size.width, self.size.height)
            self.refresh()

    def on_unmount(self) -> None:
        """Let go of the file."""
        self.close()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move by the wheel."""
        event.stop()
        self.move(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move by the wheel."""
        event.stop()
        self.move(WHEEL_ROWS)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint rows, laid out once for all of them."""
        self._rows = self._place.rows() if self._place is not None else []
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        strip = Strip(self._rows[y]) if y < len(self._rows) else Strip([])
        return strip.crop_extend(0, self.size.width, self.rich_style).apply_style(self.rich_style)

    def _open(self, source: ByteSource) -> None:
        self.close()
        self.source = source
        # The pane's own colours are laid below when a row is painted.
        self._place = ReadingPlace(TextWindow(source), lambda line, width: output_rows(line, width, Style()))
        self._place.resize(self.size.width, self.size.height)
        self.refresh()


def size_words(size_bytes: int) -> str:
    """A size as people say it: 900 bytes, 12 kB, 200 MB."""
    for size, unit in UNITS:
        if size_bytes >= size:
            value = size_bytes / size
            return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"
    return f"{size_bytes:,} bytes"
