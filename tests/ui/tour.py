"""A walk through the whole screen on the demo's session: every pane, every screen, and what can be open above them."""

from collections.abc import AsyncGenerator, Mapping

from textual._compositor import Compositor
from textual.pilot import Pilot
from textual.strip import Strip

from diligent_tui.cli.demo.building import build
from diligent_tui.cli.demo.scratch import Scratch
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.opening import Opening
from tests.ui.stage import ask, begin, ready, settled

USUAL = {"PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
PANES = {"tree": "f2", "tools": "f3", "knowledge": "f4", "summary": "f5", "context": "f6", "trace": "f7"}
DIALOGS = {
    "HelpScreen": ("f1",),
    "PaletteScreen": ("ctrl+p", "c", "o", "down"),
    "SessionsScreen": ("f8", "down"),
}
"""Opened by keys; what follows moves about in it."""
BY_WORDS = {
    "ChartsScreen": ("/charts", "left"),
    "ModelPicker": ("/model", "down"),
    "PreviewScreen": ("/preview", "down"),
    "RecallScreen": ("/recall reading", "down"),
}
WIDE = "天鹅👩‍👩‍👧‍👦e\u0301🇩🇪👍🏽❤️한글±ｶﾞ"
"""Two cells each, joined, marked, flags, tones of skin, selectors, and signs on whose width fonts disagree."""
ANSWER = """
# One *heading* with `code`

Some **strong** words, a [link](https://example.org), ~~gone~~ and <b>html</b>.

> a quotation

| left | right |
|---|---:|
| 天鹅 | 12 |

- [x] done
- [ ] open
  1. first

```python
@decorate
def merge(layers: list[int]) -> str:  # a comment
    return f"{len(layers)} layers" + str(None or 12)
```

---
"""


def demo_app(environ: Mapping[str, str] | None = None, **more: object) -> DiligentApp:
    """The app on the demo's session; `more` are further fields of the opening."""
    scratch = Scratch.make()
    environment = scratch.environ({**USUAL, "HOME": str(scratch.folder), **(environ or {})})
    build(scratch.project, environment)
    (scratch.project / "answer.md").write_text(ANSWER)
    (scratch.project / f"{WIDE}.md").write_text(f"{WIDE}\n" * 40)
    (scratch.project / "AGENTS.md").write_text("Be kind to swans.\n")
    opening = Opening(
        cwd=scratch.project,
        environ=environment,
        flags={"sandbox.mode": "off"},
        model="offline/rehearsal",
        goes_on=True,
        guides=True,
    )
    for name, value in more.items():
        object.__setattr__(opening, name, value)
    return DiligentApp(opening)


async def places(pilot: Pilot[int]) -> AsyncGenerator[str]:
    """Go everywhere; at each place its name is told, and the app stands still until the next is asked for."""
    app = pilot.app
    assert isinstance(app, DiligentApp)
    core = await ready(pilot)
    await _come_to(pilot, "TrustScreen")
    yield "TrustScreen"
    while type(app.screen).__name__ == "TrustScreen":
        await pilot.press("t")
        await pilot.pause(0.05)
    # The session is entered anew, with what is trusted now.
    while any(worker.group == "travel" for worker in app.workers):
        await pilot.pause(0.01)
    await _home(pilot)
    yield "opened"
    await _say(pilot, f"/name {WIDE * 3}")
    await settled(pilot)
    await _say(pilot, f"/remember {WIDE * 9}")
    await settled(pilot)
    yield "the form of an entry"
    await _press(pilot, "ctrl+s", "escape", "f4")
    await _home(pilot)
    await ask(pilot, f"read {WIDE}.md")
    yield "a wide answer"
    await ask(pilot, "read answer.md")
    yield "an answer"
    core.chat.focus()
    await _press(pilot, "k", "enter", "k", "enter", "shift+down", "shift+right")
    yield "selection in the chat"
    core.chat.search("the")
    await settled(pilot)
    yield "found in the chat"
    for name, key in PANES.items():
        await _press(pilot, key, "down", "down")
        yield f"pane {name}"
        await _press(pilot, "enter")
        yield f"pane {name}, opened"
        await _press(pilot, "escape", "escape", key)
        await _home(pilot)
    for name, keys in DIALOGS.items():
        await _press(pilot, keys[0])
        await _come_to(pilot, name)
        await _press(pilot, *keys[1:])
        yield name
        await _home(pilot)
    for name, (words, key) in BY_WORDS.items():
        await _say(pilot, words)
        await _come_to(pilot, name)
        await _press(pilot, key)
        yield name
        await _home(pilot)
    for words in ("/", "@", "/theme n"):
        app.main.prompt.set_text(words)
        await pilot.pause(0.1)
        await settled(pilot)
        yield f"completing {words}"
        app.main.prompt.set_text("")
    await _say(pilot, "/swans")
    await settled(pilot)
    yield "a note"
    await begin(pilot, "run touch swans.txt")
    await _come_to(pilot, "PermissionScreen")
    yield "PermissionScreen"
    await _press(pilot, "enter")
    await _home(pilot)


def rows(app: DiligentApp) -> list[Strip]:
    """The rows of the screen, as they go to the terminal."""
    compositor = vars(app.screen)["_compositor"]
    assert isinstance(compositor, Compositor)
    return [Strip(segments) for segments in compositor.render_strips()]


async def _say(pilot: Pilot[int], words: str) -> None:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    app.main.prompt.focus()
    app.main.prompt.set_text(words)
    await pilot.press("enter")


async def _press(pilot: Pilot[int], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def _come_to(pilot: Pilot[int], name: str) -> None:
    for _ in range(2_000):
        if type(pilot.app.screen).__name__ == name:
            await pilot.pause(0.05)
            await settled(pilot)
            return
        await pilot.pause(0.01)
    raise AssertionError(f"{name} did not open; there is {type(pilot.app.screen).__name__}")


async def _home(pilot: Pilot[int]) -> None:
    app = pilot.app
    assert isinstance(app, DiligentApp)
    for _ in range(100):
        if app.screen is app.main and app.main.prompt.has_focus:
            return
        await pilot.press("escape")
        await settled(pilot)
    raise AssertionError(f"no way back from {type(app.screen).__name__}")
