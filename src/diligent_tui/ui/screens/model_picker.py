"""Chooses the model and how hard it thinks, and says what a switch would lose before it is made."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from diligent_tui.agent.switching import fitting_level
from diligent_tui.config.model_list import KeyState, Offer, is_meant
from diligent_tui.domain.errors import DiligentError, ModelUnknown
from diligent_tui.domain.models import Model
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.thinking import ThinkingLevel
from diligent_tui.providers.registry import REHEARSAL, find
from diligent_tui.ui import format as fmt
from diligent_tui.ui.key_line import Hint, render_keys
from diligent_tui.ui.screens import model_rows
from diligent_tui.ui.widgets.cursor_row import lit_content
from diligent_tui.ui.widgets.ending_work import EndsItsWork

MOST_QUERY_CHARS = 60
SCROLLBAR_COLUMNS = 1
NO_MATCH = "No match. Write provider/model, or esc shows all."
CHOOSE: Hint = ("⏎", "choose")
CHOOSE_WITHOUT_KEY: Hint = ("⏎", "choose all the same")
THINKING: Hint = ("← →", "thinking")
LOCAL: Hint = ("ctrl+l", "local")

FindLocal = Callable[[], Awaitable[Sequence[Offer]]]
"""Looks for servers on this machine; raises DiligentError if that cannot be done."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What the user chose."""

    model_id: str
    thinking: ThinkingLevel


class ModelPicker(ModalScreen[ModelChoice | None], EndsItsWork[ModelChoice | None]):
    """A list one types into; `losses` says what switching to a model would lose."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", show=False),
        Binding("left", "change_level(-1)", "Think less", show=False),
        Binding("right", "change_level(1)", "Think more", show=False),
        Binding("ctrl+l", "look_for_local", "Local servers", show=False),
        Binding("backspace", "delete", "Delete", show=False),
        Binding("ctrl+u", "clear", "Clear", show=False),
    ]

    def __init__(
        self,
        offers: Sequence[Offer],
        current: Model,
        thinking: ThinkingLevel,
        losses: Callable[[Model], Sequence[str]],
        find_local: FindLocal | None = None,
    ) -> None:
        """Show these models; local servers are looked for only when asked."""
        super().__init__()
        self._offers = _by_provider(offers)
        self._current = current
        self._wanted_level: ThinkingLevel = thinking
        self._losses = losses
        self._find_local = find_local
        self._query = ""
        self._before_search: str | None = None
        self._marked_id: str | None = None
        self._typed: Offer | None = None
        self._note = ""

    def compose(self) -> ComposeResult:
        """One box: what is typed, the list, what is known of the model under the cursor, the keys."""
        with Vertical(id="model-picker"):
            yield Static(id="model-search", markup=False)
            yield OptionList(id="model-list", markup=False)
            yield Static(id="model-details", markup=False)
            yield Static(id="model-keys", markup=False)

    def on_mount(self) -> None:
        """Stand on the model in use."""
        self._fill(self._current.id)
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        """Another width has room for other figures."""
        self._fill(self._highlighted_id())

    def on_key(self, event: events.Key) -> None:
        """Letters go to the search."""
        if event.is_printable and event.character and len(self._query) < MOST_QUERY_CHARS:
            event.stop()
            self._search_for(self._query + event.character)

    def on_paste(self, event: events.Paste) -> None:
        """A name may be pasted."""
        event.stop()
        self._search_for((self._query + clean_line(event.text, MOST_QUERY_CHARS))[:MOST_QUERY_CHARS])

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Mark the model under the cursor and tell all of it."""
        message.stop()
        self._mark_cursor()
        self._show_details()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Choose it."""
        message.stop()
        if offer := self._offer(message.option_id):
            self.dismiss(ModelChoice(offer.model.id, fitting_level(offer.model, self._wanted_level)))

    def action_back(self) -> None:
        """Leave the search, then the picker."""
        if self._query:
            self._search_for("")
        else:
            self.dismiss(None)

    def action_delete(self) -> None:
        """Take the last letter back."""
        self._search_for(self._query[:-1])

    def action_clear(self) -> None:
        """Take all letters back."""
        self._search_for("")

    def action_change_level(self, step: int) -> None:
        """Think less or more."""
        offer = self._offer(self._highlighted_id())
        levels = offer.model.thinking_levels if offer else ()
        if offer and levels:
            place = levels.index(fitting_level(offer.model, self._wanted_level)) + step
            self._wanted_level = levels[max(0, min(place, len(levels) - 1))]
            self._show_details()

    @work(group="local-servers", exclusive=True)
    async def action_look_for_local(self) -> None:
        """Ask this machine's servers for their models."""
        if self._find_local is None:
            return
        self._tell("looking for servers on this machine …")
        try:
            found = await self._find_local()
        except DiligentError as error:
            self._tell(f"{error.message} {error.advice}")
            return
        known = {offer.model.id for offer in self._offers}
        fresh = [offer for offer in found if offer.model.id not in known]
        self._offers = _by_provider([*self._offers, *fresh])
        self._tell(
            f"{fmt.count(len(found), 'model')} on this machine" if found else "no server answers on this machine"
        )
        self._fill(fresh[0].model.id if fresh else self._highlighted_id())

    def _search_for(self, query: str) -> None:
        if not self._query:
            self._before_search = self._highlighted_id()
        stand_at = self._highlighted_id() if query else self._before_search
        self._query = query
        self._note = ""
        self._fill(stand_at)

    def _fill(self, model_id: str | None) -> None:
        shown = [offer for offer in self._offers if is_meant(offer, self._query.split())] or self._unlisted()
        models = self.query_one(OptionList)
        options: list[Option] = []
        provider = ""
        for offer in shown:
            if offer.model.provider != provider:
                provider = offer.model.provider
                options.append(Option(model_rows.render_heading(offer, is_first=not options), disabled=True))
            options.append(Option(self._render_row(offer), id=offer.model.id))
        if not options:
            options.append(Option(Content.styled(NO_MATCH, "$dim"), disabled=True))
        self._marked_id = None
        models.set_options(options)
        ids = [offer.model.id for offer in shown]
        if ids:
            models.highlighted = models.get_option_index(model_id if model_id in ids else ids[0])
        self._show_search()
        self._mark_cursor()
        self._show_details()

    def _render_row(self, offer: Offer, *, is_under_cursor: bool = False) -> Content:
        columns = self.query_one("#model-picker").content_size.width - SCROLLBAR_COLUMNS
        is_current = offer.model.id == self._current.id
        row = model_rows.render_row(offer, columns, is_current=is_current, is_under_cursor=is_under_cursor)
        return lit_content(row, self) if is_under_cursor else row

    def _mark_cursor(self) -> None:
        """Without colours the mark alone tells where one is."""
        models, here = self.query_one(OptionList), self._highlighted_id()
        if here == self._marked_id:
            return
        for model_id, is_under_cursor in ((self._marked_id, False), (here, True)):
            offer = self._offer(model_id)
            if offer and model_id:
                models.replace_option_prompt(model_id, self._render_row(offer, is_under_cursor=is_under_cursor))
        self._marked_id = here

    def _unlisted(self) -> list[Offer]:
        """The model that the typed name means although it is in no list: its provider may have it all the same."""
        try:
            model = find(self._query)
        except ModelUnknown:
            self._typed = None
            return []
        alike = (offer.key for offer in self._offers if offer.model.provider == model.provider)
        self._typed = Offer(model, next(alike, KeyState("not needed")))
        return [self._typed]

    def _tell(self, note: str) -> None:
        self._note = note
        self._show_search()

    def _show_search(self) -> None:
        hint = "" if self._query else "type to search"
        note = f"  {clean_line(self._note)}" if self._note else ""
        query = clean_line(self._query)
        self.query_one("#model-search", Static).update(
            Content.assemble(("› ", "$accent"), query, (" ", "reverse"), (hint, "$dim"), (note, "$memory"))
        )

    def _show_details(self) -> None:
        offer = self._offer(self._highlighted_id())
        box = self.query_one("#model-details", Static)
        box.display = offer is not None
        self.query_one("#model-keys", Static).update(render_keys(self._hints(offer)))
        if offer is None:
            return
        level = fitting_level(offer.model, self._wanted_level)
        lines = [model_rows.render_details(offer, level)]
        if not offer.key.is_there:
            lines.append(Content.styled(f"No key: {clean_line(offer.key.words)}, then start diligent again.", "$error"))
        losses = self._losses(offer.model) if offer.model.id != self._current.id else ()
        lines += [Content.styled(clean_line(sentence), "$memory") for sentence in losses]
        box.update(Content("\n").join(lines))

    def _hints(self, offer: Offer | None) -> list[Hint]:
        """The keys that do something now."""
        choosing: list[Hint] = []
        if offer:
            choose = CHOOSE if offer.key.is_there else CHOOSE_WITHOUT_KEY
            choosing = [choose, *([THINKING] if offer.model.thinking_levels else [])]
        return [*choosing, LOCAL, ("esc", "show all" if self._query else "back")]

    def _highlighted_id(self) -> str | None:
        models = self.query_one(OptionList)
        option = models.highlighted_option
        return option.id if option else None

    def _offer(self, model_id: str | None) -> Offer | None:
        known = (*self._offers, *([self._typed] if self._typed else []))
        return next((offer for offer in known if offer.model.id == model_id), None)


def _by_provider(offers: Sequence[Offer]) -> list[Offer]:
    """The models of one provider together, those with a key first and the offline one last, else as they came."""
    order = list(dict.fromkeys(offer.model.provider for offer in offers))

    def rank(offer: Offer) -> tuple[bool, bool, int]:
        provider = offer.model.provider
        return provider == REHEARSAL.provider, not offer.key.is_there, order.index(provider)

    return sorted(offers, key=rank)
