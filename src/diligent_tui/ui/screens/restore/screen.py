"""Puts files back as they were before a turn: the turns, then a preview of each file, then a key that does it.

Nothing is changed without a preview. Files that hold somebody else's work are asked about, and the answer under Enter
leaves them alone.
"""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from diligent_tui.agent.file_history import FilePlan, Plan, Receipt
from diligent_tui.domain.errors import DiligentError
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.domain.progress import Pace, Tell, part_of
from diligent_tui.ui import format as fmt
from diligent_tui.ui.key_line import NO_LIMIT, render_keys
from diligent_tui.ui.screens.choice import ChoiceScreen
from diligent_tui.ui.screens.restore import keys, rows
from diligent_tui.ui.screens.restore.desk import Preview, RestoreDesk, TurnRow, preview_of, turn_rows
from diligent_tui.ui.screens.restore.facts import FactLines
from diligent_tui.ui.screens.restore.question import question_of
from diligent_tui.ui.widgets.diff import DiffView
from diligent_tui.ui.widgets.ending_work import EndsItsWork

SCROLLBAR_COLUMNS = 2
LOW_ROWS = 30
TITLE_CHARS = 120
EMPTY = (
    "The agent has changed no file in this session.",
    "When it writes one, the old version is kept, and you can put it back here.",
    "What its commands change is not kept: for that, use git.",
)
READING = "Reading which files the agent has changed …"
COMMANDS_ARE_NOT_COVERED = "what commands changed is not kept"
RESTORING = "Restoring …"
NOT_WHILE_RESTORING = frozenset({"back", "back_from_list", "since", "undo", "restore", "restore_file"})


class RestoreScreen(ModalScreen[None], EndsItsWork[None]):
    """Two views in one box: the turns that changed files, and what a restore would do."""

    AUTO_FOCUS = "#restore-turns"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", show=False),
        Binding("left,h", "back_from_list", "Back", show=False),
        Binding("right,l", "go_in", "Preview", show=False),
        Binding("j", "step(1)", "Down", show=False),
        Binding("k", "step(-1)", "Up", show=False),
        Binding("a", "since", "All since", show=False),
        Binding("u", "undo", "Undo the last restore", show=False),
        Binding("r", "restore", "Restore", show=False),
        Binding("f", "restore_file", "Restore this file", show=False),
    ]

    def __init__(self, desk: RestoreDesk) -> None:
        """Show what a desk offers."""
        super().__init__()
        self._desk = desk
        self._rows: list[TurnRow] = []
        self._is_reading = True
        self._is_restoring = False
        self._has_restored = False
        """True once something was restored here, which can be taken back from then on."""
        self._preview: Preview | None = None

    def compose(self) -> ComposeResult:
        """One box."""
        with Vertical(id="restore"):
            yield Static(id="restore-title", markup=False)
            yield FactLines(widget_id="restore-facts")
            yield OptionList(id="restore-turns", markup=False)
            yield OptionList(id="restore-files", markup=False)
            yield Static(id="restore-detail", markup=False)
            yield DiffView(widget_id="restore-diff")
            yield Static(id="restore-said", markup=False)
            yield Static(id="restore-keys", markup=False)

    def on_mount(self) -> None:
        """Begin with the turns."""
        self._show_turns()
        self._load()

    def on_resize(self) -> None:
        """Another size has room for other words, and a low one for no blank rows."""
        self.set_class(self.size.height < LOW_ROWS, "-low")
        self._fill_turns()
        self._fill_files()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """A restore is waited for: another one beside it would find files half put back."""
        return not (self._is_restoring and action in NOT_WHILE_RESTORING)

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Mark the row under the cursor; a file shows its diff."""
        message.stop()
        if message.option_list.id == "restore-turns":
            self._fill_turns(keep=message.option_index)
        elif self._preview is not None:
            self._fill_files(keep=message.option_index)
            self._show_file()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Enter looks closer, and never changes a file."""
        message.stop()
        self.action_go_in()

    def action_go_in(self) -> None:
        """From a turn to its preview, from a file to its diff."""
        if self._preview is not None:
            self.query_one(DiffView).focus()
        elif row := self._row():
            self._look_at(row.words, self._plan_of([row.turn.turn_id]))

    def action_since(self) -> None:
        """Preview of this turn and all that came after it."""
        place = self._turns.highlighted
        if self._preview is None and place is not None and self._rows:
            turn_ids = [row.turn.turn_id for row in self._rows[: place + 1]]
            title = f"{fmt.count(len(turn_ids), 'turn')} since: {self._rows[place].words}"
            self._look_at(title, self._plan_of(turn_ids))

    def action_undo(self) -> None:
        """Preview of the last restore taken back."""
        if self._preview is None:
            self._look_at("the last restore", self._desk.history.plan_undo)

    def action_step(self, step: int) -> None:
        """Move the cursor of the list."""
        shown = self._turns if self._preview is None else self._files
        if step > 0:
            shown.action_cursor_down()
        else:
            shown.action_cursor_up()

    def action_back_from_list(self) -> None:
        """From the diff to the files, from there to the turns; never out of the screen."""
        if self.query_one(DiffView).has_focus:
            self._files.focus()
        elif self._preview is not None:
            self._show_turns()

    def action_back(self) -> None:
        """From the preview to the turns, from there out."""
        if self._preview is not None:
            self._show_turns()
        else:
            self.dismiss(None)

    def action_restore(self) -> None:
        """Restore what the preview shows; from the list it is previewed first."""
        if self._preview is None:
            self.action_go_in()
        elif self._preview.plan.problem:
            self._say(f"{self._preview.plan.problem} Nothing was changed.", "$error")
        else:
            self._ask(self._preview.plan)

    def action_restore_file(self) -> None:
        """Restore only the file under the cursor."""
        if self._preview is not None and (file := self._file()):
            plan = self._preview.plan
            self._ask(Plan((file,), plan.turn_ids, plan.undoes))

    @property
    def _turns(self) -> OptionList:
        return self.query_one("#restore-turns", OptionList)

    @property
    def _facts(self) -> FactLines:
        return self.query_one(FactLines)

    @property
    def _files(self) -> OptionList:
        return self.query_one("#restore-files", OptionList)

    @work(group="restore", exclusive=True)
    async def _load(self) -> None:
        try:
            self._rows = await asyncio.to_thread(turn_rows, self._desk)
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}", "$error")
        self._is_reading = False
        self._fill_turns()
        self._show_heading()

    def _plan_of(self, turn_ids: list[str]) -> Callable[[Tell], Plan]:
        def plan(tell: Tell) -> Plan:
            return self._desk.history.plan_restore(turn_ids, tell=tell)

        return plan

    @work(group="restore", exclusive=True)
    async def _look_at(self, title: str, plan: Callable[[Tell], Plan | None]) -> None:
        pace = self._pace("comparing", lambda words: self._say(words, ""))
        try:
            planned = await asyncio.to_thread(plan, part_of(pace, 0, 2))
            if planned is None:
                self._say("Nothing has been restored yet.", "$dim")
                return
            preview = await asyncio.to_thread(preview_of, self._desk, title, planned, part_of(pace, 1, 2))
        except DiligentError as error:
            self._say(f"{error.message} {error.advice}", "$error")
            return
        self._show_preview(preview)

    @work(group="restore", exclusive=True)
    async def _ask(self, plan: Plan) -> None:
        if why_not := self._desk.why_not():
            self._say(why_not, "$error")
            return
        also: tuple[str, ...] = ()
        if plan.conflicts:
            answer = await self._desk.ask(ChoiceScreen(*question_of(plan)))
            if answer not in ("leave", "over"):
                self._say("Nothing was changed.", "$dim")
                return
            also = tuple(file.name for file in plan.conflicts) if answer == "over" else ()
        if not plan.ready and not also:
            # Why a file is not touched stands below the list.
            self._say("Nothing was changed." if plan.refused else "There is nothing to do.", "$dim")
            return
        await self._restore(plan, also)

    async def _restore(self, plan: Plan, also: tuple[str, ...]) -> None:
        # The question may have stood open for long.
        if why_not := self._desk.why_not():
            self._say(why_not, "$error")
            return
        self._is_restoring = True
        self._show_keys()
        self._say("", "$dim")
        self._tell_restoring(RESTORING)
        try:
            pace = self._pace("restoring", self._tell_restoring)
            receipt = await asyncio.to_thread(self._desk.history.restore, plan, also, pace)
            self._rows = await asyncio.to_thread(turn_rows, self._desk)
        except DiligentError as error:
            self._is_restoring = False
            self._say(f"{error.message} {error.advice}", "$error")
            self._facts.tell(*rows.plan_facts(plan))
            self._show_keys()
            return
        self._is_restoring = False
        self._has_restored = self._has_restored or bool(receipt.done)
        self._show_turns()
        self._fill_turns()
        self._tell(receipt)

    def _tell(self, receipt: Receipt) -> None:
        hint = " u takes it back." if receipt.done else ""
        self._say(f"{receipt.words}{hint}", "$error" if receipt.failed else "$success" if receipt.done else "$dim")
        if receipt.done:
            self._desk.restored(receipt)

    def _row(self) -> TurnRow | None:
        place = self._turns.highlighted
        return self._rows[place] if place is not None and place < len(self._rows) else None

    def _file(self) -> FilePlan | None:
        place = self._files.highlighted
        files = self._preview.plan.files if self._preview else ()
        return files[place] if place is not None and place < len(files) else None

    def _show_turns(self) -> None:
        self._preview = None
        self.remove_class("-preview")
        self._show_heading()
        self._say("", "$dim")
        self._turns.focus()

    def _show_heading(self) -> None:
        self.query_one("#restore-title", Static).update(Content.styled("Restore files", "bold $accent"))
        number = len({file.name for row in self._rows for file in row.turn.files})
        facts = [f"{fmt.count(len(self._rows), 'turn')} changed {fmt.count(number, 'file')}", COMMANDS_ARE_NOT_COVERED]
        if damaged := self._desk.history.damaged_lines:
            facts.append(f"{fmt.count(damaged, 'line')} of the history cannot be read")
        empty = READING if self._is_reading else "\n".join(EMPTY)
        self.set_class(not self._rows and not self._is_reading, "-empty")
        self._facts.tell(*(Content.styled(fact, "$dim") for fact in (facts if self._rows else [empty])))
        self._show_keys()

    def _show_keys(self) -> None:
        if self._is_restoring:
            hints = keys.WHILE_RESTORING
        elif self._preview is not None:
            hints = keys.preview_keys(self._preview, self._file())
        else:
            can_undo = self._has_restored or any(row.turn.is_restored for row in self._rows)
            hints = keys.turn_keys(has_turns=bool(self._rows), can_undo=can_undo)
        foot = self.query_one("#restore-keys", Static)
        foot.update(render_keys(hints, foot.content_size.width or NO_LIMIT))

    def _show_preview(self, preview: Preview) -> None:
        self._preview = preview
        self.add_class("-preview")
        title = clean_line(preview.title, TITLE_CHARS) or "this turn"
        deed = "Restore" if preview.plan.undoes is None else "Undo"
        self.query_one("#restore-title", Static).update(Content.assemble((deed, "bold $accent"), f"  {title}"))
        self._facts.tell(*rows.plan_facts(preview.plan))
        self._say("", "$dim")
        self._fill_files(keep=0)
        self._files.focus()
        self._show_file()

    def _show_file(self) -> None:
        file = self._file()
        difference = self._preview.difference(file) if self._preview and file else None
        detail: Content = rows.render_detail(file, difference)
        self.set_class(bool(detail), "-has-detail")
        self.query_one("#restore-detail", Static).update(detail)
        text = difference.text if difference else ""
        self.set_class(not text, "-no-diff")
        self.query_one(DiffView).show(text)
        self._show_keys()

    def _fill_turns(self, keep: int | None = None) -> None:
        place = self._turns.highlighted if keep is None else keep
        now, columns = self._desk.clock(), self._columns()
        options = [
            Option(rows.render_turn(row, now, columns, is_under_cursor=number == (place or 0)))
            for number, row in enumerate(self._rows)
        ]
        _fill(self._turns, options, place)

    def _fill_files(self, keep: int | None = None) -> None:
        if self._preview is None:
            return
        place = self._files.highlighted if keep is None else keep
        preview, columns = self._preview, self._columns()
        options = [
            Option(rows.render_file(file, preview.difference(file), columns, is_under_cursor=number == (place or 0)))
            for number, file in enumerate(preview.plan.files)
        ]
        _fill(self._files, options, place)

    def _columns(self) -> int:
        return max(20, self.query_one("#restore").content_size.width - SCROLLBAR_COLUMNS)

    def _pace(self, doing: str, show: Callable[[str], None]) -> Pace:
        """Tells how far a thread is."""
        return Pace(doing, lambda words: self.call_later(show, words[:1].upper() + words[1:]))

    def _tell_restoring(self, words: str) -> None:
        if self._is_restoring:
            self._facts.tell(Content(words))

    def _say(self, words: str, style: str) -> None:
        self.set_class(bool(words), "-has-said")
        self.query_one("#restore-said", Static).update(Content.styled(clean_line(words), style))


def _fill(shown: OptionList, options: list[Option], place: int | None) -> None:
    """Exchange the rows without the cursor's being told to move, which would fill them again."""
    with shown.prevent(OptionList.OptionHighlighted):
        shown.set_options(options)
        shown.highlighted = min(place or 0, len(options) - 1) if options else None
