"""The knowledge pane: what its keys do, and the wishes that its rows are asked for; the pane itself changes nothing."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from textual import events, work

from diligent_tui.domain.plain_text import clean
from diligent_tui.domain.times import Clock, now
from diligent_tui.knowledge.inbox import InboxCandidate
from diligent_tui.knowledge.views import KnownEntry
from diligent_tui.ui.commands.command import OUR_KEYS, by_key
from diligent_tui.ui.commands.keys_now import key_now, sentence_now
from diligent_tui.ui.commands.knowledge import KNOWLEDGE_COMMANDS
from diligent_tui.ui.panes.knowledge import wishes
from diligent_tui.ui.panes.knowledge.drafts import Draft, guess_type
from diligent_tui.ui.panes.knowledge.editor import KnowledgeEditor
from diligent_tui.ui.panes.knowledge.feed import Desk, origin_of
from diligent_tui.ui.panes.knowledge.listing import NearRow, Sieve, key_of
from diligent_tui.ui.panes.knowledge.origins import Talk
from diligent_tui.ui.panes.knowledge.text_field import TextField


class KnowledgePane(KnowledgeEditor):
    """What is kept across sessions, worked in by keys; `attach` gives it a session and `take` what happens."""

    BORDER_TITLE = "Knowledge"

    Wished = wishes.Wished
    Filled = wishes.Filled
    Unsaved = wishes.Unsaved
    ToChat = wishes.ToChat
    Learnt = wishes.Learnt
    CopyRequested = wishes.CopyRequested

    def __init__(self, keymap: Mapping[str, str] = OUR_KEYS, clock: Clock = now) -> None:
        """Know the user's own keys."""
        super().__init__(clock)
        self.keymap = keymap
        self._keys = by_key((command for command in KNOWLEDGE_COMMANDS if command.where == "knowledge"), keymap)
        self._deeds = self._table()

    def remember(self, content: str) -> None:
        """Begin to add an entry that says this; its type is guessed and asked for."""
        self.show_list()
        draft = Draft(guess_type(content), content)
        self.open_form("add", draft, at="type" if content else "text", is_new=True)

    def show_list(self) -> None:
        """Leave the inbox."""
        self.mode = "list"
        self.list_rows()

    def show_inbox(self) -> None:
        """Look at what waits."""
        self.mode = "inbox"
        self.list_rows()

    def learn(self, is_learning: bool) -> None:
        """Say that the session is being looked through, or that this has ended."""
        self.is_learning = is_learning
        self.show_all()

    def press(self, event: events.Key) -> None:
        """Do what a key means here."""
        if self.form is not None:
            super().press(event)
        elif self._line is not None:
            self._type_words(event, self._line)
        else:
            command_id = self._keys.get(event.key) or self._keys.get(event.character or "")
            if command_id is None or (command_id == "fact_back" and not self._has_something_open()):
                return
            event.stop()
            self._say("")
            self._deeds[command_id]()

    def jump(self) -> None:
        """Go to where this was learnt; while merging, go on to the form."""
        subject = self.known or self.candidate
        if self.mode == "merge":
            self._begin_merge()
        elif subject is not None and self._talk is not None:
            self._jump_from(self._talk, subject)

    @work(group="knowledge-jump", exclusive=True)
    async def _jump_from(self, talk: Talk, subject: KnownEntry | InboxCandidate) -> None:
        """Look it up anew: what is told of the row may not be there yet."""
        origin = await asyncio.to_thread(origin_of, talk, subject)
        if origin.entry_id:
            self.post_message(self.ToChat(origin.entry_id))
        elif origin.place:
            self._say(f"It comes from {origin.place}. {key_now('sessions', self.keymap)} opens other sessions.")
        else:
            self._say("Where it comes from is not known.")

    def add(self) -> None:
        """Add an entry; in the inbox, accept the candidate."""
        if self.mode == "inbox":
            if candidate := self.candidate:
                self._wish("accept", candidate.id)
        else:
            self.open_form("add", Draft(scope=self.sieve.scope or "project", type=self.sieve.type or "pattern"))

    def edit(self) -> None:
        """Edit the entry; a candidate is accepted as edited."""
        known, candidate = self.known, self.candidate
        if candidate is not None:
            self.open_form("accept", Draft(candidate.type, candidate.content), (candidate.id,))
        elif known is not None and known.fate != "live":
            self._say(sentence_now("Only what holds can be edited. {fact_view} lists it.", self.keymap))
        elif known is not None:
            self.open_form("edit", Draft.of(known.entry), (known.entry.id,))

    def retract(self) -> None:
        """Take the entry back, or bring it back; refuse a candidate."""
        known, candidate = self.known, self.candidate
        if candidate is not None:
            self._wish("reject", candidate.id)
        elif known is not None and known.fate == "superseded":
            self._say("It was superseded; edit the newest one to say it again.")
        elif known is not None:
            self._wish("retract" if known.fate == "live" else "restore", known.entry.id)

    def pin(self) -> None:
        """Pin the entry, or unpin it."""
        if (known := self._live()) is not None:
            self._wish("unpin" if known.pinned else "pin", known.entry.id)

    def move(self) -> None:
        """Let the entry hold in all projects, or in this one only."""
        if (known := self._live()) is not None:
            self._wish("scope", known.entry.id)

    def keep(self, *, all_of_them: bool = False) -> None:
        """Keep what was learnt on a branch that was left."""
        left = [known.entry.id for known in self.book.overview.live if known.is_left_behind]
        here = [known.entry.id] if (known := self.known) and known.is_left_behind else []
        chosen = left if all_of_them else here
        if chosen:
            self._wish("keep", *chosen)
        else:
            self._say("It was not learnt on a branch that you left." if not all_of_them else "Nothing was left behind.")

    def merge(self) -> None:
        """Look for what says much the same."""
        known = self._live()
        if known is not None and self._desk is not None and self.mode == "list":
            self._offer(self._desk, known)

    def mark(self) -> None:
        """Take an entry into the merge, or leave it out."""
        known = self.known
        if self.mode == "merge" and known is not None:
            self._near = tuple(
                replace(row, is_chosen=not row.is_chosen) if row.known is known else row for row in self._near
            )
            self.list_rows()

    def toggle_inbox(self) -> None:
        """The inbox, or back."""
        if self.mode == "inbox":
            self.show_list()
        else:
            self.show_inbox()

    def accept_all(self) -> None:
        """Accept all that waits."""
        if self.mode == "inbox" and self.book.candidates:
            self._wish("accept_all")

    def find(self) -> None:
        """Type words to find."""
        self.mode = "list"
        self._line = TextField.of(self.sieve.words)
        self.list_rows()

    def copy(self) -> None:
        """Ask to copy the text."""
        known, candidate = self.known, self.candidate
        if known is not None or candidate is not None:
            text = known.entry.content if known is not None else candidate.content if candidate is not None else ""
            self.post_message(self.CopyRequested(clean(text)))

    def toggle_open(self) -> None:
        """Give the details most of the room, or take it back."""
        self.toggle_class("-open")
        self.call_after_refresh(self.rows.bring_into_sight)

    def toggle_wide(self) -> None:
        """Use the whole width, or give it back."""
        self.toggle_class("-wide")

    def go_back(self) -> None:
        """Leave what is open, the newest first."""
        if self.is_learning:
            self._wish("stop")
        elif self.mode != "list":
            self.show_list()
        elif self.has_class("-open"):
            self.toggle_open()
        elif self.has_class("-wide"):
            self.toggle_wide()
        else:
            self.sift(Sieve())

    def _type_words(self, event: events.Key, line: TextField) -> None:
        """Words are found as they are typed; escape forgets them, enter keeps them."""
        if event.key in ("enter", "escape"):
            event.stop()
            self._line = None
            self.sift(replace(self.sieve, words="") if event.key == "escape" else self.sieve)
            return
        if event.key in ("up", "down"):
            event.stop()
            self.rows.step(-1 if event.key == "up" else 1)
            return
        typed = line.press(event.key, event.character, self.size.width)
        if typed is not None:
            event.stop()
            self._line = typed
            self.sift(replace(self.sieve, words=typed.text))

    @work(group="knowledge-near", exclusive=True)
    async def _offer(self, desk: Desk, known: KnownEntry) -> None:
        near = await asyncio.to_thread(desk.near, known.entry.content)
        others = [
            NearRow(other, each.similarity, is_chosen=True)
            for each in near
            if (other := self.book.find(each.entry)) and key_of(other) != key_of(known) and other.fate == "live"
        ]
        if not others:
            self._say("No other entry says much the same.")
            return
        self._near = (NearRow(known, None, is_chosen=True), *others)
        self.mode = "merge"
        self.list_rows()

    def _begin_merge(self) -> None:
        chosen = [row.known.entry for row in self._near if row.is_chosen]
        if len(chosen) < 2:
            self._say("Take in two or more with space.")
            return
        self.show_list()
        self.open_form("merge", Draft.of(chosen[0]), tuple(entry.id for entry in chosen))

    def _live(self) -> KnownEntry | None:
        known = self.known
        if known is not None and known.fate != "live":
            self._say("It does not hold any more.")
            return None
        return known

    def _wish(self, deed: wishes.Deed, *ids: str) -> None:
        self.post_message(self.Wished(deed, ids))

    def _has_something_open(self) -> bool:
        is_open = self.has_class("-open") or self.has_class("-wide")
        return is_open or self.is_learning or self.mode != "list" or not self.sieve.is_open

    def _table(self) -> dict[str, Callable[[], None]]:
        return {
            "fact_jump": self.jump,
            "fact_up": lambda: self.rows.step(-1),
            "fact_down": lambda: self.rows.step(1),
            "fact_page_up": partial(self.step_page, -1),
            "fact_page_down": partial(self.step_page, 1),
            "fact_first": lambda: self.rows.put_cursor(0),
            "fact_last": lambda: self.rows.put_cursor(len(self.rows.rows) - 1, -1),
            "fact_read_up": lambda: self.details.move(-1),
            "fact_read_down": lambda: self.details.move(1),
            "fact_open": self.toggle_open,
            "fact_wide": self.toggle_wide,
            "fact_find": self.find,
            "fact_view": lambda: self.sift(self.sieve.next_view()),
            "fact_type": lambda: self.sift(self.sieve.next_type()),
            "fact_tag": lambda: self.sift(self.sieve.next_tag(self.book.tags)),
            "fact_scope": lambda: self.sift(self.sieve.next_scope()),
            "fact_add": self.add,
            "fact_edit": self.edit,
            "fact_retract": self.retract,
            "fact_undo": partial(self._wish, "undo"),
            "fact_pin": self.pin,
            "fact_move": self.move,
            "fact_merge": self.merge,
            "fact_mark": self.mark,
            "fact_keep": self.keep,
            "fact_keep_all": partial(self.keep, all_of_them=True),
            "fact_inbox": self.toggle_inbox,
            "fact_accept_all": self.accept_all,
            "fact_copy": self.copy,
            "fact_back": self.go_back,
        }
