"""What code carries over a compaction: the user's words, files, errors, names, things to do, found in the entries."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from diligent_tui.compaction.error_lines import error_lines
from diligent_tui.compaction.names import is_list, names_in, texts_in
from diligent_tui.compaction.touches import deed_of, touches_of
from diligent_tui.domain.entries import Entry, MessageEntry, SteeringEntry
from diligent_tui.domain.json_objects import JsonObject, is_object
from diligent_tui.domain.messages import (
    AssistantMessage,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
    text_of,
)

TODO_LISTS = ("items", "todos")
TODO_TEXTS = ("text", "content", "title")
TODO_STATES = ("state", "status")
DONE_STATES = frozenset({"done", "completed", "cancelled"})
MOST_NAMES = 150
_NO_ARGUMENTS: JsonObject = {}


@dataclass(frozen=True, slots=True)
class Words:
    """Something the user said, as it was said."""

    entry_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """A line of an error and the entry it was in; `is_open` until the same deed succeeds."""

    entry_id: str
    text: str
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a stretch of conversation, each oldest first; files in the order of their last touch."""

    words: tuple[Words, ...] = ()
    changed: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    errors: tuple[ErrorLine, ...] = ()
    todo: tuple[str, ...] | None = None
    """What is still to do, with its sign; None if no list was kept."""
    done: tuple[str, ...] = ()
    """What the list says is done."""
    names: tuple[str, ...] = ()
    """Names out of programs that the agent itself said or wrote, those it used most last."""


@dataclass(slots=True)
class _Gathering:
    words: dict[str, Words] = field(default_factory=dict[str, Words])
    changed: dict[str, None] = field(default_factory=dict[str, None])
    read: dict[str, None] = field(default_factory=dict[str, None])
    errors: dict[str, ErrorLine] = field(default_factory=dict[str, ErrorLine])
    """By the line itself."""
    open_lines: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By the deed that failed."""
    calls: dict[str, ToolCallBlock] = field(default_factory=dict[str, ToolCallBlock])
    todo: tuple[str, ...] | None = None
    done: tuple[str, ...] = ()
    names: Counter[str] = field(default_factory=Counter[str])
    """In how many answers each was used; the newest stands last."""

    def take(self, entry: Entry) -> None:
        match entry:
            case MessageEntry(message=UserMessage() as message):
                self._take_words(entry.id, text_of(message.content))
            case SteeringEntry():
                self._take_words(entry.id, entry.message)
            case MessageEntry(message=AssistantMessage() as message):
                self.calls.update((call.id, call) for call in message.tool_calls)
                self._take_names(message)
            case MessageEntry(message=ToolResultMessage() as message):
                self._take_result(entry.id, message)
            case _:
                pass

    def _take_words(self, entry_id: str, text: str) -> None:
        if text.strip():
            # Said twice, it counts where it was said last.
            self.words.pop(text.strip(), None)
            self.words[text.strip()] = Words(entry_id, text.strip())

    def _take_names(self, message: AssistantMessage) -> None:
        written = [text for call in message.tool_calls for text in texts_in(call.input)]
        for name in names_in("\n".join([message.text, *written])):
            self.names[name] = self.names.pop(name, 0) + 1

    def _take_result(self, entry_id: str, message: ToolResultMessage) -> None:
        call = self.calls.pop(message.tool_call_id, None)
        name, arguments = (call.name, call.input) if call else (message.tool_name, _NO_ARGUMENTS)
        touched = touches_of(name, arguments)
        deed = deed_of(name, arguments)
        # A chain of commands may have changed a file before it failed.
        if not message.is_error or "command" in arguments:
            for path in touched.changed:
                self._touch(path, self.changed)
        if not message.is_error:
            for path in touched.read:
                self._touch(path, self.read)
            self._take_todo(name, arguments)
        is_failure = message.is_error and not touched.only_looks
        looks_for_errors = message.is_error or not touched.only_looks
        lines = error_lines(text_of(message.output), is_failure=is_failure) if looks_for_errors else ()
        if looks_for_errors:
            self._close(deed)
            self.open_lines[deed] = list(lines)
        for line in lines:
            self.errors.pop(line, None)
            self.errors[line] = ErrorLine(entry_id, line)

    def _touch(self, path: str, files: dict[str, None]) -> None:
        files.pop(path, None)
        files[path] = None

    def _close(self, deed: str) -> None:
        """The same thing was tried again: what it says now counts, and not what it said before."""
        for line in self.open_lines.pop(deed, ()):
            self.errors[line] = ErrorLine(self.errors[line].entry_id, line, is_open=False)

    def _take_todo(self, name: str, arguments: JsonObject) -> None:
        if "todo" in name.lower():
            items = list(_todo_items(arguments))
            self.todo = tuple(text for text, is_done in items if not is_done)
            self.done = tuple(text for text, is_done in items if is_done)


def facts_of(entries: Iterable[Entry], later: Iterable[Entry] = (), kept_ids: Collection[str] = ()) -> Facts:
    """The facts of covered entries; `later` ones only say what is settled by now, `kept_ids` stand verbatim anyway.

    A list of things to do that was kept in `later` is not repeated.
    """
    found = _Gathering()
    for entry in entries:
        found.take(entry)
    words, changed, read = tuple(found.words.values()), dict(found.changed), tuple(found.read)
    lines, todo, names = tuple(found.errors), found.todo, _by_use(found.names)
    found.todo = None
    for entry in later:
        found.take(entry)
    return Facts(
        words=tuple(said for said in words if said.entry_id not in kept_ids),
        changed=tuple(changed),
        read=tuple(path for path in read if not any(same == path or same.endswith(f"/{path}") for same in changed)),
        errors=tuple(found.errors[line] for line in lines),
        todo=todo if found.todo is None else None,
        done=found.done,
        names=names,
    )


def joined(earlier: Facts, newer: Facts, most_files: int) -> Facts:
    """Facts of two stretches, one behind the other; lists of files keep the newest so many."""
    said = {words.text: words for words in earlier.words}
    for words in newer.words:
        said.pop(words.text, None)
        said[words.text] = words
    errors = {error.text: error for error in earlier.errors}
    for error in newer.errors:
        errors.pop(error.text, None)
        errors[error.text] = error
    changed = _in_last_order(earlier.changed, newer.changed)
    read = [path for path in _in_last_order(earlier.read, newer.read) if path not in set(changed)]
    return Facts(
        words=tuple(said.values()),
        changed=tuple(changed[-most_files:]),
        read=tuple(read[-most_files:]),
        errors=tuple(errors.values()),
        todo=newer.todo if newer.todo is not None else earlier.todo,
        done=newer.done or earlier.done,
        names=tuple(_in_last_order(earlier.names, newer.names)[-MOST_NAMES:]),
    )


def _by_use(names: Counter[str]) -> tuple[str, ...]:
    """The names used most, those last; among equals the newest last."""
    return tuple(sorted(names, key=lambda name: names[name])[-MOST_NAMES:])


def _in_last_order(earlier: tuple[str, ...], newer: tuple[str, ...]) -> list[str]:
    return [path for path in earlier if path not in set(newer)] + list(newer)


def _todo_items(arguments: JsonObject) -> Iterator[tuple[str, bool]]:
    """Text and whether it is done, of a list that a call to a todo tool carries."""
    for item in _objects(arguments):
        text, state = _first_text(item, TODO_TEXTS), _first_text(item, TODO_STATES)
        if text.strip():
            yield " ".join(text.split()), state in DONE_STATES


def _objects(arguments: JsonObject) -> Iterator[JsonObject]:
    for key in TODO_LISTS:
        value = arguments.get(key)
        if is_list(value):
            yield from filter(is_object, value)


def _first_text(item: JsonObject, keys: Iterable[str]) -> str:
    for key in keys:
        value = item.get(key)
        if isinstance(value, str):
            return value
    return ""
