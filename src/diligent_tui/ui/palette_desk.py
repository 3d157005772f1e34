"""What the palette offers of the session that is open, and what is done with what was chosen."""

from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from diligent_tui.config.model_list import offers
from diligent_tui.domain.errors import StorageError
from diligent_tui.domain.knowledge import KnowledgeEntry
from diligent_tui.domain.speech import speech_of
from diligent_tui.domain.times import now
from diligent_tui.session.shelf import Shelf
from diligent_tui.ui import format as fmt
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import commands_now, shown_key
from diligent_tui.ui.core import Core
from diligent_tui.ui.panes.knowledge import KnowledgePane
from diligent_tui.ui.screens.main import MainScreen
from diligent_tui.ui.screens.palette import Kind, Source, Thing
from diligent_tui.ui.widgets.completion.file_index import FileIndex
from diligent_tui.ui.widgets.completion.mention import written

if TYPE_CHECKING:
    from diligent_tui.ui.knowledge_desk import KnowledgeTravel
    from diligent_tui.ui.model_choice import ModelChooser
    from diligent_tui.ui.travel import Travel

SPOKEN = ("user", "assistant", "summary", "branch summary", "note")
"""Whose words are listed; results of tools are found by /recall."""
Go = Callable[["Coroutine[object, object, None]"], object]


def commands(keymap: Mapping[str, str] = OUR_KEYS) -> Iterator[Thing]:
    """The commands that hold everywhere, in their order; there before the session is."""
    for command in commands_now(keymap, "everywhere"):
        if command.action and command.id != "palette":
            yield Thing("command", command.action, command.title, shown_key(command), command.help)


class PaletteDesk:
    """Reads what there is, and goes where the user chose."""

    def __init__(
        self,
        core: Core,
        main: MainScreen,
        travel: "Travel",
        knowledge: "KnowledgeTravel",
        chooser: "ModelChooser",
        go: Go,
        keymap: Mapping[str, str] = OUR_KEYS,
    ) -> None:
        """`go` runs what takes its time and may ask; `keymap` has the user's own keys."""
        self._core = core
        self._main = main
        self._travel = travel
        self._knowledge = knowledge
        self._chooser = chooser
        self._go = go
        self._keymap = keymap
        self._paths: dict[str, Path] = {}
        self._facts: dict[str, KnowledgeEntry] = {}

    def sources(self) -> dict[Kind, Source]:
        """Where things come from, in the order in which they are shown; each is asked in a thread."""
        return {
            "command": partial(commands, self._keymap),
            "session": self._sessions,
            "entry": self._entries,
            "knowledge": self._kept,
            "file": self._files,
            "model": self._models,
        }

    def act(self, thing: Thing) -> None:
        """Go there, or put it into the prompt."""
        match thing.kind:
            case "session":
                self._go(self._travel.go_to(self._paths[thing.id]))
            case "entry" if self._core.chat.go_to_entry(thing.id):
                self._core.chat.focus()
            case "entry":
                self._knowledge.show_origin(thing.id)
            case "knowledge":
                self._main.show("knowledge")
                self._main.query_one(KnowledgePane).go_to(self._facts[thing.id])
            case "file":
                self._main.prompt.insert_word(written(thing.id))
                self._main.prompt.focus()
            case "model":
                self._go(self._chooser.choose(thing.id))
            case "command":
                pass

    def _sessions(self) -> Iterator[Thing]:
        house = self._core.ground.house
        if not house.sessions_are_known:
            return
        shelf = Shelf(house.places.sessions)
        for file in shelf.files():
            try:
                summary = shelf.summary(file)
            except StorageError:
                continue
            self._paths[summary.id] = summary.path
            yield Thing("session", summary.id, summary.title, fmt.age((now() - summary.changed).total_seconds()))

    def _entries(self) -> Iterator[Thing]:
        session = self._core.session
        if session is None:
            return
        store = session.store
        for entry_id in reversed(list(store.tree.nodes)):
            try:
                speech = speech_of(store.read(entry_id))
            except (KeyError, StorageError):
                continue
            if speech.who in SPOKEN and speech.words.strip():
                yield Thing("entry", entry_id, speech.words, speech.who)

    def _kept(self) -> Iterator[Thing]:
        session = self._core.session
        if session is None:
            return
        live = [known.entry for known in session.knowledge.overview().live]
        for entry in sorted(live, key=lambda each: each.moment, reverse=True):
            self._facts[entry.id] = entry
            yield Thing("knowledge", entry.id, entry.content, entry.type)

    def _files(self) -> Iterator[Thing]:
        places = self._core.ground.house.places
        index = FileIndex(places.root, places.cwd)
        index.walk()
        yield from map(_file, index.names.paths)

    def _models(self) -> Iterator[Thing]:
        house = self._core.ground.house
        for offer in offers(house.settings, house.environ):
            yield Thing("model", offer.model.id, offer.model.id, offer.key.words)


def _file(path: str) -> Thing:
    return Thing("file", path, path)
