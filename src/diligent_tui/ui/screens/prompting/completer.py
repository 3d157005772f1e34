"""Completes the word under the cursor: commands at once, files as a thread finds them."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from diligent_tui.config.file_uses import add_use, load_uses
from diligent_tui.config.paths import Places
from diligent_tui.domain.errors import StorageError
from diligent_tui.ui.key_line import Hint
from diligent_tui.ui.widgets.completion.choices import Choice, Choices
from diligent_tui.ui.widgets.completion.file_index import FileIndex, FoundFiles
from diligent_tui.ui.widgets.completion.mention import Mention, written
from diligent_tui.ui.widgets.completion.slash_rows import SlashWords

MOST_FILES_SHOWN = 50
LOOK_AGAIN_SECONDS = 0.2
"""So often what was found so far is shown while a walk goes on."""
INSERTING_KEYS = (("tab", "insert"), ("esc", "close"))
COMMAND_KEYS = (("⏎", "run"), *INSERTING_KEYS)
GUESS_KEYS = (("⏎", "insert"), ("esc", "close"))
"""For a command that merely has the letters somewhere: it is not run before it was seen."""


@dataclass(slots=True)
class Completer:
    """Knows what could stand in the place of a word; `show` is told as soon as there is something to see."""

    places: Places
    words: SlashWords
    show: Callable[[Mention, Choices], None]
    uses: Mapping[str, float] | None = None
    index: FileIndex = field(init=False)
    _walking: asyncio.Task[None] | None = None
    _searching: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        """Nothing is read yet."""
        self.index = FileIndex(self.places.root, self.places.cwd)

    def look_up(self, mention: Mention) -> None:
        """Find what a word could be, and show it."""
        if mention.kind != "file":
            self.show(mention, self.at_once(mention))
            return
        if self._searching is not None:
            self._searching.cancel()
        if self.index.is_stale and (self._walking is None or self._walking.done()):
            self._walking = asyncio.create_task(asyncio.to_thread(self.index.walk))
        self._searching = asyncio.create_task(self._search(mention))

    def at_once(self, mention: Mention) -> Choices:
        """What a word could be, found while one waits: for a key that chooses before the thread is done."""
        if mention.kind == "file":
            return _files(mention, self.index.search(mention.typed, self.uses or {}, MOST_FILES_SHOWN))
        rows = self.words.rows(mention)
        return Choices(rows, mention.typed, keys=_keys(mention, rows))

    def text_of(self, mention: Mention, choice: Choice) -> str:
        """What is written in the place of the word."""
        match mention.kind:
            case "file" if choice.is_open_ended:
                # A quote stays open until a file is chosen.
                return written(choice.value).removesuffix('"')
            case "file":
                return f"{written(choice.value)} "
            case "command":
                return f"/{choice.value} "
            case "argument":
                return f"{choice.value} "

    async def count(self, path: str) -> None:
        """Remember that a file was chosen, so that it is found sooner next time."""
        now = time.time()
        self.uses = {**(self.uses or {}), path: (self.uses or {}).get(path, 0.0) + 1.0}
        try:
            await asyncio.to_thread(add_use, self.places.user_state, self.places.root, path, now)
        except StorageError:
            # Nothing that anybody wrote is lost by it, and the order holds until the app ends.
            return

    async def close(self) -> None:
        """End what runs."""
        self.index.stop()
        tasks = [task for task in (self._searching, self._walking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _search(self, mention: Mention) -> None:
        if self.uses is None:
            places = self.places
            self.uses = await asyncio.to_thread(load_uses, places.user_state, places.root, time.time())
        walking = self._walking
        while walking is not None and not walking.done():
            await self._show_found(mention, is_walking=True)
            await asyncio.wait([walking], timeout=LOOK_AGAIN_SECONDS)
        await self._show_found(mention, is_walking=False)

    async def _show_found(self, mention: Mention, *, is_walking: bool) -> None:
        found = await asyncio.to_thread(self.index.search, mention.typed, self.uses or {}, MOST_FILES_SHOWN)
        choices = _files(mention, found)
        self.show(mention, replace(choices, note=f"reading… {choices.note}") if is_walking else choices)


def is_begun(mention: Mention, choice: Choice) -> bool:
    """Whether what was typed is the beginning of the choice, and not a guess."""
    return choice.value.startswith(mention.typed)


def _keys(mention: Mention, rows: Sequence[Choice]) -> Sequence[Hint]:
    if mention.kind != "command":
        return INSERTING_KEYS
    return COMMAND_KEYS if rows and is_begun(mention, rows[0]) else GUESS_KEYS


def _files(mention: Mention, found: FoundFiles) -> Choices:
    rows = tuple(Choice(path, path, is_open_ended=path.endswith("/")) for path in found.paths)
    listed = f"{len(rows):,} of " if len(rows) < found.known_count else ""
    return Choices(rows, mention.typed, keys=INSERTING_KEYS, note=f"{listed}{found.known_count:,} files and folders")
