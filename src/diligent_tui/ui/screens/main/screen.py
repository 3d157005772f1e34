"""The main screen: header, chat, panes, prompt, gauge. It composes and routes, and decides nothing."""

from asyncio import Lock
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.errors import NoWidget
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from diligent_tui.config.layout import SHARES_PERCENT, Layout
from diligent_tui.ui.commands.command import OUR_KEYS
from diligent_tui.ui.commands.keys_now import key_now
from diligent_tui.ui.commands.prompt_keys import prompt_keys
from diligent_tui.ui.key_line import render_keys
from diligent_tui.ui.screens.main.arrangement import CENTRE, LEFT, STEP_PERCENT, Arrangement
from diligent_tui.ui.screens.main.search_words import search_words
from diligent_tui.ui.widgets.ending_work import EndsItsWork
from diligent_tui.ui.widgets.header import Header
from diligent_tui.ui.widgets.prompt import PromptInput
from diligent_tui.ui.widgets.queue_strip import QueueStrip
from diligent_tui.ui.widgets.status_bar import StatusBar
from diligent_tui.ui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from textual.widget import Widget

    from diligent_tui.ui.panes.chat import ChatPane
    from diligent_tui.ui.state import ScreenState
    from diligent_tui.ui.widgets.foot import Foot
    from diligent_tui.ui.widgets.guide import GuideStrip
    from diligent_tui.ui.widgets.virtual_log import Standing

NARROW_COLUMNS = 100


class MainScreen(EndsItsWork[None]):
    """What is there from the first frame on; panes that need the core are put in when it is loaded."""

    state: "reactive[ScreenState | None]" = reactive(None, repaint=False)
    """Painted by those it is handed on to; the screen itself would paint all of them anew at every streamed word."""
    zoomed: reactive[str] = reactive("")
    """The pane that has all the room."""
    is_still: reactive[bool] = reactive(False)
    """True where nothing is to move."""

    class Rearranged(Message):
        """The user wants other panes, or other widths; worth remembering."""

        def __init__(self, layout: Layout) -> None:
            """Carry what to remember."""
            super().__init__()
            self.layout = layout

    def __init__(self, recall: Callable[[], bool], keymap: Mapping[str, str] = OUR_KEYS) -> None:
        """`recall` puts a queued text back into the prompt, if one waits; `keymap` has the user's own keys."""
        super().__init__()
        self._keymap = keymap
        self._recall = recall
        self._panes: dict[str, Widget] = {}
        self._arrangement = Arrangement()
        self._guide: GuideStrip | None = None
        self._new_below = self._found = Content("")
        self.settling = Lock()
        """Held while panes are put in: one that is taken away amid that finds itself without its parts."""

    def compose(self) -> ComposeResult:
        """The first frame."""
        yield Header(self._keymap).data_bind(MainScreen.state, MainScreen.zoomed)
        with Horizontal(id="body"):
            yield Container(Welcome(self._keymap), id=CENTRE)
        yield Static(id="badge", markup=False)
        yield QueueStrip(self._keymap).data_bind(MainScreen.state)
        stash_key = key_now("stash", self._keymap)
        yield PromptInput(recall=self._recall, keys=prompt_keys(self._keymap), stash_key=stash_key)
        yield StatusBar(self._keymap).data_bind(MainScreen.state, MainScreen.is_still)

    @property
    def prompt(self) -> PromptInput:
        """Where one types."""
        return self.query_one(PromptInput)

    def on_mount(self) -> None:
        """Typing goes to the prompt."""
        self.prompt.focus()

    async def put_in_chat(self, chat: "Widget") -> None:
        """Put in the chat, unseen until something was said."""
        chat.display = False
        async with self.settling:
            await self.query_one(f"#{CENTRE}").mount(chat)

    async def put_in_panes(self, left: "Widget", *right: "Widget", layout: Layout | None = None) -> None:
        """Put in the panes beside the chat; those of the remembered layout are seen at once, the rest when wanted."""
        self._panes = {pane.id: pane for pane in (left, *right) if pane.id}
        if layout is not None:
            self._arrangement = Arrangement(layout, self._arrangement.is_narrow).of_panes(self._panes)
        self._paint()
        body = self.query_one("#body")
        async with self.settling:
            await body.mount(left, before=f"#{CENTRE}")
            await body.mount_all(right)

    async def put_in_guide(self) -> "GuideStrip":
        """Put the guide of the demo above the prompt."""
        from diligent_tui.ui.widgets.guide import GuideStrip

        guide = self._guide = GuideStrip(self._keymap)
        await self.mount(guide, before=self.prompt)
        return guide

    def turn_guide(self, steps: int) -> None:
        """The guide goes on, or back."""
        if (guide := self._find_guide()) is not None:
            guide.turn(steps)

    def toggle_guide(self) -> None:
        """Hide the guide, or show it."""
        if (guide := self._find_guide()) is not None:
            guide.display = not guide.display

    def _find_guide(self) -> "GuideStrip | None":
        if self._guide is None:
            self.notify("The guide goes with diligent --demo.", markup=False)
        return self._guide

    def show_chat(self) -> None:
        """Something was said: the chat takes the place of the welcome."""
        self.query_one(Welcome).display = False
        self.query_one("#chat").display = True

    def show_welcome(self) -> None:
        """Nothing was said yet."""
        self.query_one("#chat").display = False
        self.query_one(Welcome).display = True

    def toggle(self, pane_id: str) -> None:
        """Show a pane and go there, go there if it is shown, hide it if one is there; narrow ones lie over the chat."""
        pane = self._panes[pane_id]
        if pane.display and pane.has_focus_within:
            self.prompt.focus()
            self._arrange(self._arrangement.without_pane(pane_id))
        else:
            self.show(pane_id)

    def show(self, pane_id: str) -> None:
        """Show a pane and go there; of those at the right, one at a time."""
        self._arrange(self._arrangement.with_pane(pane_id), going_to=pane_id)
        self._panes[pane_id].focus()

    def zoom(self) -> None:
        """Give all the room to where one is, or put it back."""
        self._arrange(self._arrangement.with_zoom(self._pane_at(self.focused) or CENTRE))

    def move_border(self, direction: int) -> None:
        """Move the edge of the pane one is in, or of the one beside the chat, to the right (+1) or to the left (-1)."""
        layout = self._arrangement.layout
        pane_id = self._pane_at(self.focused) or layout.right or layout.left
        if self._arrangement.is_narrow or self.zoomed or pane_id not in self._arrangement.shown:
            return
        known = self._arrangement.shares_on(self.size.width).get(pane_id)
        drawn = 100 * self._panes[pane_id].outer_size.width / max(1, self.size.width)
        wider = direction if pane_id == LEFT else -direction
        self._arrange(self._arrangement.with_share(pane_id, round(known or drawn) + wider * STEP_PERCENT))

    def show_new_below(self, count: int, *, is_following: bool) -> None:
        """Say how much waits below where one reads."""
        words = f"{count:,} new ↓  " if count else ""
        to_newest = render_keys(((key_now("to_end", self._keymap), "newest"),))
        self._new_below = Content("") if is_following else Content.assemble(words, to_newest)
        self._paint_badge()

    def show_search(self, words: str, standing: "Standing") -> None:
        """Say where a search in the chat is; no words if it has ended."""
        self._found = search_words(words, standing, self._keymap) if words else Content("")
        self._paint_badge()

    def on_chat_pane_fold_changed(self, message: "ChatPane.FoldChanged") -> None:
        """Say what Enter would do there."""
        message.stop()
        self.query_one(StatusBar).fold_word = message.word

    def on_foot_told(self, message: "Foot.Told") -> None:
        """Say nothing else of a key that a pane tells of."""
        message.stop()
        self.query_one(StatusBar).note_foot(message.where, message.words)

    def _paint_badge(self) -> None:
        told = [content for content in (self._found, self._new_below) if content.plain]
        badge = self.query_one("#badge", Static)
        badge.display = bool(told)
        badge.update(Content("  ").join(told))

    def on_resize(self) -> None:
        """Narrow screens lay side panes over the chat."""
        is_narrow = self.size.width < NARROW_COLUMNS
        self.set_class(is_narrow, "-narrow")
        self._arrange(self._arrangement.on_screen(is_narrow=is_narrow, at=self._pane_at(self.focused)))
        self._paint_shares()

    def on_screen_suspend(self) -> None:
        """What lies over the screen has the keys."""
        self.prompt.lend_cursor("dialog")

    def on_screen_resume(self) -> None:
        """The keys go to where one was."""
        self.prompt.return_cursor("dialog")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Where one goes is seen: nothing lies over the chat while one is there, or in the prompt, which it answers."""
        is_in_chat = any(node.id == CENTRE for node in event.widget.ancestors_with_self)
        if is_in_chat or event.widget is self.prompt:
            self._arrange(self._arrangement.at_centre())

    def _pane_at(self, focused: "Widget | None") -> str:
        """The pane one is in; none for the chat and the prompt."""
        nodes = focused.ancestors_with_self if focused is not None else ()
        return next((node.id for node in nodes if node.id in self._panes), None) or ""

    def _arrange(self, wanted: Arrangement, going_to: str = "") -> None:
        known = self._arrangement
        if wanted == known:
            return
        self._arrangement = wanted
        self._paint(going_to)
        if wanted.layout != known.layout:
            self.post_message(self.Rearranged(wanted.layout))

    def _paint_shares(self) -> None:
        shares = self._arrangement.shares_on(self.size.width)
        for pane_id, pane in self._panes.items():
            share = shares.get(pane_id)
            pane.set_class(share is None and self._arrangement.has_both, "-between")
            for percent in SHARES_PERCENT:
                pane.set_class(percent == share, f"-share-{percent}")

    def _paint(self, going_to: str = "") -> None:
        """Let the widgets stand as arranged; a pane that goes gives the focus to the prompt, if one goes nowhere else.

        On a narrow screen the prompt would close the pane that one goes to.
        """
        arrangement = self._arrangement
        shown = arrangement.shown
        at = self._pane_at(self.focused)
        self.query_one(f"#{CENTRE}").display = CENTRE in shown
        for pane_id, pane in self._panes.items():
            if pane.display != (pane_id in shown):
                # A map of the screen that is out of date would be drawn anew with the pane already in it, which would
                # then never be told that it is shown. To ask where it is brings the map up to date before.
                with suppress(NoWidget):
                    self.find_widget(pane)
                pane.display = pane_id in shown
            pane.set_class(pane_id == arrangement.zoomed, "-zoomed")
        self._paint_shares()
        self.zoomed = arrangement.zoomed
        if at and at not in shown and not going_to:
            self.prompt.focus()
