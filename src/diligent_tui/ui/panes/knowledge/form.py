"""The form of one entry: its fields, which of them is typed into, and what each key makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgeEntry
from diligent_tui.ui.panes.knowledge.drafts import SCOPES, Draft
from diligent_tui.ui.panes.knowledge.text_field import TextField

Purpose = Literal["add", "edit", "merge", "accept"]
FieldName = Literal["type", "text", "confidence", "tags", "scope"]
Typed = Literal["text", "confidence", "tags"]
FIELDS_OF: dict[Purpose, tuple[FieldName, ...]] = {
    "add": ("type", "text", "confidence", "tags", "scope"),
    "edit": ("type", "text", "confidence", "tags"),
    "merge": ("text",),
    "accept": ("text",),
}
TITLES: dict[Purpose, str] = {
    "add": "Add an entry",
    "edit": "Edit: this takes the place of the old one",
    "merge": "Merge: one entry in place of them",
    "accept": "Edit, then accept",
}


@dataclass(frozen=True, slots=True)
class Form:
    """A form being filled in; `targets` are the entries or the candidate that it is about."""

    purpose: Purpose
    began: Draft
    draft: Draft
    text: TextField
    confidence: TextField
    tags: TextField
    targets: tuple[str, ...] = ()
    at: FieldName = "text"
    problem: str = ""
    rival: KnowledgeEntry | None = None
    """An entry that says much the same, or one that took the target's place; the draft may take its place."""
    is_sent: bool = False
    """True while it is being saved."""

    @classmethod
    def begin(
        cls,
        purpose: Purpose,
        draft: Draft,
        targets: tuple[str, ...] = (),
        *,
        at: FieldName = "text",
        is_new: bool = False,
    ) -> "Form":
        """A form with a draft in it; one that `is_new` counts as changed from the beginning."""
        return cls(
            purpose,
            Draft() if is_new else draft,
            draft,
            TextField.of(draft.content, has_lines=True),
            TextField.of(draft.confidence),
            TextField.of(draft.tags),
            targets,
            at,
        )

    @classmethod
    def go_on(cls, fields: Mapping[str, str]) -> "Form | None":
        """A form as it was left; None where the fields are of none that we know."""
        draft = Draft.kept_in(fields)
        purposes: dict[str, Purpose] = {known: known for known in FIELDS_OF}
        purpose = purposes.get(fields.get("purpose", ""))
        if draft is None or purpose is None:
            return None
        return cls.begin(purpose, draft, tuple(fields.get("targets", "").split()), is_new=True)

    @property
    def unsaved(self) -> Mapping[str, str]:
        """The fields that would be lost by leaving, to be gone on with; none if nothing would."""
        if not self.is_changed:
            return {}
        return {"purpose": self.purpose, "targets": " ".join(self.targets), **self.draft.fields}

    @property
    def fields(self) -> tuple[FieldName, ...]:
        """The fields there are, in the order of the rows."""
        return FIELDS_OF[self.purpose]

    @property
    def is_changed(self) -> bool:
        """Whether something would be lost by leaving."""
        return self.draft != self.began

    def press(self, key: str, character: str | None, width: int) -> "Form | None":
        """What a key makes of it where texts are so wide; None if it means nothing here."""
        if key in ("tab", "shift+tab"):
            return self._step(1 if key == "tab" else -1)
        typed = self.typed
        if typed is None:
            return self._chosen(key)
        field = typed.press(key, character, width)
        if field is not None:
            return self._with(field)
        return self._step(1 if key == "down" else -1) if key in ("up", "down") else None

    def paste(self, text: str) -> "Form":
        """The form with a paste in the field that is typed into."""
        return self if self.typed is None else self._with(self.typed.paste(text))

    @property
    def typed(self) -> TextField | None:
        """The field that is typed into, if it is one of text."""
        match self.at:
            case "text":
                return self.text
            case "confidence":
                return self.confidence
            case "tags":
                return self.tags
            case "type" | "scope":
                return None

    def refused(self, problem: str, rival: KnowledgeEntry | None = None) -> "Form":
        """The form with the reason why it was not saved."""
        return replace(self, problem=problem, rival=rival, is_sent=False)

    def sent(self) -> "Form":
        """The form while it is being saved."""
        return replace(self, problem="", is_sent=True)

    def in_place_of_rival(self) -> "Form":
        """The form as an edit of the rival."""
        if self.rival is None:
            return self
        return replace(self, purpose="edit", targets=(self.rival.id,), rival=None, problem="")

    def _step(self, step: int) -> "Form":
        fields = self.fields
        return replace(self, at=fields[(fields.index(self.at) + step) % len(fields)])

    def _chosen(self, key: str) -> "Form | None":
        step = {"left": -1, "right": 1, "space": 1}.get(key)
        if step is None:
            return self._step(1 if key == "down" else -1) if key in ("up", "down") else None
        if self.at == "type":
            place = KNOWLEDGE_TYPES.index(self.draft.type)
            draft = replace(self.draft, type=KNOWLEDGE_TYPES[(place + step) % len(KNOWLEDGE_TYPES)])
        else:
            draft = replace(self.draft, scope=SCOPES[1 - SCOPES.index(self.draft.scope)])
        return replace(self, draft=draft, problem="", rival=None)

    def _with(self, field: TextField) -> "Form":
        # A word more or less is no reason to forget what was said against it; another text is.
        is_changed = self.typed is not None and field.text != self.typed.text
        form = replace(self, problem="", rival=None) if is_changed else self
        match self.at:
            case "text":
                return replace(form, text=field, draft=replace(form.draft, content=field.text))
            case "confidence":
                return replace(form, confidence=field, draft=replace(form.draft, confidence=field.text))
            case "tags":
                return replace(form, tags=field, draft=replace(form.draft, tags=field.text))
            case "type" | "scope":
                return form
