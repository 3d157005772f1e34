"""Two branches side by side: where they part and what each did since, with a key to go to either."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diligent_tui.agent.comparison import BranchSide, Comparison
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.ui import format as fmt
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.markdown.bare import bare_words

NARROW_COLUMNS = 90
MOST_LISTED = 40
LINE_CHARS = 200
NAME_CHARS, ID_CHARS = 40, 16
ANCESTOR_CHARS = 300
KEYS = (("1 2", "go to that branch"), ("esc", "close"))


class ComparisonScreen(ModalScreen[Literal["left", "right"] | None]):
    """Two columns, or one above the other where it is narrow; 1 and 2 go there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "go('left')", "Go to the first", show=False),
        Binding("2", "go('right')", "Go to the second", show=False),
        Binding("escape,q,enter", "go('')", "Close", show=False),
    ]

    def __init__(self, comparison: Comparison) -> None:
        """What to show."""
        super().__init__()
        self._comparison = comparison

    def compose(self) -> ComposeResult:
        """One box with two sides."""
        known = self._comparison
        with Vertical(id="comparison", classes="dialog"):
            yield Static(Content.styled("Two branches", "bold $accent"), markup=False)
            yield Static(_shared(known), id="comparison-shared", markup=False)
            with VerticalScroll(id="comparison-body"), Container(id="comparison-sides"):
                yield Static(_side("1", known.left, known.right), classes="comparison-side", markup=False)
                yield Static(_side("2", known.right, known.left), classes="comparison-side", markup=False)
            yield Static(render_keys(KEYS), markup=False)

    def on_resize(self) -> None:
        """Narrow screens show one side below the other."""
        self.set_class(self.size.width < NARROW_COLUMNS, "-narrow")

    def action_go(self, side: Literal["left", "right", ""]) -> None:
        """Close, and say where to go."""
        self.dismiss(side or None)


def _shared(known: Comparison) -> Content:
    if known.ancestor_id is None:
        return Content.styled("They share nothing: each begins on its own.", "$dim")
    shared = "1 entry" if known.shared_entries == 1 else f"{known.shared_entries:,} entries"
    text = clean_line(bare_words(_first_line(known.ancestor_text)), ANCESTOR_CHARS)
    named = f"“{text}”" if text else clean_line(known.ancestor_id, ID_CHARS)
    return Content.assemble((f"They share {shared}, up to ", "$dim"), named)


def _side(number: str, side: BranchSide, other: BranchSide) -> Content:
    entries = "1 entry" if side.entries == 1 else f"{side.entries:,} entries"
    figures = f"{entries} · {fmt.tokens(side.tokens)} tokens · {fmt.money(side.cost)}"
    name = clean_line(_first_line(side.name), NAME_CHARS)
    leaf = clean_line(side.leaf_id or "–", ID_CHARS)
    head = ((name, "bold"), (f"  {leaf}", "$dim")) if name else ((leaf, "bold"),)
    return Content("\n").join(
        [
            Content.assemble((f"{number}  ", "bold $accent"), *head),
            Content.styled(figures, "$dim"),
            *_list("Prompts", side.prompts, (), "› "),
            *_list("Changed", side.files_changed, other.files_changed, ""),
            *_list("Read", side.files_read, other.files_read, ""),
        ]
    )


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _list(title: str, items: Sequence[str], others: Sequence[str], mark: str) -> list[Content]:
    """A titled list; what the other side has too is dim, and says so by its sign."""
    if not items:
        return [Content(""), Content.assemble((f"{title}  ", "bold"), ("none", "$dim"))]
    rows = [Content(""), Content.assemble((f"{title}  ", "bold"), (str(len(items)), "$dim"))]
    shared = frozenset(others)
    for item in items[:MOST_LISTED]:
        sign = mark or ("= " if item in shared else "+ ")
        rows.append(Content.assemble((sign, "$dim"), (clean_line(item, LINE_CHARS), "$dim" if item in shared else "")))
    if len(items) > MOST_LISTED:
        rows.append(Content.styled(f"… {len(items) - MOST_LISTED:,} more", "$dim"))
    return rows
