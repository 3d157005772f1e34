"""The real app on the offline model, in a folder and a home of its own."""

from collections.abc import Callable, Mapping
from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.agent.session import AgentSession
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.opening import Opening, ThemeName
from diligent_tui.ui.panes.chat import ChatPane
from diligent_tui.ui.transcript import ChatBlock

MOST_PAUSES = 2_000


def make_app(
    folder: Path, *, theme: ThemeName = "dark", flags: Mapping[str, object] | None = None, **more: object
) -> DiligentApp:
    """The app as the command line would open it; `more` are further fields of the opening."""
    project = folder / "project"
    # Its own project, whatever stands in the folders above.
    (project / ".git").mkdir(parents=True, exist_ok=True)
    environ = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin"}
    # What the machine has to shut commands in must not show in a picture.
    said = {"sandbox.mode": "off", **(flags or {})}
    opening = Opening(cwd=project, environ=environ, flags=said, model="offline/rehearsal", theme=theme)
    for name, value in more.items():
        object.__setattr__(opening, name, value)
    return DiligentApp(opening)


async def ready(pilot: Pilot[int]) -> Core:
    """Wait until the core is behind the screen."""
    app = pilot.app
    assert isinstance(app, DiligentApp)
    for _ in range(MOST_PAUSES):
        if app.core is not None and app.main.state and app.main.state.sandbox:
            return app.core
        await pilot.pause(0.01)
    raise AssertionError("the core did not come up")


async def ask(pilot: Pilot[int], text: str) -> None:
    """Send a prompt and wait until it is answered and painted."""
    core = await ready(pilot)
    await begin(pilot, text)
    assert core.session is not None
    await core.session.wait_idle()
    await settled(pilot)


async def begin(pilot: Pilot[int], text: str) -> None:
    """Send a prompt and do not wait for the answer."""
    core = await ready(pilot)
    app = pilot.app
    assert isinstance(app, DiligentApp)
    assert core.session is not None
    nodes = core.session.store.tree.nodes
    before = len(nodes)
    app.main.prompt.set_text(text)
    await pilot.press("enter")
    while len(nodes) == before:
        await pilot.pause(0.005)


async def settled(pilot: Pilot[int]) -> None:
    """Wait until the bridge has told everything and it is painted."""
    core = await ready(pilot)
    app = pilot.app
    assert isinstance(app, DiligentApp)
    while core.is_behind or not (app.main.state and app.main.state.sandbox):
        await pilot.pause(0.01)
    await pilot.pause()
    await pilot.pause()


async def until(pilot: Pilot[int], is_so: Callable[[], bool]) -> None:
    """Wait until something is so; fail if it never is."""
    for _ in range(MOST_PAUSES):
        if is_so():
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came about")


async def painted(pilot: Pilot[int], is_so: Callable[[], bool]) -> None:
    """Wait until something is so, and on the screen."""
    await until(pilot, is_so)
    await settled(pilot)


def session_of(app: DiligentApp) -> AgentSession:
    """The session that the app shows."""
    assert app.core is not None
    assert app.core.session is not None
    return app.core.session


def blocks(chat: ChatPane) -> list[ChatBlock]:
    """The blocks of the chat."""
    return list(chat.model.blocks.blocks)
