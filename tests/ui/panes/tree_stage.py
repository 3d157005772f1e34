"""Sessions made of entries in memory, and a screen with their tree on it."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from textual.pilot import Pilot

from diligent_tui.domain.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    KnowledgeNoteEntry,
    MessageEntry,
    ModelChangeEntry,
    OtherEntry,
    SystemPromptEntry,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, ToolResultMessage, UserMessage
from diligent_tui.domain.times import to_stamp
from diligent_tui.session.tree import Node, Tree, node_of
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.session_tree import SessionTreePane
from tests.ui.panes.pane_stage import MainScreen, PaneApp

MOMENT = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)


class Garden:
    """A growing session; each verb hangs an entry on the leaf, a minute after the last."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.entries: dict[str, Entry] = {}
        self.labels: dict[str, str] = {}
        self.looked_up: Counter[str] = Counter()

    def lookup(self, entry_id: str) -> Entry:
        self.looked_up[entry_id] += 1
        return self.entries[entry_id]

    def add(self, entry: Entry, parent_id: str | None = None) -> str:
        number = len(self.entries) + 1
        stamp = to_stamp(MOMENT - timedelta(hours=5) + timedelta(minutes=number))
        update = {"id": f"{number:08x}", "parent_id": parent_id or self.tree.leaf_id, "timestamp": stamp}
        grown = entry.model_copy(update=update)
        self.entries[grown.id] = grown
        self.tree.add(node_of(grown))
        return grown.id

    def ask(self, text: str) -> str:
        return self.add(MessageEntry(message=UserMessage(content=text)))

    def answer(self, text: str) -> str:
        return self.add(MessageEntry(message=AssistantMessage(content=(TextBlock(text=text),))))

    def call(self, name: str, subject: str, *, output: str = "fine", is_error: bool = False) -> str:
        call = ToolCallBlock(id=f"call-{len(self.entries)}", name=name, input={"path": subject})
        self.add(MessageEntry(message=AssistantMessage(content=(call,))))
        result = ToolResultMessage(tool_call_id=call.id, tool_name=name, output=output, is_error=is_error)
        return self.add(MessageEntry(message=result))


def small() -> Garden:
    """One turn."""
    garden = Garden()
    garden.add(SystemPromptEntry(text="Be good."))
    garden.add(ModelChangeEntry(provider="anthropic", model_id="sonnet-5-5"))
    garden.ask("why does the loader read the file twice?")
    garden.call("read", "loader.py")
    garden.answer("Because `merge()` opens it again for the positions.\n\nTwo changes would do.")
    return garden


def grown() -> Garden:
    """Every kind of row: three branches with labels, a compaction, an error, a model change, an orphan, a stranger."""
    garden = small()
    fork = garden.call("edit", "loader.py")
    schema = garden.ask("what about a schema with zod instead of hand-written checks?")
    garden.answer("A schema would catch the wrong types early.")
    garden.call("bash", "make test", output="3 failed", is_error=True)
    garden.add(
        CompactionEntry(summary="The loader.", first_kept_entry_id=schema, tokens_before=142_000, tokens_after=28_000)
    )
    garden.add(ModelChangeEntry(provider="openai", model_id="gpt-6", thinking="high"))
    deeper = garden.ask("and now the schema for layers")
    garden.answer("Reading `schema.py` first.")
    garden.tree.move_to(fork)
    garden.ask("then remove it")
    garden.answer("Removed; the loader reads once.")
    garden.add(KnowledgeNoteEntry(text="Tests run with make test."))
    garden.add(OtherEntry(type="hologram"))
    garden.tree.move_to(deeper)
    garden.add(BranchSummaryEntry(from_id=fork, summary="Removing the second read worked; tests are green."))
    garden.ask("go on with the schema then")
    garden.answer("Layers have one schema each now.")
    orphan = MessageEntry(message=UserMessage(content="whose parent was lost"), id="0000beef", parent_id="deadbeef")
    leaf_id = garden.tree.leaf_id
    garden.entries[orphan.id] = orphan
    garden.tree.add(Node(orphan.id, orphan.parent_id, "message", "user"))
    garden.tree.move_to(leaf_id)
    garden.labels |= {schema: "try-zod", leaf_id or "": "one schema per layer"}
    return garden


def large(entries: int, branches: int) -> Garden:
    """A long session whose branches part at many depths."""
    garden = Garden()
    stretch = entries // branches
    for number in range(entries):
        if number and number % stretch == 0:
            garden.tree.move_to(f"{number - stretch // 2 - (number // stretch) % 4 * 10:08x}")
        if number % 4 == 0:
            garden.ask(f"prompt {number}")
        else:
            garden.answer(f"answer {number}")
    return garden


class TreeApp(PaneApp[SessionTreePane]):
    """A screen with a tree, keeping what it asks for."""

    def __init__(self, garden: Garden | None = None, theme: ThemeName = "dark") -> None:
        super().__init__(theme)
        self.garden = garden or Garden()
        self.pane = SessionTreePane(self.garden.lookup, clock=lambda: MOMENT)

    def get_default_screen(self) -> MainScreen:
        return MainScreen(self.pane, "The chat stands here.", is_left=True)

    def on_mount(self) -> None:
        self.pane.show(self.garden.tree, self.garden.labels)

    def on_session_tree_pane_continue_from(self, message: SessionTreePane.ContinueFrom) -> None:
        self.wishes.append(message)

    def on_session_tree_pane_fork_at(self, message: SessionTreePane.ForkAt) -> None:
        self.wishes.append(message)

    def on_session_tree_pane_label_set(self, message: SessionTreePane.LabelSet) -> None:
        self.wishes.append(message)

    def on_session_tree_pane_graft(self, message: SessionTreePane.Graft) -> None:
        self.wishes.append(message)

    def on_session_tree_pane_compare(self, message: SessionTreePane.Compare) -> None:
        self.wishes.append(message)

    def on_session_tree_pane_context_at(self, message: SessionTreePane.ContextAt) -> None:
        self.wishes.append(message)


def shown(app: TreeApp) -> list[str]:
    """The rows on screen as text."""
    rows = app.pane.rows
    return [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]


async def searched(pilot: Pilot[None]) -> None:
    """Wait until a search is through."""
    app = pilot.app
    assert isinstance(app, TreeApp)
    await pilot.pause()
    while app.pane.search is not None and not app.pane.search.is_finished:
        await app.pane.search.wait()
    await pilot.pause()
