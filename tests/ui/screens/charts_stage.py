"""A session of forty turns with all that charts show, and a bare app with the charts of it on screen."""

from collections.abc import Mapping
from threading import Event
from types import MappingProxyType

from textual.app import App
from textual.pilot import Pilot

from diligent_tui.domain.entries import (
    CompactionEntry,
    CompactionRevertEntry,
    Entry,
    MessageEntry,
    PruneEntry,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, UserMessage
from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.progress import Tell
from diligent_tui.domain.usage import Usage
from diligent_tui.session.tree import Node, node_of
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.screens.charts import ChartsScreen, Figures
from diligent_tui.ui.screens.charts.branches import read_branches
from diligent_tui.ui.screens.charts.history import read_history
from diligent_tui.ui.stylesheets import style_paths
from diligent_tui.ui.theme import THEMES

LIMIT_TOKENS = 200_000
UNDONE_TOKENS = 40_000
PRICED = Model("anthropic", "sonnet", prices=Prices(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75))
FREE = Model("local", "llama", prices=Prices(input=0.0, output=0.0, cache_read=0.0, cache_write=0.0))
WAIT_SECONDS = 10
"""No test waits longer, also one that failed before it let the charts be read."""
NO_LABELS: Mapping[str, str] = MappingProxyType({})


class Log:
    """Entries in the order of a file, each hanging on the one before unless it is told otherwise."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.leaf_id: str | None = None

    def add(self, entry: Entry, parent_id: str | None = None) -> str:
        entry_id = f"e{len(self.entries)}"
        parent = parent_id if parent_id is not None else self.leaf_id
        self.entries[entry_id] = entry.model_copy(update={"id": entry_id, "parent_id": parent})
        self.leaf_id = entry_id
        return entry_id

    def ask(self, words: str, *sizes: int, model: str = "sonnet", parent_id: str | None = None) -> str:
        """A turn with one answer for each size of the context."""
        prompt_id = self.add(MessageEntry(message=UserMessage(content=words)), parent_id)
        for size in sizes:
            cached = size * 9 // 10
            usage = Usage(input_tokens=size - cached - 200, cache_read_tokens=cached, output_tokens=200)
            message = AssistantMessage(
                content=(TextBlock(text="Done."),), provider="anthropic", model=model, usage=usage
            )
            self.add(MessageEntry(message=message))
        return prompt_id

    @property
    def nodes(self) -> list[Node]:
        return [node_of(entry) for entry in self.entries.values()]

    @property
    def path(self) -> list[Node]:
        by_id = {node.id: node for node in self.nodes}
        path: list[Node] = []
        at = self.leaf_id
        while at is not None:
            path.append(by_id[at])
            at = by_id[at].parent_id
        return path[::-1]


def long_session() -> Log:
    """Forty turns: growth, a prune, two compactions, one of them undone, another model, and three branches."""
    log = Log()
    size = 9_000
    for number in range(1, 41):
        steps = [size := size + 1_500 + (number * 37 % 11) * 450 for _ in range(1 + number * 7 % 4)]
        log.ask(f"and now the {('loader', 'schema', 'tests')[number % 3]}, part {number // 3 + 1}", *steps)
        if number == 12:
            fork_id = log.leaf_id
            log.ask("try it with zod instead", size + 4_000, size + 9_000)
            log.ask("and drop the old one", size + 12_000)
            assert fork_id is not None
            log.leaf_id = fork_id
        elif number == 17:
            log.add(PruneEntry(items=()))
            size -= 30_000
        elif number in (24, 33):
            log.add(CompactionEntry(summary="…", first_kept_entry_id=log.leaf_id or ""))
            size = 28_000
        elif number == 29:
            log.ask("你好，再试一次", size + 2_000, model="opus")
    log.add(CompactionRevertEntry(target_id="x"))
    return log


def figures_of(log: Log, labels: Mapping[str, str] = NO_LABELS, model: Model | None = PRICED) -> Figures:
    """What the charts show of a log."""
    branches, count = read_branches(log.nodes, log.leaf_id, labels, log.entries.__getitem__)
    path = read_history(log.path, log.entries.__getitem__, lambda _: model)
    now = path.context_tokens[-1] if path.context_tokens else 0
    is_estimated = isinstance(log.entries.get(log.leaf_id or ""), CompactionRevertEntry)
    # What was left out by the compaction that was undone is in the context again.
    now += UNDONE_TOKENS if is_estimated else 0
    return Figures(path, branches, count, now, LIMIT_TOKENS, path.cost, is_estimated)


class ChartsApp(App[None]):
    """Styles and themes, and the charts over nothing."""

    CSS_PATH = style_paths()

    def __init__(self, log: Log, theme: ThemeName = "dark", *, model: Model | None = PRICED) -> None:
        super().__init__()
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = THEMES[theme].name
        self.answers: list[str | None] = []
        self.may_read = Event()
        """While it is cleared the charts wait."""
        self.may_read.set()
        figures = figures_of(log, {"e90": "main"}, model)

        def read(tell: Tell) -> Figures:
            self.may_read.wait(WAIT_SECONDS)
            return figures

        def words_of(entry_id: str) -> str:
            entry = log.entries[entry_id]
            assert isinstance(entry, MessageEntry)
            assert isinstance(entry.message, UserMessage)
            return str(entry.message.content)

        self.charts = ChartsScreen(lambda: read, words_of, "config loader", is_plain=self.no_color or theme == "ansi")

    async def on_mount(self) -> None:
        await self.push_screen(self.charts, self.answers.append)


async def drawn(pilot: Pilot[None]) -> ChartsScreen:
    """Wait until the charts are on screen."""
    app = pilot.app
    assert isinstance(app, ChartsApp)
    while app.charts.board.figures is None:
        await pilot.pause(0.005)
    await pilot.pause()
    return app.charts


def shown(screen: ChartsScreen) -> list[str]:
    """The rows of the sheet on screen."""
    board = screen.board
    return [strip.text.rstrip() for strip in board.render_lines(board.size.region)]
