"""Sessions with tool calls made of entries in memory, and a screen with the tools pane on it."""

from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.domain import events as ev
from diligent_tui.domain.entries import MessageEntry, PruneEntry, PruneItem
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.messages import AssistantMessage, ToolCallBlock, ToolResultMessage
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.tools import ToolsPane
from tests.ui.panes.pane_stage import PaneApp
from tests.ui.panes.tree_stage import Garden

DIFF = """\
--- a/src/loader.py
+++ b/src/loader.py
@@ -10,9 +10,10 @@ class Loader:
     def merge(self, layers: list[Layer]) -> Tree:
         \"\"\"Later layers win.\"\"\"
         tree: Tree = {}
-        for layer in layers:
-            text = open(layer.path).read()
-            tree.update(parse(text, positions=False))
+        for layer in sorted(layers, key=order):
+            tree.update(parse(layer.text, positions=True))
+            if layer.is_last:
+                break
         return tree

     def close(self) -> None:
@@ -40,4 +41,3 @@ def order(layer: Layer) -> int:
     \"\"\"Where a layer stands; a long line follows so that it must be wrapped or cut by whoever shows it.\"\"\"
-    # nothing to see here
     return LAYERS.index(layer.kind)

"""
COLOURED = "\x1b[1m3 tests\x1b[0m\n\x1b[32mtest_merge passed\x1b[0m\n\x1b[31mtest_order failed\x1b[0m\n== 1 failed =="


class Workshop(Garden):
    """A growing session of tool calls."""

    def use(
        self,
        name: str,
        arguments: JsonObject,
        output: str = "fine",
        *,
        is_error: bool = False,
        diff: str | None = None,
        exit_code: int | None = None,
        seconds: float = 0.2,
        spill: str | None = None,
    ) -> str:
        """A call and its result; the result's id."""
        call = ToolCallBlock(id=f"call-{len(self.entries)}", name=name, input=arguments)
        self.add(MessageEntry(message=AssistantMessage(content=(call,))))
        result = ToolResultMessage(
            tool_call_id=call.id,
            tool_name=name,
            output=output,
            is_error=is_error,
            diff=diff,
            exit_code=exit_code,
            duration_seconds=seconds,
            spill=spill,
        )
        return self.add(MessageEntry(message=result))


def busy() -> Workshop:
    """Every kind of ended call; the output of the first is pruned."""
    shop = Workshop()
    shop.ask("why does the loader read the file twice?")
    first = shop.use("read", {"path": "src/loader.py"}, "\n".join(f"{n}  a line of code" for n in range(1, 141)))
    shop.use("grep", {"pattern": "def merge", "path": "src"}, "src/loader.py:10: def merge", seconds=0.04)
    shop.use("read", {"path": "src/missing.py"}, "There is no file src/missing.py.", is_error=True)
    shop.add(PruneEntry(items=(PruneItem(target_id=first, digest="140 lines of loader.py"),)))
    shop.use("edit", {"path": "src/loader.py", "edits": [{"old": "a", "new": "b"}]}, "Edited src/loader.py.", diff=DIFF)
    shop.use("bash", {"command": "make test"}, COLOURED, is_error=True, exit_code=2, seconds=9.1)
    shop.use("bash", {"command": "git status --short"}, "", exit_code=0, seconds=0.1)
    return shop


class ToolsApp(PaneApp[ToolsPane]):
    """A screen with the tools, keeping what they ask for; the clock stands still."""

    def __init__(self, shop: Workshop | None = None, theme: ThemeName = "dark", spills: Path | None = None) -> None:
        super().__init__(theme)
        self.shop = shop or Workshop()
        self.seconds = 100.0
        self.pane = ToolsPane(self.shop.lookup, clock=lambda: self.seconds)
        self.pane.read_through(self.shop.lookup, spill_folder=spills)

    def on_mount(self) -> None:
        self.pane.show_saved(self.shop.tree.path(self.shop.tree.leaf_id))

    def on_tools_pane_rerun(self, message: ToolsPane.Rerun) -> None:
        self.wishes.append(message)

    def on_tools_pane_to_chat(self, message: ToolsPane.ToChat) -> None:
        self.wishes.append(message)

    def on_tools_pane_to_tree(self, message: ToolsPane.ToTree) -> None:
        self.wishes.append(message)

    def on_tools_pane_copy_requested(self, message: ToolsPane.CopyRequested) -> None:
        self.wishes.append(message)


def shown(app: ToolsApp) -> list[str]:
    """The rows of the list on screen as text."""
    rows = app.pane.rows
    return [text for y in range(rows.size.height) if (text := rows.render_line(y).text.rstrip())]


def told(app: ToolsApp) -> str:
    """The details on screen as text."""
    view = app.pane.details
    return "\n".join(view.render_line(y).text.rstrip() for y in range(view.size.height))


def read(app: ToolsApp) -> list[str]:
    """The whole output on screen as text."""
    whole = app.pane.whole
    return [strip.text.strip() for strip in whole.render_lines(whole.size.region)]


def cursor(app: ToolsApp) -> str:
    """The row under the cursor as text."""
    rows = app.pane.rows
    return rows.render_line(rows.cursor - rows.scroll_offset.y).text.strip("▎ ")


async def found(pilot: Pilot[None]) -> None:
    """Wait until search and filter are through."""
    app = pilot.app
    assert isinstance(app, ToolsApp)
    await pilot.pause()
    for worker in (app.pane.search, app.pane.sieve):
        if worker is not None and not worker.is_finished:
            await worker.wait()
    await pilot.pause()
    await pilot.pause()


def begun(call_id: str = "c1", command: str = "make all") -> list[ev.Event]:
    """A call that runs and has said something."""
    return [
        ev.ToolCallReady(call_id, "bash", {"command": command}),
        ev.ToolStarted(call_id, "bash", {"command": command}),
        ev.ToolOutput(call_id, "".join(f"\x1b[36mcompiling\x1b[0m part {n}\n" for n in range(60))),
    ]
