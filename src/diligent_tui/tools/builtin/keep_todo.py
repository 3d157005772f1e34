"""The tool `todo`: the model's list of things to do. It lives in the session as this tool's newest result."""

from dataclasses import dataclass, field

from diligent_tui.domain.errors import ToolError
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.modes import Mode
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.arguments import known_only, object_list, optional_text, required_text
from diligent_tui.tools.base import Call, Outcome, Verdict, Workplace
from diligent_tui.tools.permissions import ALLOWED
from diligent_tui.tools.specs import keep_todo_spec
from diligent_tui.tools.todo_list import STATES, TodoItem, write_todo

MOST_ITEMS = 100
LONGEST_ITEM_CHARS = 500


@dataclass(frozen=True, slots=True)
class KeepTodo:
    """Replaces the list as a whole."""

    spec: ToolSpec = field(default_factory=keep_todo_spec)
    read_only: bool = False
    """Two lists of one answer must come in order, so they are not run together."""

    def subject(self, arguments: JsonObject) -> str:
        """How many items, and how many of them are done."""
        try:
            items = _items(arguments)
        except ToolError:
            return ""
        done = sum(item.state == "done" for item in items)
        return f"{done} of {len(items)} done"

    def judge(self, arguments: JsonObject, mode: Mode, workplace: Workplace) -> Verdict:
        """Free in every mode: nothing is touched."""
        _items(arguments)
        return ALLOWED

    async def run(self, arguments: JsonObject, call: Call) -> Outcome:
        """Say the list back as it now is."""
        return Outcome(write_todo(_items(arguments)))


def _items(arguments: JsonObject) -> list[TodoItem]:
    known_only(arguments, ("items",))
    given = object_list(arguments, "items", "give the whole list, each item with `text` and `state`")
    if len(given) > MOST_ITEMS:
        raise ToolError(f"`items` has {len(given):,} items: at most {MOST_ITEMS} are kept. Join small ones.")
    return [_item(each) for each in given]


def _item(given: JsonObject) -> TodoItem:
    known_only(given, ("text", "state"))
    text = " ".join(required_text(given, "text", "each item says what to do").split())
    if len(text) > LONGEST_ITEM_CHARS:
        raise ToolError(f"An item has {len(text):,} characters: say it in at most {LONGEST_ITEM_CHARS}.")
    state = optional_text(given, "state") or "open"
    for known in STATES:
        if state == known:
            return TodoItem(text, known)
    raise ToolError(f"`state` is one of {', '.join(STATES)}, not {state!r}.")
