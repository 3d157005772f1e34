"""What the chat shows of memory: rows of compactions, heard or read back, and the marks of the gutter."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from textual.app import App, ComposeResult

from diligent_tui.compaction.views import VersionState
from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import (
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    MessageEntry,
    PruneEntry,
    PruneItem,
)
from diligent_tui.domain.errors import Problem
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolResultMessage, UserMessage
from diligent_tui.session.effective import Fate
from diligent_tui.ui.live_transcript import LiveTranscript
from diligent_tui.ui.panes.chat import ChatPane, Marks, chat_look
from diligent_tui.ui.panes.chat.renderer import ChatRenderer
from diligent_tui.ui.theme import DARK
from diligent_tui.ui.transcript import ChatBlock, Transcript

VARIABLES = {**DARK.to_color_system().generate(), **DARK.variables}
LOOK = chat_look("dark", VARIABLES)
COMPACTION = CompactionEntry(
    id="k",
    summary="## Goal\nMend the *loader*.",
    ledger="---\nFiles changed\n- src/loader.py",
    first_kept_entry_id="p",
    tokens_before=142_000,
    tokens_after=28_400,
    messages=46,
    duration_seconds=11.2,
)
PRUNE = PruneEntry(id="u", items=(PruneItem(target_id="r", digest="[pruned: read a.py]\nline"),) * 12)
STARTED = ev.CompactionStarted("k", 142_000, 200_000, "auto", "threshold")
PRUNED = ev.CompactionPruned("k", 12, 31_000, ("read", "bash"))
SUMMARISING = ev.CompactionSummarising("k", 46)
FINISHED = ev.CompactionFinished("k", 142_000, 28_400, 46, 12, 46, COMPACTION.summary, "auto", "threshold", 11.2)
PROBLEM = Problem("overloaded", "The model did not answer.", "Wait a little.")


def heard(*events: ev.Event) -> list[ChatBlock]:
    """The blocks after these events, each in its last version, in order."""
    live = LiveTranscript()
    blocks: dict[str, ChatBlock] = {}
    for event in events:
        for block in live.take(event):
            blocks[block.id] = block
    return list(blocks.values())


def drawn(
    blocks: Sequence[ChatBlock], entries: Sequence[Entry] = (COMPACTION,), marks: Marks | None = None, **more: object
) -> list[str]:
    """The rows of some blocks at 80 columns; `folded` is usual."""
    renderer = ChatRenderer(LOOK, {entry.id: entry for entry in entries}.__getitem__)
    renderer.marks = marks or Marks()
    folded = more.get("folded", True) is True
    return [strip.text.rstrip() for block in blocks for strip in renderer.render(block, 80, folded) if strip.text]


def since(state: VersionState) -> Marks:
    return Marks(versions={"k": state})


def test_a_compaction_is_one_row_with_its_figures_the_same_heard_and_read_back() -> None:
    live = drawn(heard(STARTED, PRUNED, SUMMARISING, ev.CompactionSummaryDelta("k", "## Goal"), FINISHED))
    saved = drawn(Transcript().saved([PRUNE, COMPACTION]), (PRUNE, COMPACTION))
    assert live[1] == saved[1]
    assert " ".join(live[1].split()) == "⟳ compacted 142k → 28k −80 % 46 messages 11 s ▸"
    assert live[0].startswith(" ▒ pruned 12 outputs  −31k")
    assert saved[0].startswith(" ▒ pruned 12 outputs")


def test_a_compaction_opens_to_its_summary_and_ledger() -> None:
    rows = drawn(Transcript().saved([COMPACTION]), folded=False)
    assert rows[0].endswith("▾")
    assert "   Goal" in rows
    assert any("src/loader.py" in row for row in rows)
    assert not any("*loader*" in row for row in rows)


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ((), "compacting  pruning"),
        ((SUMMARISING,), "compacting  summarising 46 messages"),
        ((SUMMARISING, ev.CompactionSummaryDelta("k", "one two\nthree")), "summarising 46 messages  3 words  …one two"),
        ((SUMMARISING, ev.CompactionChecking("k")), "compacting  checking"),
        ((SUMMARISING, ev.CompactionRejected("k", "it is empty")), "compacting  not good enough: it is empty"),
    ],
)
def test_while_it_goes_on_the_row_says_what_it_does(events: tuple[ev.Event, ...], words: str) -> None:
    rows = drawn(heard(STARTED, *events))
    assert len(rows) == 1
    assert words in rows[0]


def test_a_summary_that_is_written_again_does_not_carry_the_first_one_along() -> None:
    first, second = ev.CompactionSummaryDelta("k", "bad words"), ev.CompactionSummaryDelta("k", "good")
    rows = drawn(heard(STARTED, SUMMARISING, first, ev.CompactionRejected("k", "no"), SUMMARISING, second))
    assert "…good" in rows[0]
    assert "bad" not in rows[0]


def test_pruning_alone_is_one_row_with_or_without_a_start() -> None:
    alone = ev.CompactionPruned("u", 1, 900, ("read",))
    done = ev.CompactionFinished("k", 10_000, 9_000, 0, 12, 0, "")
    for events in ((alone,), (STARTED, PRUNED, done)):
        assert len(drawn(heard(*events))) == 1
    assert drawn(heard(alone))[0].startswith(" ▒ pruned 1 output  −900")


def test_a_failure_is_one_sentence_in_red_that_says_what_to_press() -> None:
    failed = ev.CompactionFailed("k", PROBLEM, can_retry=True, suggest_new_session=True)
    blocks = heard(STARTED, SUMMARISING, failed)
    words = " ".join(row.strip() for row in drawn(blocks))
    assert words == (
        "✗ Not compacted: The model did not answer. Wait a little. /compact tries again. /new begins a new session."
    )
    renderer = ChatRenderer(LOOK, dict[str, Entry]().__getitem__)
    assert [segment.style for segment in renderer.render(blocks[0], 80, True)[1]][1:] == [LOOK.error] * 2


def test_a_stop_is_no_error() -> None:
    stopped = ev.CompactionFailed("k", Problem("interrupted", "It was stopped.", "Again?"), True, False)
    assert drawn(heard(STARTED, stopped)) == [" · It was stopped."]


@pytest.mark.parametrize(
    ("state", "words"), [("active", "11 s"), ("superseded", "edited since"), ("undone", "↶ undone")]
)
def test_what_became_of_a_compaction_stands_in_its_row(state: VersionState, words: str) -> None:
    row = drawn(Transcript().saved([COMPACTION]), marks=since(state))[0]
    assert row.removesuffix("▸").rstrip().endswith(words)


def test_an_edit_and_its_ways_back_and_forth_are_rows_of_their_own() -> None:
    edited = COMPACTION.model_copy(update={"id": "e", "supersedes": "k", "duration_seconds": None})
    undo = CompactionRevertEntry(id="x", target_id="e")
    redo = CompactionRevertEntry(id="y", target_id="x")
    again = CompactionRevertEntry(id="z", target_id="y")
    entries = (COMPACTION, edited, undo, redo, again)
    saved = drawn(Transcript().saved(entries), entries)
    live = drawn(
        heard(
            STARTED,
            SUMMARISING,
            FINISHED,
            ev.SummaryEdited("e", "k"),
            ev.CompactionReverted("e", redone=False),
            ev.CompactionReverted("e", redone=True),
            ev.CompactionReverted("e", redone=False),
        ),
        entries,
    )
    assert live == saved
    assert [row.split()[1:3] for row in saved[1:]] == [
        ["summary", "edited"],
        ["compaction", "undone:"],
        ["compaction", "redone:"],
        ["compaction", "undone:"],
    ]


@pytest.mark.parametrize("width", [20, 30, 40, 60, 120])
def test_a_row_never_passes_its_width_and_loses_what_matters_least(width: int) -> None:
    renderer = ChatRenderer(LOOK, {"k": COMPACTION}.__getitem__)
    renderer.marks = since("undone")
    _, strip = renderer.render(Transcript().saved([COMPACTION])[0], width, True)
    assert strip.cell_length <= width
    assert "undone" in strip.text or width < 30


def test_hostile_words_of_a_summary_stay_words() -> None:
    hostile = COMPACTION.model_copy(update={"summary": "\x1b]0;owned\x07[@click=quit]go[/] \u202eevil"})
    for folded in (True, False):
        rows = drawn(Transcript().saved([hostile]), (hostile,), folded=folded)
        assert not any("\x1b" in row or "\u202e" in row for row in rows)
    streamed = drawn(heard(STARTED, SUMMARISING, ev.CompactionSummaryDelta("k", "\x1b[31mred \u202eevil")))
    assert not any("\x1b" in row or "\u202e" in row for row in streamed)


TALK: tuple[Entry, ...] = (
    MessageEntry(id="p", message=UserMessage(content="look at\nthe loader")),
    MessageEntry(id="m", message=AssistantMessage(content=(TextBlock(text="I **look**."),))),
    MessageEntry(id="r", message=ToolResultMessage(tool_call_id="c", tool_name="read", output="one\ntwo")),
)


@pytest.mark.parametrize(
    ("fate", "glyph", "rows_marked"),
    [("summarised", "░", 2), ("excluded", "×", 2), ("digest", "▒", 2), ("pinned", "◆", 1), ("verbatim", " ", 2)],
)
def test_each_fate_has_its_mark_in_the_first_column(fate: Fate, glyph: str, rows_marked: int) -> None:
    rows = drawn(Transcript().saved(TALK[:1]), TALK, Marks(fates={"p": fate}))
    assert [row[0] for row in rows].count(glyph) == rows_marked
    assert [row[1:] for row in rows] == [" ▌ look at"[1:], " ▌ the loader"[1:]]


def test_what_was_summarised_is_dim_and_what_was_pruned_is_not() -> None:
    def colours(fate: Fate) -> set[object]:
        renderer = ChatRenderer(LOOK, {entry.id: entry for entry in TALK}.__getitem__)
        renderer.marks = Marks(fates={"m": fate, "r": fate})
        blocks = Transcript().saved(TALK[1:])
        strips = [strip for block in blocks for strip in renderer.render(block, 80, True)]
        return {segment.style.color for strip in strips for segment in strip if segment.style and segment.text.strip()}

    assert colours("summarised") == {LOOK.dim.color}
    assert len(colours("digest")) > 1


def test_a_result_that_has_just_come_is_known_by_its_entry() -> None:
    blocks = heard(
        ev.ToolCallReady("c", "read", {"path": "a"}),
        ev.ToolStarted("c", "read", {"path": "a"}),
        ev.ToolFinished("c", "read", "one", is_error=False, duration_seconds=0.1),
        ev.MessageSaved("r", "tool_result", "one"),
    )
    assert [block.entry_id for block in blocks] == ["r"]


class CountingFates(Mapping[str, Fate]):
    """Everything was summarised; notes who is asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getitem__(self, entry_id: str) -> Fate:
        self.asked.append(entry_id)
        return "summarised"

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("nobody walks through all of them")

    def __len__(self) -> int:
        return 0


class ChatApp(App[None]):
    """A chat and nothing else."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.entries: dict[str, Entry] = {
            f"p{number}": MessageEntry(id=f"p{number}", message=UserMessage(content=f"prompt {number}\nand more"))
            for number in range(count)
        }
        self.chat = ChatPane(self.entries.__getitem__, LOOK)

    def compose(self) -> ComposeResult:
        yield self.chat

    def on_mount(self) -> None:
        self.chat.show_saved(self.entries.values(), is_whole=True)


async def test_marks_of_a_long_talk_cost_what_is_in_sight_and_move_nothing() -> None:
    app = ChatApp(3_000)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows, top = app.chat.model.total_rows, app.chat.model.top
        fates = CountingFates()
        app.chat.mark(Marks(fates=fates))
        await pilot.pause()
        assert (app.chat.model.total_rows, app.chat.model.top) == (rows, top)
        assert 0 < len(set(fates.asked)) <= 24
        assert app.chat.render_line(22).text.startswith("░")


async def test_the_cursor_shows_over_a_mark_without_hiding_it() -> None:
    app = ChatApp(3)
    async with app.run_test(size=(80, 24)) as pilot:
        app.chat.mark(Marks(fates={"p1": "pinned"}))
        app.chat.focus()
        assert app.chat.go_to_entry("p1")
        await pilot.pause()
        row = next(strip for strip in app.chat.render_lines(app.chat.size.region) if strip.text.startswith("◆"))
        style = next(iter(row)).style
        assert style is not None
        assert style.reverse
        assert not app.chat.go_to_entry("not there")


async def test_p_asks_to_pin_the_block_under_the_cursor() -> None:
    wished: list[ChatPane.Wished] = []

    class Wishing(ChatApp):
        def on_chat_pane_wished(self, message: ChatPane.Wished) -> None:
            wished.append(message)

    app = Wishing(3)
    async with app.run_test(size=(80, 24)) as pilot:
        app.chat.focus()
        app.chat.go_to_entry("p1")
        await pilot.press("p")
        await pilot.pause()
    assert [(message.deed, message.block.entry_id) for message in wished] == [("pin", "p1")]
