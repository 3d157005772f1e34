"""The things of the trace as a log that follows its end; what its keys do is the affair of the pane."""

from bisect import bisect
from collections.abc import Sequence
from typing import ClassVar

from diligent_tui.ui.panes.trace.drawing import ThingRenderer
from diligent_tui.ui.panes.trace.look import TraceLook
from diligent_tui.ui.panes.trace.things import Thing
from diligent_tui.ui.widgets.virtual_log.held_log import HeldLog


class TraceLog(HeldLog[Thing]):
    """Things with a cursor, on the newest until it is moved; it shows while the pane is worked in."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(TraceLook.CLASSES)

    def __init__(self, renderer: ThingRenderer) -> None:
        """Begin with none."""
        super().__init__(renderer, widget_id="trace-log")
        self._newest_seen = -1
        """The number of the newest thing that was in sight."""

    @property
    def new_rows(self) -> int:
        """How many things came since the end was in sight, and were not seen yet."""
        if self.model.is_following:
            return 0
        blocks = self.model.blocks.blocks
        return len(blocks) - bisect(blocks, self._newest_seen, key=_number)

    def was_shown(self) -> None:
        """Note what has been seen."""
        before = self.new_rows
        blocks = self.model.blocks
        seen = max((place.block_index for place in self.model.rows()), default=None)
        if seen is not None:
            self._newest_seen = max(self._newest_seen, _number(blocks[seen]))
        super().was_shown()
        if self.new_rows != before:
            self.post_message(self.NewBelowChanged(self, self.new_rows, self.model.is_following))

    def list_anew(self, things: Sequence[Thing]) -> None:
        """Show these and no others; what was open stays open, and the cursor stays where it can."""
        blocks = self.model.blocks
        opened = [block.id for block in blocks.blocks if not blocks.is_folded(block.id)]
        cursor_id, was_following = self.model.cursor_id, self.model.is_following
        self.clear()
        self.extend(things)
        self._newest_seen = _number(things[-1]) if things else -1
        for thing_id in opened:
            self.set_folded(thing_id, False)
        if cursor_id in self.model.blocks and not was_following:
            self.put_cursor(cursor_id)
        else:
            self.go_to_newest()

    def put(self, things: Sequence[Thing]) -> None:
        """Show these too, each in its place; the cursor goes along if it stands on the newest, or nowhere yet."""
        blocks = self.model.blocks.blocks
        newest_id = blocks[-1].id if blocks else None
        goes_along = self.model.is_following and self.model.cursor_id in (None, newest_id)
        at_end: list[Thing] = []
        for thing in things:
            if thing.id in self.model.blocks or not blocks or _number(thing) > _number(blocks[-1]):
                at_end.append(thing)
            else:
                self.insert(bisect(blocks, _number(thing), key=_number), [thing])
        self.extend(at_end)
        if goes_along and len(self.model.blocks):
            self.model.cursor_id = self.model.blocks.blocks[-1].id

    def go_to_newest(self) -> None:
        """Put the cursor on the newest and follow the end."""
        if len(self.model.blocks):
            self.put_cursor(self.model.blocks.blocks[-1].id)
        self.action_scroll_end()

    def go_to_oldest(self) -> None:
        """Put the cursor on the oldest."""
        if len(self.model.blocks):
            self.put_cursor(self.model.blocks.blocks[0].id)

    def open_or_fold(self) -> None:
        """Open the thing under the cursor, or fold it."""
        self.action_toggle_fold()

    def fold_all(self) -> None:
        """Fold every thing."""
        for block in self.model.blocks.blocks:
            self.set_folded(block.id, True)
        self.put_cursor(self.model.cursor_id)


def _number(thing: Thing) -> int:
    return thing.records[0].number
