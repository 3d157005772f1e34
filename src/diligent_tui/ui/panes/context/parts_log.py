"""The parts of a request as a log; what its keys do is the affair of whoever holds it."""

from collections.abc import Mapping
from typing import ClassVar

from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.panes.context.drawing import PartRenderer
from diligent_tui.ui.panes.context.look import ContextLook
from diligent_tui.ui.panes.context.sheet import PartBlock
from diligent_tui.ui.widgets.virtual_log.held_log import HeldLog


class PartsLog(HeldLog[PartBlock]):
    """Parts with a cursor, which shows while its holder is worked in."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(ContextLook.CLASSES)

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Begin with none; `keymap` has the user's own keys."""
        super().__init__(PartRenderer(lambda: ContextLook.of(self), keymap), widget_id="context-parts")

    @property
    def has_open(self) -> bool:
        """Whether any part is open."""
        blocks = self.model.blocks
        return any(not blocks.is_folded(block.id) for block in blocks.blocks)

    def show_now(self) -> None:
        """Bring the rows up to date; a request is no stream, so its end is not followed away from the cursor."""
        was_in_sight = self.model.is_cursor_in_sight
        super().show_now()
        cursor_id = self.model.cursor_id
        if was_in_sight and cursor_id is not None and not self.model.is_cursor_in_sight:
            self.model.reveal(cursor_id)
            super().show_now()

    def list_parts(self, blocks: list[PartBlock]) -> None:
        """Show these; what was open stays open, and the cursor stays on its part."""
        known = [block.id for block in self.model.blocks.blocks]
        names = [block.id for block in blocks]
        if known and names[: len(known)] == known:
            self.extend(blocks)
            return
        opened = [name for name in known if not self.model.blocks.is_folded(name)]
        cursor_id = self.model.cursor_id
        self.clear()
        self.extend(blocks)
        for name in opened:
            self.set_folded(name, False)
        self.put_cursor(cursor_id if cursor_id in names else names[0] if names else None)

    def fold_all(self) -> None:
        """Fold every part."""
        for block in self.model.blocks.blocks:
            self.set_folded(block.id, True)
        self.put_cursor(self.model.cursor_id)

    def find(self, words: str) -> str | None:
        """Find words as they are typed; the part that had to be opened for it, if any."""
        folded = self._folded_ids()
        self.search(words)
        return self._opened_of(folded)

    def find_on(self, step: int) -> str | None:
        """The next or the previous match; the part that had to be opened for it, if any."""
        folded = self._folded_ids()
        if step > 0:
            self.action_search_next()
        else:
            self.action_search_previous()
        return self._opened_of(folded)

    def _folded_ids(self) -> set[str]:
        blocks = self.model.blocks
        return {block.id for block in blocks.blocks if blocks.is_folded(block.id)}

    def _opened_of(self, folded: set[str]) -> str | None:
        found = self.model.cursor_id
        return found if found in folded and not self.model.blocks.is_folded(found) else None
