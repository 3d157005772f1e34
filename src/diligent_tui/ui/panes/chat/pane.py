"""The chat: the conversation as one log, live."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.message import Message

from diligent_tui.domain.entries import Entry
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.panes.chat.footer import Price
from diligent_tui.ui.panes.chat.jumps import LANDMARKS, Landmark, is_worked_on, none_further
from diligent_tui.ui.panes.chat.long_prompts import ROWS_OF_OUR_OWN
from diligent_tui.ui.panes.chat.look import ChatLook
from diligent_tui.ui.panes.chat.marks import Marks
from diligent_tui.ui.panes.chat.renderer import ChatRenderer
from diligent_tui.ui.transcript import ChatBlock, Kind, Transcript
from diligent_tui.ui.widgets.virtual_log import Standing, VirtualLog

TreeDeed = Literal["branch", "edit", "tree"]
"""What goes about the session's tree."""
ChatDeed = TreeDeed | Literal["pin"]
COUNTED_BLOCKS = 200
"""Looked through at a time to count matches: some 20 ms of saved ones."""


class ChatPane(VirtualLog[ChatBlock]):
    """Shows what was said and done; follows the end unless one scrolled away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "search_next", "Next match", show=False, id="next_match"),
        Binding("N", "search_previous", "Previous match", show=False),
        Binding("b", "wish('branch')", "Branch here", show=False, id="branch"),
        Binding("e", "wish('edit')", "Edit and resend", show=False, id="edit"),
        Binding("t", "wish('tree')", "Show in the tree", show=False, id="to_tree"),
        Binding("p", "wish('pin')", "Pin or unpin", show=False, id="pin_block"),
        Binding("J", "jump('prompt', 1)", "Next prompt", show=False, id="next_prompt"),
        Binding("K", "jump('prompt', -1)", "Previous prompt", show=False),
        Binding("x", "jump('error', 1)", "Next error", show=False, id="next_error"),
        Binding("X", "jump('error', -1)", "Previous error", show=False),
        Binding("c", "jump('memory', 1)", "Next compaction", show=False, id="next_compaction"),
        Binding("C", "jump('memory', -1)", "Previous compaction", show=False),
        Binding("z", "fold_all", "Fold or open all", show=False, id="fold_all"),
        Binding("slash", "app.search_chat", "Search", show=False),
        Binding("escape", "end_search", "End the search", show=False),
    ]

    class Wished(Message):
        """Something is to be done at the block under the cursor."""

        def __init__(self, deed: ChatDeed, block: ChatBlock) -> None:
            """What, and where."""
            super().__init__()
            self.deed: ChatDeed = deed
            self.block = block

    class Searched(Message):
        """The search came to a match, found none, counted more of them, or has ended."""

        def __init__(self, words: str, standing: Standing) -> None:
            """For what, and where it is; no words if it has ended."""
            super().__init__()
            self.words = words
            self.standing = standing

    class Said(Message):
        """Why a key did nothing, and what to press."""

        def __init__(self, words: str) -> None:
            """In a sentence."""
            super().__init__()
            self.words = words

    class FoldChanged(Message):
        """Enter does something else at the block under the cursor than before."""

        def __init__(self, word: str) -> None:
            """The word for it, such as `open`; none if it does nothing."""
            super().__init__()
            self.word = word

    def __init__(self, lookup: Callable[[str], Entry], look: ChatLook, keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """Read saved words through `lookup`; `keymap` has the user's own keys, which the app binds."""
        self._fold_word = ""
        self._keymap = keymap
        self._chat_renderer = ChatRenderer(look, lookup, key_now("tools", keymap), key_now("fold", keymap))
        self._is_counting = False
        super().__init__(self._chat_renderer, widget_id="chat")

    @property
    def last_kind(self) -> Kind | None:
        """The kind of the newest block."""
        blocks = self.model.blocks.blocks
        return blocks[-1].kind if blocks else None

    @property
    def last_answer_id(self) -> str | None:
        """The last answer of the newest turn that is over."""
        spans = (block.span for block in reversed(self.model.blocks.blocks) if block.span is not None)
        return next((span.answer_ids[-1] for span in spans), None)

    def price_with(self, price: Price) -> None:
        """Tell costs from now on."""
        self._chat_renderer.price = price
        self.changed()

    def read_through(self, lookup: Callable[[str], Entry]) -> None:
        """Read saved words in another way from now on."""
        self._chat_renderer.lookup = lookup

    def show_saved(self, entries: Iterable[Entry], *, is_whole: bool) -> None:
        """Show a path that is there already, or only its end."""
        self.extend(Transcript(begins_inside=not is_whole).saved(entries))

    def show_whole(self, whole: Sequence[ChatBlock]) -> None:
        """Put what came before the end above it; what is on screen stays where it is."""
        shown = {block.id: block for block in self.model.blocks.blocks}
        self.insert(0, [block for block in whole if block.id not in shown])
        better = [block for block in whole if block.id in shown and block != shown[block.id]]
        self.extend(replace(block, version=1) for block in better)

    def start_anew(self) -> None:
        """Show nothing, for another session or another branch."""
        if self.searched_words:
            self.search("")
        self.clear()
        self._chat_renderer.forget()

    def mark(self, marks: Marks) -> None:
        """Show what became of the messages in the context; only what is in sight is drawn anew."""
        self._chat_renderer.marks = marks
        self.changed()

    def go_to_entry(self, entry_id: str) -> bool:
        """Put the cursor on the first block of an entry; False if it is not on the path that is shown."""
        blocks = self.model.blocks.blocks
        found = next((block.id for block in blocks if block.entry_id == entry_id), None)
        self.put_cursor(found)
        return found is not None

    def put_cursor_on(self, *block_ids: str) -> None:
        """Go to the first of these blocks that is there."""
        there = {block.id for block in self.model.blocks.blocks}
        if found := next((block_id for block_id in block_ids if block_id in there), None):
            self.put_cursor(found)

    def on_focus(self) -> None:
        """Where one works there is a cursor, so that the focus is seen."""
        self.hold_cursor_in_sight()

    def searched_texts(self, block: ChatBlock, core: str) -> Iterable[str]:
        """What one sees of a block, without the signs of Markdown."""
        return self._chat_renderer.searched(block, core)

    def told_rows(self, block: ChatBlock) -> int:
        """Below a folded prompt stands how much more there is."""
        return ROWS_OF_OUR_OWN if block.kind == "prompt" else 0

    def is_stop(self, block: ChatBlock) -> bool:
        """Footers are looked at only."""
        return is_worked_on(block)

    def move_cursor(self, step: int, wanted: Callable[[ChatBlock], bool] | None = None) -> None:
        """Put the cursor on the next (+1) or previous (-1) block, or the next such as an error; footers are no stop."""
        super().move_cursor(step, wanted or is_worked_on)

    def was_shown(self) -> None:
        """Tell what Enter does at the cursor, too."""
        super().was_shown()
        block, word = self._foldable(), ""
        if block is not None and self.model.is_cursor_in_sight:
            word = "open" if self.model.blocks.is_folded(block.id) else "fold"
        if word != self._fold_word:
            self._fold_word = word
            self.post_message(self.FoldChanged(word))

    def action_toggle_fold(self) -> None:
        """Fold or open the block under the cursor, if there is more of it than one sees."""
        self.hold_cursor_in_sight()
        if self._foldable() is not None:
            super().action_toggle_fold()

    def _foldable(self) -> ChatBlock | None:
        block = self.cursor_block
        return block if block is not None and self._chat_renderer.can_fold(block) else None

    def action_jump(self, landmark: Landmark, step: int) -> None:
        """Go to the next or previous prompt, error or compaction, or say that there is none that way."""
        wanted = LANDMARKS[landmark]
        found = self.model.move_cursor(step, wanted)
        self.put_cursor(found)
        if found is None:
            has_any = any(map(wanted, self.model.blocks.blocks))
            self.post_message(self.Said(none_further(landmark, step, self._keymap, has_any=has_any)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc ends a search, if there is one; else it steps back as everywhere."""
        return bool(self.searched_words) if action == "end_search" else super().check_action(action, parameters)

    def on_virtual_log_search_moved(self) -> None:
        """Say where the search is; while it is counted, it is said again soon anyway."""
        if not self._is_counting:
            self._tell_search()

    def _tell_search(self) -> None:
        standing = self.standing(COUNTED_BLOCKS)
        self._is_counting = not standing.is_counted
        self.post_message(self.Searched(self.searched_words, standing))
        if self._is_counting:
            self.call_later(self._tell_search)

    def action_end_search(self) -> None:
        """Search for nothing more."""
        self.search("")

    def action_fold_all(self) -> None:
        """Fold all that folds by itself; if all of it is folded, open it."""
        foldable = [block.id for block in self.model.blocks.blocks if self._chat_renderer.starts_folded(block)]
        folds = any(not self.model.blocks.is_folded(block_id) for block_id in foldable)
        for block_id in foldable:
            self.set_folded(block_id, folds)

    def action_wish(self, deed: ChatDeed) -> None:
        """Ask for something at the block under the cursor."""
        self.hold_cursor_in_sight()
        if block := self.cursor_block:
            self.post_message(self.Wished(deed, block))

    def take(self, blocks: Iterable[ChatBlock], *, is_shown: bool = True) -> None:
        """Show blocks that came or changed, now or with the next; a streaming answer is given piece by piece."""
        changed: dict[str, ChatBlock] = {}
        for block in blocks:
            self._chat_renderer.feed(block)
            changed[block.id] = block
        for counts, group in groupby(changed.values(), is_worked_on):
            if counts:
                self.model.extend(group)
            else:
                # Nobody waits for a footer: it is not told as new.
                self.model.insert(len(self.model.blocks), group)
        if is_shown:
            self.changed()

    def wear(self, look: ChatLook) -> None:
        """Draw in another look."""
        self._chat_renderer.wear(look)
        self.redraw()
