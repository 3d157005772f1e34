"""A screen with the knowledge pane on it, over a real desk on files in a folder; errands are carried out."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from diligent_tui.agent.conversation import Conversation
from diligent_tui.agent.hub import Hub
from diligent_tui.agent.knowledge_desk import KnowledgeDesk
from diligent_tui.agent.saving import Saver
from diligent_tui.compaction.summary_requests import Candidate
from diligent_tui.domain.entries import MessageEntry, SessionHeader
from diligent_tui.domain.events import Event
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.knowledge import (
    KnowledgeAuthor,
    KnowledgeEntry,
    KnowledgeLine,
    KnowledgePolicy,
    KnowledgeScope,
    KnowledgeType,
    encode_knowledge,
)
from diligent_tui.domain.messages import AssistantMessage, TextBlock, ToolCallBlock, UserMessage
from diligent_tui.domain.times import to_stamp
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import Inbox
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore
from diligent_tui.session.store import SessionStore
from diligent_tui.storage.jsonl import encode_line
from diligent_tui.ui.knowledge_desk import KnowledgeErrands
from diligent_tui.ui.opening import ThemeName
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.panes.knowledge.origins import Talk
from tests.ui.panes.pane_stage import PaneApp

NOW = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)
SESSION = "20260304100000-abc123"
WINDOW_TOKENS = 200_000
Line = KnowledgeLine | JsonObject | bytes
# Said here, so that other defaults are not another picture.
POLICY = KnowledgePolicy(
    half_life_days={"pattern": 30.0, "decision": 30.0, "discovery": 30.0, "preference": 90.0, "correction": 90.0},
    type_weights={"pattern": 1.0, "decision": 1.0, "discovery": 0.8, "preference": 1.3, "correction": 1.5},
)
NO_MORE_PAUSES = 400


def fact(
    entry_id: str,
    content: str,
    kind: KnowledgeType = "pattern",
    *,
    days: float = 0.0,
    confidence: float = 0.8,
    tags: Sequence[str] = (),
    supersedes: str | None = None,
    pinned: bool = False,
    scope: KnowledgeScope = "project",
    origin: str | None = None,
    session: str = SESSION,
    author: KnowledgeAuthor | None = None,
) -> KnowledgeEntry:
    """A fact of so many days ago; `origin` is an entry of a session."""
    return KnowledgeEntry(
        id=entry_id,
        timestamp=to_stamp(NOW - timedelta(days=days)),
        type=kind,
        content=content,
        confidence=confidence,
        tags=tuple(tags),
        supersedes=supersedes,
        pinned=pinned,
        scope=scope,
        session_id=session if origin else None,
        entry_id=origin,
        author=author,
    )


FEW = (
    fact(
        "k-test",
        "tests run with make test",
        "correction",
        days=0.01,
        origin="a2",
        supersedes="k-pytest",
        author="user",
    ),
    fact("k-pytest", "tests run with pytest", "pattern", days=9, tags=("tests",), origin="p1", author="model"),
    fact("k-short", "answer in short sentences", "preference", days=4, scope="user", pinned=True),
    fact("k-jsonc", "settings are JSONC, not TOML", "decision", days=1, tags=("settings", "format")),
    fact("k-store", "stores are append-only; a change is a line of its own", days=6, tags=("storage",)),
    fact("k-cores", "CI has two cores", "discovery", days=60, confidence=0.5, tags=("ci", "tests")),
    fact("k-gone", "the docs are in wiki/", "discovery", days=20),
)
RETRACTED: JsonObject = {"op": "retract", "id": "c1", "targetId": "k-gone", "timestamp": to_stamp(NOW)}
CANDIDATES = (
    Candidate("pattern", "Migrations are numbered by hand, never by date.", ("p2",)),
    Candidate("preference", "The user wants each commit to hold one idea, with its reason in the body.", ("p1",)),
)
_SUBJECTS = ("loader", "cache", "parser", "session file", "queue", "renderer", "lock", "snapshot", "budget", "scroll")
_FACTS = (
    "the {0} is rebuilt from its lines and never patched in place, since two processes may write it (part {1})",
    "a change to the {0} needs the test table in part {1} to be extended first, then the code",
    "the {0} of part {1} costs more than it seems: measure it before and after, on a cold start",
    "names in the {0} carry their units, such as age_days or budget_tokens; part {1} still has two without",
)
_TYPES: tuple[KnowledgeType, ...] = ("pattern", "decision", "discovery", "preference", "correction")


def many(count: int = 400) -> list[KnowledgeEntry]:
    """More than the budget holds."""
    return [
        fact(
            f"m{number:04}",
            _FACTS[number % 4].format(_SUBJECTS[number % 10], number),
            _TYPES[number % 5],
            days=number / 4,
            confidence=0.5 + (number * 7 % 50) / 100,
            tags=(_SUBJECTS[number % 10].split()[0],),
            scope="user" if number % 9 == 4 else "project",
            pinned=number in (3, 40),
        )
        for number in range(count)
    ]


class KnowledgeApp(PaneApp[KnowledgePane]):
    """A screen with the knowledge of a folder; the clock of the pane stands still."""

    def __init__(
        self,
        folder: Path,
        lines: Iterable[Line] = (),
        candidates: Sequence[Candidate] = (),
        theme: ThemeName = "dark",
        prepare: Callable[["KnowledgeApp"], None] = lambda _: None,
    ) -> None:
        super().__init__(theme)
        self.folder = folder
        self.hub = Hub()
        self.pane = KnowledgePane(clock=lambda: NOW)
        self._candidates = candidates
        self._prepare = prepare
        write_lines(folder, lines)
        stores = [KnowledgeStore(_file(folder, scope), scope, clock=lambda: NOW) for scope in ("project", "user")]
        files = KnowledgeFiles(
            KnowledgeShelf(*stores), Inbox(folder / "p" / ".diligent" / "inbox.jsonl", clock=lambda: NOW)
        )
        store = SessionStore.create(folder / "sessions", SessionHeader(id=SESSION, timestamp=to_stamp(NOW), cwd="/x"))
        self.conversation = Conversation(store, Saver(store, self.hub, may_wait=False), lambda: NOW)
        self.desk = KnowledgeDesk(files, POLICY, self.hub, self.conversation, lambda: WINDOW_TOKENS)
        self.errands = KnowledgeErrands(self.pane, lambda: self.desk)
        self.heard: list[Event] = []
        self.is_ready = False

    async def on_mount(self) -> None:
        await self.say("p1", UserMessage(content="how do the tests run?"))
        await self.say("a1", AssistantMessage(content=(TextBlock(text="With pytest."),)))
        await self.say("p2", UserMessage(content="use make test, always; pytest alone misses the fixtures"))
        call = ToolCallBlock(id="c1", name="add_knowledge", input={"content": "tests run with make test"})
        await self.say("a2", AssistantMessage(content=(call,)))
        self.hub.subscribe(self._hear)
        if self._candidates:
            await self.desk.propose(self._candidates)
        self._prepare(self)
        store = self.conversation.store
        self.pane.read_from(self.desk, Talk(SESSION, store.tree, store.read))
        self.is_ready = True

    async def say(self, entry_id: str, message: UserMessage | AssistantMessage) -> None:
        """Let the session grow."""
        await self.conversation.add(MessageEntry(message=message), entry_id)

    async def on_unmount(self) -> None:
        await self.conversation.store.close()

    def _hear(self, event: Event) -> None:
        self.heard.append(event)
        self.pane.take([event])

    def on_knowledge_pane_wished(self, message: KnowledgePane.Wished) -> None:
        self.wishes.append(message)
        self.run_worker(self.errands.do(message.deed, message.ids), group="errand")

    def on_knowledge_pane_filled(self, message: KnowledgePane.Filled) -> None:
        self.wishes.append(message)
        self.run_worker(self.errands.save(message.purpose, message.draft, message.targets), group="errand")

    def on_knowledge_pane_to_chat(self, message: KnowledgePane.ToChat) -> None:
        self.wishes.append(message)

    def on_knowledge_pane_learnt(self, message: KnowledgePane.Learnt) -> None:
        self.wishes.append(message)

    def on_knowledge_pane_copy_requested(self, message: KnowledgePane.CopyRequested) -> None:
        self.wishes.append(message)


def write_lines(folder: Path, lines: Iterable[Line]) -> None:
    """Put lines into the knowledge files as others would have written them."""
    for line in lines:
        scope: KnowledgeScope = line.scope if isinstance(line, KnowledgeEntry) else "project"
        path = _file(folder, scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        match line:
            case bytes():
                data = line
            case dict():
                data = encode_line(line)
            case _:
                data = encode_line(encode_knowledge(line))
        with path.open("ab") as file:
            file.write(data)


def _file(folder: Path, scope: KnowledgeScope) -> Path:
    return folder / ("p/.diligent" if scope == "project" else "u") / "knowledge" / "knowledge.jsonl"


async def settled(pilot: Pilot[None]) -> None:
    """Wait until all is read, looked up and painted."""
    app = pilot.app
    assert isinstance(app, KnowledgeApp)
    for _ in range(NO_MORE_PAUSES):
        await pilot.pause()
        if app.is_ready and all(worker.is_finished for worker in app.workers):
            break
        await asyncio.sleep(0.005)
    await pilot.pause()
    await pilot.pause()


def shown(app: KnowledgeApp) -> list[str]:
    """The rows of the list on screen as text."""
    rows = app.pane.rows
    return [text for y in range(rows.size.height) if (text := rows.render_line(y).text.rstrip())]


def told(app: KnowledgeApp) -> str:
    """The details on screen as text."""
    view = app.pane.details
    return "\n".join(view.render_line(y).text.rstrip() for y in range(view.size.height))


def cursor(app: KnowledgeApp) -> str:
    """The id of the entry or candidate under the cursor."""
    pane = app.pane
    return pane.known.entry.id if pane.known else pane.candidate.id if pane.candidate else ""


def text_of(app: KnowledgeApp, widget_id: str) -> str:
    """What a part of the pane says."""
    return str(app.pane.query_one(f"#knowledge-{widget_id}").render())
