"""Draws the blocks of the chat: prompts with a bar, answers as Markdown, calls as one line; outside text is cleaned."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diligent_tui.domain.entries import Entry
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.plain_text import StreamCleaner, clean, clean_line
from diligent_tui.domain.user_run import OWN_CALL
from diligent_tui.ui import format as fmt
from diligent_tui.ui.fitting import fit
from diligent_tui.ui.markdown import LiveMarkdown, MarkdownLook, render
from diligent_tui.ui.panes.chat.footer import NOT_READ_YET, Price, footer_words, no_price, spent_in
from diligent_tui.ui.panes.chat.long_prompts import ROWS_OF_OUR_OWN, SHOWN_ROWS, head_of, is_long_prompt, rest_words
from diligent_tui.ui.panes.chat.look import ChatLook
from diligent_tui.ui.panes.chat.marks import DIMMED, Marks, with_mark
from diligent_tui.ui.panes.chat.memory_rows import OPENS, SIGNS, draw_note, note_style, row_words
from diligent_tui.ui.panes.chat.pictures import pictures_with
from diligent_tui.ui.panes.chat.searching import card_text, markdown_texts
from diligent_tui.ui.panes.chat.wrapping import wrapped
from diligent_tui.ui.transcript import ChatBlock, MemoryNote, diff_of, note_of, words_of
from diligent_tui.ui.widgets import diff as diffs
from diligent_tui.ui.widgets.tool_card import Card, CardLook, draw_card, effect_of, output_rows

MARK = " "
"""The first column: what became of a message."""
GUTTER = "   "
"""Mark and sign, at the left of every text."""
BAR = "▌ "
INDENT = "  "
MOST_OPEN_LINES = 400
"""Lines of a tool's output shown in the chat; the tools pane shows it whole."""
MOST_FINISHED = 4
"""Answers that streamed lately and stay as they were drawn, at some 250 KB each; older ones are drawn anew in sight."""


class ChatRenderer:
    """Draws blocks; answers that still stream keep their own half-drawn Markdown here."""

    def __init__(
        self, look: ChatLook, lookup: Callable[[str], Entry], tools_key: str = "F3", open_key: str = "⏎"
    ) -> None:
        """Draw in a look, reading saved words through `lookup`; the keys lead to what does not fit here."""
        self._tools_key = tools_key
        self._open_key = open_key
        self.look = look
        self.lookup = lookup
        self.marks = Marks()
        self.price: Price = no_price
        self._live: dict[str, _LiveAnswer] = {}
        self._finished: dict[str, ChatBlock] = {}
        self._words: dict[str, str] = {}
        """Of answers that streamed, the words that their entries do not tell, such as those of one of several parts."""

    @property
    def gutter_columns(self) -> int:
        """Marks at the left of every line."""
        return len(GUTTER)

    def feed(self, block: ChatBlock) -> None:
        """Take the newest piece of a streaming answer, or its end."""
        if block.kind not in ("answer", "thinking"):
            return
        if block.is_live:
            if block.id not in self._live:
                self._live[block.id] = _LiveAnswer(self.look.markdown)
            self._live[block.id].feed(block.text)
        elif live := self._live.get(block.id):
            live.finish()
            self._finished[block.id] = block
            while len(self._finished) > MOST_FINISHED:
                self._let_go(self._finished.pop(next(iter(self._finished))))

    def forget(self) -> None:
        """Let go of the answers that streamed; they are saved."""
        self._live.clear()
        self._finished.clear()
        self._words.clear()

    def _let_go(self, block: ChatBlock) -> None:
        words = self._live.pop(block.id).source
        try:
            is_told = block.entry_id is not None and words_of(block, self.lookup(block.entry_id)) == words
        except (KeyError, OSError, StorageError):
            # It broke off before it could be saved.
            is_told = False
        if not is_told:
            self._words[block.id] = words

    def wear(self, look: ChatLook) -> None:
        """Draw in another look from now on."""
        self.look = look
        for block_id, live in list(self._live.items()):
            self._live[block_id] = live.in_look(look.markdown)

    def render(self, block: ChatBlock, width: int, folded: bool) -> Sequence[Strip]:
        """The rows of a block, gutter and gap included."""
        room = max(1, width - len(GUTTER))
        fate, _ = self.marks.of(block.entry_id)
        match block.kind:
            case "prompt":
                rows = self._prompt(block, room, folded)
            case "answer":
                if block.id in self._live:
                    strips = self._live[block.id].strips(room, has_gap=block.has_gap)
                    return with_mark(strips, fate, self.look, has_gap=block.has_gap)
                rows = _indented(render(clean(self.source(block)), room, self.look.markdown))
            case "thinking":
                rows = self._thinking(block, room, folded)
            case "tool":
                rows = self._tool(block, room, folded)
            case "memory":
                rows = self._memory(block, room, folded)
            case "notice":
                rows = self._notice(block, room)
            case "footer":
                rows = self._footer(block, room)
                # It is not pinned, its answer is.
                fate = fate if fate in DIMMED else None
        return with_mark(_strips(rows, has_gap=block.has_gap), fate, self.look, has_gap=block.has_gap)

    def estimate(self, block: ChatBlock, width: int, folded: bool) -> int:
        """A guess of the rows by arithmetic."""
        if folded and block.kind == "prompt":
            return SHOWN_ROWS + ROWS_OF_OUR_OWN + block.has_gap
        if folded or block.kind in ("notice", "footer"):
            return 1 + block.has_gap
        return block.line_count + block.size_bytes // max(1, width) + block.has_gap

    def starts_folded(self, block: ChatBlock) -> bool:
        """Machinery and long pastes are folded until they are asked for; what the user ran is asked for."""
        if block.kind == "prompt":
            return is_long_prompt(block)
        return block.kind in ("tool", "thinking", "memory") and not block.id.startswith(OWN_CALL)

    def can_fold(self, block: ChatBlock) -> bool:
        """Whether there is more of a block than it shows; of memory, what is saved or being written has more."""
        if block.kind == "prompt":
            return is_long_prompt(block)
        if block.kind == "memory" and block.memory is not None:
            return block.memory.deed in OPENS and bool(block.text)
        return block.kind in ("tool", "thinking", "memory")

    def state(self, block: ChatBlock) -> Hashable:
        """The mark in the gutter, what became of a compaction, and for a footer whether prices are known."""
        return (*self.marks.of(block.entry_id), block.kind == "footer" and self.price)

    def source(self, block: ChatBlock) -> str:
        """The words as they were written."""
        if block.id in self._live:
            return self._live[block.id].source
        if block.id in self._words:
            return self._words[block.id]
        if (block.text and not block.names_files) or block.entry_id is None:
            return block.text
        return words_of(block, self.lookup(block.entry_id))

    def searched(self, block: ChatBlock, core: str) -> Iterable[str]:
        """What is looked through for words with that core: what one sees of a block, folded or open."""
        words = self.source(block)
        match block.kind:
            case "answer":
                return markdown_texts(words, core)
            case "tool":
                diff = self._diff(block)
                effect = effect_of(block.state, words, diff, block.exit_code)
                return (card_text(block.tool_name, block.subject, effect, diff or words),)
            case "memory":
                note, (_, since) = self._note(block), self.marks.of(block.entry_id)
                row = row_words(note, since)
                return (f"{row}\n{text}" for text in (*markdown_texts(words, core), ""))
            case "prompt" | "thinking" | "notice" | "footer":
                return (words,)

    def _prompt(self, block: ChatBlock, room: int, folded: bool) -> list[list[Segment]]:
        words = self.source(block)
        head = head_of(words, room) if folded and is_long_prompt(block) else None
        lines = wrapped(clean(words), room) if head is None else head.rows
        style = self.look.text + Style(bold=True)
        rows = [[Segment(MARK), Segment(BAR, self.look.accent), Segment(line, style)] for line in lines]
        if block.names_files and block.entry_id is not None:
            for label in pictures_with(self.lookup(block.entry_id)):
                shown = fit(label, max(1, room))
                rows.append([Segment(MARK), Segment(BAR, self.look.accent), Segment(shown, self.look.dim)])
        if head is not None:
            rest = fit(rest_words(words, head, self._open_key), room)
            rows.append([Segment(MARK), Segment(BAR, self.look.accent), Segment(rest, self.look.dim)])
        return rows

    def _thinking(self, block: ChatBlock, room: int, folded: bool) -> list[list[Segment]]:
        words = clean(self.source(block))
        head = "thinking" if block.is_live else "thought"
        first = fit(words, max(1, room - len(head) - 2))
        rows = [[Segment(MARK), Segment(f"∴ {head}  ", self.look.dim), Segment(first, self.look.dim)]]
        if not folded:
            rows += _lines(words, room, self.look.dim)
        return rows

    def _tool(self, block: ChatBlock, room: int, folded: bool) -> list[list[Segment]]:
        words, diff = self.source(block), self._diff(block)
        time = "" if block.duration_seconds is None else fmt.duration(block.duration_seconds)
        effect = effect_of(block.state, words, diff, block.exit_code)
        card = Card(block.state, block.tool_name, block.subject, effect, time)
        rows = [[Segment(MARK), *draw_card(card, room + len(BAR), self._card_look())]]
        if not folded:
            inside = room - len(INDENT)
            rows += [[Segment(GUTTER + INDENT), *row] for row in self._opened(words, diff, inside)]
        return rows

    def _opened(self, words: str, diff: str, room: int) -> list[list[Segment]]:
        """What came of a call: what it changed, or what it said; the tools pane shows more than fits here."""
        if diff:
            layout = diffs.DiffLayout(diffs.parse_diff(diff), room, self.look.for_diffs())
            shown = [list(layout.strip(row)) for row in range(min(MOST_OPEN_LINES, layout.height))]
            rest = layout.height - len(shown)
        else:
            lines = words.rstrip("\n").split("\n")
            shown = output_rows("\n".join(lines[:MOST_OPEN_LINES]), room, self.look.dim)
            rest = len(lines) - MOST_OPEN_LINES
        if rest > 0:
            shown.append([Segment(f"… {fmt.count(rest, 'more line')}: {self._tools_key} shows all", self.look.memory)])
        return shown

    def _diff(self, block: ChatBlock) -> str:
        if block.diff or block.text or block.entry_id is None:
            return block.diff
        return diff_of(block, self.lookup(block.entry_id))

    def _card_look(self) -> CardLook:
        look = self.look
        return CardLook(look.text, look.dim, look.accent, look.success, look.error, look.memory)

    def _memory(self, block: ChatBlock, room: int, folded: bool) -> list[list[Segment]]:
        note = self._note(block)
        _, since = self.marks.of(block.entry_id)
        if note.deed in ("failed", "stopped"):
            return self._said(f"{SIGNS[note.deed]} ", block.text, note_style(note, since, self.look), room)
        words = self.source(block)
        head = draw_note(note, words, since, room + len(BAR), self.look, folded=folded)
        rows = [[Segment(MARK), *head]]
        if folded or not words:
            return rows
        if note.deed == "pruned":
            return rows + _lines(clean(words), room, self.look.dim)
        return rows + _indented(render(clean(words), room, self.look.markdown))

    def _note(self, block: ChatBlock) -> MemoryNote:
        """What a block of memory tells; a saved one reads it from its entry."""
        if block.memory is not None or block.entry_id is None:
            return block.memory or MemoryNote("compacting")
        return note_of(self.lookup(block.entry_id)) or MemoryNote("compacted")

    def _notice(self, block: ChatBlock, room: int) -> list[list[Segment]]:
        sign, style = ("✗ ", self.look.error) if block.is_error else ("· ", self.look.memory)
        return self._said(sign, block.text, style, room)

    def _footer(self, block: ChatBlock, room: int) -> list[list[Segment]]:
        """What the turn took, at the right, where no text is taken for it."""
        span = block.span
        words = ""
        if span is not None:
            words = footer_words(spent_in(span, self.lookup, self.price), room) if span.is_whole else NOT_READ_YET
        return [[Segment(GUTTER + " " * (room - cell_len(words))), Segment(words, self.look.dim)]]

    def _said(self, sign: str, words: str, style: Style, room: int) -> list[list[Segment]]:
        """A sentence with a sign before it."""
        lines = wrapped(clean_line(words), room)
        return [
            [Segment(MARK), Segment(sign if number == 0 else INDENT, style), Segment(line, style)]
            for number, line in enumerate(lines)
        ]


class _LiveAnswer:
    """An answer that streams: rows that are done stay the same strips."""

    def __init__(self, look: MarkdownLook) -> None:
        self._markdown = LiveMarkdown(look)
        self._cleaner = StreamCleaner()
        self._pieces: list[str] = []
        self._strips: list[Strip] = []
        self._room = 0
        self._has_gap = False
        self._is_finished = False

    @property
    def source(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def feed(self, text: str) -> None:
        self._pieces.append(text)
        self._markdown.append(self._cleaner.feed(text))
        if self._room:
            # At once, so that a text that comes in portions is laid out in portions too.
            self.strips(self._room, has_gap=self._has_gap)

    def finish(self) -> None:
        if not self._is_finished:
            self._is_finished = True
            self._markdown.append(self._cleaner.finish())
            self._markdown.finish()

    def in_look(self, look: MarkdownLook) -> "_LiveAnswer":
        fresh = _LiveAnswer(look)
        fresh.feed(self.source)
        if self._is_finished:
            fresh.finish()
        return fresh

    def strips(self, room: int, *, has_gap: bool) -> Sequence[Strip]:
        rows, first = self._markdown.lines(room)
        if room != self._room:
            self._room, self._has_gap, first = room, has_gap, 0
            self._strips = []
        gap = int(has_gap)
        if has_gap and not self._strips:
            self._strips.append(Strip.blank(0))
        del self._strips[first + gap :]
        self._strips.extend(Strip([Segment(GUTTER), *row]) for row in rows[first:])
        return self._strips


def _indented(rows: Sequence[Sequence[Segment]]) -> list[list[Segment]]:
    return [[Segment(GUTTER), *row] for row in rows]


def _lines(words: str, room: int, style: Style, indent: str = GUTTER) -> list[list[Segment]]:
    return [[Segment(indent), Segment(line, style)] for line in wrapped(words, max(1, room))]


def _strips(rows: Sequence[Sequence[Segment]], *, has_gap: bool) -> list[Strip]:
    strips = [Strip(row) for row in rows]
    return [Strip.blank(0), *strips] if has_gap else strips
