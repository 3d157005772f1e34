"""The book of pictures: every pane and screen is in it, and every state in each size, dark and light."""

import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from textual.screen import Screen
from textual.widget import Widget

import diligent_tui.ui.panes
import diligent_tui.ui.screens
from tests.ui.accepted import PICTURES as ACCEPTED
from tests.ui.album import BOTH, SIZES

PICTURES = ACCEPTED / "ui"
LOOK = re.compile(r"(?P<state>.*?) ?(?P<columns>\d+)x(?P<rows>\d+)-(?P<theme>dark|light|ansi)\]\.svg")
LOOKS = frozenset((*size, theme) for size in SIZES for theme in BOTH)
BOOK: Mapping[str, str] = MappingProxyType(
    {
        "ChartsScreen": "test_charts_pictures/test_charts[",
        "ChatPane": "test_pane_pictures/test_alone_on_the_screen[chat",
        "ChoiceScreen": "test_working_pictures/test_how_a_session_is_to_be_exported[",
        "ComparisonScreen": "test_tree_pictures/test_comparison[",
        "ContextPane": "test_context_pictures/test_context[",
        "ContextScreen": "test_context_pictures/test_context_at_an_entry[",
        "HelpScreen": "test_pictures/test_help[",
        "KnowledgePane": "test_knowledge_pictures/test_many[",
        "LeaveBranchScreen": "test_tree_pictures/test_leaving_a_branch[",
        "MainScreen": "test_pane_pictures/test_before_anything_was_said[chat",
        "ModelPicker": "screens/test_model_picker/test_picture[",
        "PaletteScreen": "test_palette_pictures/test_results_of_each_kind[",
        "PermissionScreen": "test_permission_pictures/test_diff[",
        "PreviewScreen": "test_memory_pictures/test_preview_with_a_moved_cut[",
        "RecallScreen": "test_recall_pictures/test_some_hits[",
        "RestoreScreen": "test_restore_pictures/test_preview[",
        "RewriteScreen": "test_memory_pictures/test_two_summaries_to_choose_from[",
        "SessionTreePane": "test_tree_pictures/test_branches[",
        "SessionsScreen": "test_sessions_pictures/test_a_few[",
        "SummarisingScreen": "test_tree_pictures/test_summarising[",
        "SummaryPane": "test_memory_pictures/test_finished[",
        "ToolsPane": "test_tools_pictures/test_finished[",
        "TracePane": "test_trace_pictures/test_trace[",
        "TrustScreen": "test_trust_pictures/test_many[",
        "WorkingScreen": "test_working_pictures/test_a_box_while_a_session_is_exported[",
    }
)
"""Where each pane and screen is seen best: the beginning of its pictures' names."""
ONLY_NARROW = frozenset(
    {
        "test_charts_pictures/test_the_rest_of_a_small_screen[",
        "test_charts_pictures/test_the_end_of_a_small_screen[",
    }
)
"""States that only a small screen has."""


def classes() -> Iterator[type[Widget]]:
    """All panes and screens of the product that are shown as they are."""
    for package in (diligent_tui.ui.panes, diligent_tui.ui.screens):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for value in vars(module).values():
                if isinstance(value, type) and value.__module__ == info.name and issubclass(value, Widget):
                    yield value


def is_whole(kind: type[Widget]) -> bool:
    """True for a screen, and for a pane of the main screen, which is made of lesser things."""
    is_pane = kind.__module__.startswith(diligent_tui.ui.panes.__name__) and kind.__name__.endswith("Pane")
    return is_pane or issubclass(kind, Screen)


def states() -> dict[str, set[tuple[int, int, str]]]:
    """The looks there are of each state."""
    found: dict[str, set[tuple[int, int, str]]] = defaultdict(set)
    for path in PICTURES.rglob("*.svg"):
        if match := LOOK.fullmatch(str(path.relative_to(PICTURES))):
            found[match["state"]].add((int(match["columns"]), int(match["rows"]), match["theme"]))
    return found


def test_every_pane_and_screen_is_in_the_book() -> None:
    assert {kind.__name__ for kind in classes() if is_whole(kind)} == BOOK.keys()


def test_every_page_of_the_book_has_all_looks() -> None:
    known = states()
    lacking = {name: LOOKS - known.get(state, set()) for name, state in BOOK.items()}
    assert {name: looks for name, looks in lacking.items() if looks} == {}


def test_every_state_is_seen_in_each_size_dark_and_light() -> None:
    """States that are pictured for a theme of few colours, or for the smallest screen, are pictured for that alone."""
    lacking = {
        state: sorted(LOOKS - looks)
        for state, looks in states().items()
        if looks & LOOKS and state not in ONLY_NARROW and len(looks & LOOKS) > 1 and LOOKS - looks
    }
    assert lacking == {}
