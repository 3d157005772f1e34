"""What was written and not sent is there again: in each of two windows, aside, and after the program was killed."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from diligent_tui.config.drafts import DraftDrawer, Found, Unsent
from diligent_tui.config.paths import find_places
from diligent_tui.config.prompt_history import load_history
from diligent_tui.ui.app import DiligentApp
from diligent_tui.ui.core import Core
from diligent_tui.ui.routes.keeping import KeepingRoutes
from tests.ui.pty_host import PATIENCE_SECONDS, PtyHost
from tests.ui.stage import ask, make_app, ready
from tests.ui.test_nothing_is_lost import until

CTRL_F, CTRL_Q, CTRL_T, CTRL_U = b"\x06", b"\x11", b"\x14", b"\x15"
MOST_LOOKS = 3_000


def drawer(folder: Path) -> DraftDrawer:
    """The drafts of the project that `make_app` opens."""
    places = find_places(folder / "project", {"HOME": str(folder / "home")})
    return DraftDrawer(places.user_state, places.root)


def leave_behind(folder: Path, *unsent: Unsent) -> None:
    """Windows that are gone, each with something unsent."""
    (folder / "project" / ".git").mkdir(parents=True)
    windows = [drawer(folder) for _ in unsent]
    for window, each in zip(windows, unsent, strict=True):
        window.save(each)
    for window in windows:
        window.leave()


def left(folder: Path) -> Found:
    """What a window finds that is opened now."""
    window = drawer(folder)
    found = window.begin()
    window.leave()
    return found


async def test_two_windows_in_one_project_keep_a_draft_each(tmp_path: Path) -> None:
    first, second = make_app(tmp_path), make_app(tmp_path)
    async with first.run_test(size=(100, 30)) as in_first:
        await ready(in_first)
        await in_first.press(*"swans")
        await first.keep_draft()
        async with second.run_test(size=(100, 30)) as in_second:
            await ready(in_second)
            assert second.main.prompt.text == ""
            await in_second.press(*"geese")
            await second.keep_draft()
        await in_first.press(*"!")
    third, fourth = make_app(tmp_path), make_app(tmp_path)
    async with third.run_test(size=(100, 30)) as in_third:
        await ready(in_third)
        assert third.main.prompt.text == "swans!"
        async with fourth.run_test(size=(100, 30)) as in_fourth:
            await ready(in_fourth)
            assert fourth.main.prompt.text == "geese"


async def test_what_was_put_aside_comes_back_in_its_order(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        await pilot.press(*"one", "ctrl+t", *"two", "ctrl+t", *"three")
    again = make_app(tmp_path)
    async with again.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        assert again.main.prompt.text == "three"
        for text in ("two", "one", ""):
            await pilot.press("ctrl+c", "ctrl+t")
            assert again.main.prompt.text == text
    assert left(tmp_path) == Found()


async def test_a_long_paste_that_was_put_aside_comes_back_whole(tmp_path: Path) -> None:
    pasted = "\n".join(f"line {number}" for number in range(50))
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        app.main.prompt.paste(pasted)
        await pilot.press("ctrl+t")
    again = make_app(tmp_path)
    async with again.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        assert again.main.prompt.text == ""
        await pilot.press("ctrl+t")
        assert again.main.prompt.text == pasted


async def search_words(pilot: Pilot[int], app: DiligentApp) -> None:
    await app.run_action("search_chat")


async def earlier_prompt(pilot: Pilot[int], app: DiligentApp) -> None:
    await pilot.press("ctrl+r", "enter")


async def unknown_command(pilot: Pilot[int], app: DiligentApp) -> None:
    await pilot.press("ctrl+t", *"/modle", "enter")
    await until(pilot, lambda: app.main.prompt.text == "/modle")


@pytest.mark.parametrize("way", [search_words, earlier_prompt, unknown_command])
async def test_a_draft_that_gave_way_to_something_else_is_kept(
    tmp_path: Path, way: Callable[[Pilot[int], DiligentApp], Awaitable[None]]
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        await ask(pilot, "hello")
        await pilot.press(*"draft")
        await way(pilot, app)
        shown = app.main.prompt.text
    assert shown != "draft"
    assert left(tmp_path).unsent == Unsent(shown, ("draft",))


@pytest.mark.parametrize(
    ("keys", "unsent"),
    [
        (["up"], Unsent("draft")),
        (["up", "up"], Unsent("draft")),
        (["up", "x"], Unsent("secondx", ("draft",))),
        (["up", "x", "up"], Unsent("draft", ("secondx",))),
        (["up", "x", "down"], Unsent("draft", ("secondx",))),
        (["up", "ctrl+t"], Unsent("", ("draft", "second"))),
        (["up", "ctrl+c"], Unsent("", ("draft",))),
    ],
)
async def test_a_draft_that_one_walked_away_from_is_kept(tmp_path: Path, keys: list[str], unsent: Unsent) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        app.main.prompt.set_history(["first", "second"])
        await pilot.press(*"draft", *keys)
    assert left(tmp_path).unsent == unsent


async def test_a_draft_that_one_walked_away_from_comes_back_when_an_earlier_prompt_is_sent(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await ask(pilot, "hello")
        await pilot.press(*"draft", "up", "enter")
        assert app.main.prompt.text == "draft"
        assert core.session is not None
        await core.session.wait_idle()


async def test_what_was_typed_before_the_draft_came_does_not_take_its_place(tmp_path: Path) -> None:
    leave_behind(tmp_path, Unsent("draft", ("aside",)))
    app = make_app(tmp_path, typed="early")
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        assert app.main.prompt.text == "early"
    assert left(tmp_path).unsent == Unsent("early", ("aside", "draft"))


async def test_whoever_leaves_before_the_session_is_there_finds_all_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_behind(tmp_path, Unsent("draft"))

    async def load_for_ever(*_: object) -> Core:
        await asyncio.Event().wait()
        raise AssertionError("nobody waited for it")

    monkeypatch.setattr(Core, "load", load_for_ever)
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press(*"sent", "enter", *"typed", "ctrl+q")
    assert app.return_code == 0
    assert left(tmp_path) == Found(Unsent("draft"), waiting=1)
    places = find_places(tmp_path / "project", {"HOME": str(tmp_path / "home")})
    assert load_history(places.user_state, places.root) == ["sent"]


async def exit_at_once(app: DiligentApp) -> None:
    app.exit(0)


@pytest.mark.parametrize("leave_app", [DiligentApp.action_quit, exit_at_once], ids=["by the key", "at once"])
@pytest.mark.parametrize(
    ("typed", "unsent"), [("typed", Unsent("typed", ("draft",))), ("", Unsent("draft"))], ids=["typed", "nothing typed"]
)
async def test_whoever_leaves_while_the_draft_is_being_read_finds_all_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    leave_app: Callable[[DiligentApp], Awaitable[None]],
    typed: str,
    unsent: Unsent,
) -> None:
    leave_behind(tmp_path, Unsent("draft"))
    is_reading, goes_on = threading.Event(), threading.Event()
    begin, keep = DraftDrawer.begin, KeepingRoutes.keep_draft

    def begin_slowly(window: DraftDrawer) -> Found:
        found = begin(window)
        is_reading.set()
        goes_on.wait(PATIENCE_SECONDS)
        return found

    async def keep_before_it_is_read(routes: KeepingRoutes) -> None:
        asyncio.get_running_loop().call_soon(goes_on.set)
        await keep(routes)

    monkeypatch.setattr(DraftDrawer, "begin", begin_slowly)
    monkeypatch.setattr(KeepingRoutes, "keep_draft", keep_before_it_is_read)
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press(*typed)
        await until(pilot, is_reading.is_set)
        await leave_app(app)
    assert left(tmp_path).unsent == unsent


async def test_a_draft_that_cannot_be_read_and_those_that_wait_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def notify(_app: DiligentApp, message: str, **_more: object) -> None:
        said.append(message)

    monkeypatch.setattr(DiligentApp, "notify", notify)
    leave_behind(tmp_path, Unsent("bad"), Unsent("good"), Unsent("waits"))
    (bad,) = [path for path in (tmp_path / "home").rglob("drafts/*.txt") if b"bad" in path.read_bytes()]
    bad.write_bytes(b"\xff\x1b[2J")
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        assert app.main.prompt.text == "good"
    assert "1 more draft waits for another window to be opened here." in said
    (kept,) = (tmp_path / "home").rglob("drafts/*.unreadable")
    assert any(str(kept) in sentence for sentence in said)
    assert kept.read_bytes() == b"\xff\x1b[2J"


async def test_a_hostile_draft_is_cleaned_before_it_is_shown(tmp_path: Path) -> None:
    leave_behind(tmp_path, Unsent("\x1b[2Ja\u202eb", ("\x07aside\ufdd0 #1\ufdd1", "x" * 100_000)))
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(pilot)
        texts = app.main.prompt.written
    assert len(texts) == 3
    assert not any(character in text for text in texts for character in "\x1b\x07\u202e\ufdd0\ufdd1")


def start(project: Path) -> PtyHost:
    """The real program in a terminal of its own."""
    environment = {"HOME": str(project.parent / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "diligent_tui.cli.main", "--model", "offline/rehearsal"]
    return PtyHost(command, environment, project, (100, 30))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def wait_for(host: PtyHost, project: Path, kept: bytes) -> None:
    """Wait until a draft on disk holds these bytes."""
    home = project.parent / "home"
    for _ in range(MOST_LOOKS):
        if any(kept in path.read_bytes() for path in home.rglob("drafts/*.txt")):
            return
        host.rest(0.05)
    raise AssertionError(f"never kept: {kept!r}")


def leave(host: PtyHost) -> None:
    host.send(CTRL_Q)
    assert host.wait() == 0


def test_a_killed_window_leaves_its_draft_to_the_next_and_the_other_keeps_its_own(project: Path) -> None:
    with start(project) as first, start(project) as second:
        for host, text in ((first, b"seven swans"), (second, b"nine geese")):
            host.read_until("Type first:")
            host.send(text)
            wait_for(host, project, text)
        first.signal(signal.SIGKILL)
        first.wait()
        with start(project) as third:
            third.read_until("seven swans")
            leave(third)
        second.send(b" and a duck")
        second.read_until("nine geese and a duck")
        leave(second)
    kept = sorted(path.name for path in (project.parent / "home").rglob("drafts/*"))
    assert [name[32:] for name in kept] == [".1.txt", ".txt"]


def test_what_was_put_aside_survives_a_kill_in_its_order(project: Path) -> None:
    with start(project) as host:
        host.read_until("Type first:")
        for text in (b"seven swans", b"nine geese"):
            host.send(text + CTRL_T)
        host.read_until("2 put aside")
        host.send(b"a duck" + CTRL_F)
        wait_for(host, project, b'"text":"/search ","aside":["seven swans","nine geese","a duck"]')
        host.signal(signal.SIGKILL)
        host.wait()
    with start(project) as host:
        host.read_until("/search")
        for text in ("a duck", "nine geese", "seven swans"):
            host.send(CTRL_U + CTRL_T)
            host.read_until(text)
        leave(host)
