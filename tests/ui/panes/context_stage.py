"""A request with every kind of part, and a screen with its board or its pane on it."""

from dataclasses import replace

from textual.pilot import Pilot

from diligent_tui.compaction.sizes import KINDS, Kind
from diligent_tui.compaction.views import ContextPart, ContextView
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.context import ContextBoard, ContextPane, sheet_of
from tests.ui.panes.pane_stage import PaneApp

CODE = "\n".join(f"{number:>3}  a line of the loader, with its words" for number in range(1, 90))
SUMMARY = "## Goal\nMend the loader so that it reads each file once.\n\n## Progress\n- [p1] positions are kept"
LEDGER = "---\nThe user's own words, newest first\n- [p3] keep the text in Layer"
PARTS = (
    ContextPart("system", "system prompt", "You are diligent.\nAnswer in short sentences.", 4_200),
    ContextPart("knowledge", "project knowledge", "tests run with make test", 1_900),
    *(ContextPart("tools", name, f"{name.title()} something.\n\n{{}}", 450) for name in ("read", "edit", "bash")),
    ContextPart("pins", "pins", "I pinned these\n[p2] use make test", 300, "k1"),
    ContextPart("summary", "summary", SUMMARY, 2_800, "k1"),
    ContextPart("ledgers", "ledger", LEDGER, 1_100, "k1"),
    ContextPart("turns", "you", "and now the schema, please", 12, "p4", "cut turn"),
    ContextPart("turns", "assistant", "Reading `schema.py` first.", 9, "m4"),
    ContextPart("turns", "call read src/schema.py", '{"path": "src/schema.py"}', 14, "m4"),
    ContextPart("turns", "result read src/schema.py", '[pruned: read · recall("r4")]', 60, "r4", "digest"),
    ContextPart("turns", "result read src/loader.py", CODE, 12_400, "r5"),
    ContextPart("turns", "you", "keep the text in Layer", 8, "p5"),
    ContextPart("turns", "assistant", "Done: `Layer` keeps it.\nThe tests pass.", 22, "m5"),
)


def view_of(*parts: ContextPart, limit_tokens: int = 200_000, scale: int = 1) -> ContextView:
    """A request of these parts; `scale` makes it as many times larger."""
    given = tuple(replace(part, tokens=part.tokens * scale) for part in parts or PARTS)
    breakdown: tuple[tuple[Kind, int], ...] = tuple(
        (kind, sum(part.tokens for part in given if part.kind == kind)) for kind in KINDS
    )
    tokens = sum(part.tokens for part in given)
    return ContextView("anthropic/sonnet-5-5", given, breakdown, tokens, limit_tokens, False, True)


class BoardApp(PaneApp[ContextPane]):
    """A screen with the pane, given a request by hand, keeping what it asks for."""

    def __init__(self, view: ContextView | None = None, theme: ThemeName = "dark") -> None:
        super().__init__(theme)
        self.pane = ContextPane()
        self.view = view or view_of()

    @property
    def board(self) -> ContextBoard:
        return self.pane.board

    def on_mount(self) -> None:
        self.board.show(sheet_of(self.view, pinned=("p5",)))

    def on_context_pane_to_chat(self, message: ContextPane.ToChat) -> None:
        self.wishes.append(message)

    def on_context_pane_pin_toggled(self, message: ContextPane.PinToggled) -> None:
        self.wishes.append(message)

    def on_context_pane_copy_requested(self, message: ContextPane.CopyRequested) -> None:
        self.wishes.append(message)


async def listed(pilot: Pilot[None]) -> None:
    """Wait until the parts are on screen."""
    app = pilot.app
    assert isinstance(app, BoardApp)
    while not len(app.board.parts.model.blocks):
        await pilot.pause(0.01)
    await pilot.pause()


def shown(board: ContextBoard) -> list[str]:
    """The rows of the parts on screen as text."""
    lines = board.parts.render_lines(board.parts.size.region)
    return [text for strip in lines if (text := strip.text.rstrip())]


def told(board: ContextBoard, part: str) -> str:
    """What head, bar or foot say."""
    return str(board.query_one(f"#context-{part}").render())


def cursor(board: ContextBoard) -> str:
    """The title of the part under the cursor."""
    return board.part.title if board.part else ""
