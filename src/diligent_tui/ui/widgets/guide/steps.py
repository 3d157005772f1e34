"""What the guide shows, step by step, and by what it sees that a step was done."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to try; words to type stand between backticks, commands whose keys are told in braces.

    It is done once `pane` has the focus or one of `events`, named by their classes, has happened.
    """

    words: str
    pane: str = ""
    events: tuple[str, ...] = ()

    def is_done_by(self, signs: frozenset[str]) -> bool:
        """Whether one of these panes or events is what it waits for."""
        return not signs.isdisjoint((f"#{self.pane}", *self.events))


STEPS: tuple[Step, ...] = (
    Step(
        "A prepared session on a small project, to play with. Type `run python3 -m unittest` and press {submit}: "
        "a real command, so you are asked first; `y` lets it run.",
        events=("ToolFinished",),
    ),
    Step(
        "This session was compacted twice. {summary} shows the summary the model has now; there {summary_coverage} "
        "lists which facts it dropped, {summary_versions} its versions. One was edited by hand.",
        pane="summary",
    ),
    Step(
        "{summary_undo} in the summary undoes the compaction: the turns come back into the context, nothing was lost. "
        "{summary_redo} brings the summary back.",
        events=("CompactionReverted",),
    ),
    Step(
        "{context} shows the exact next request, piece by piece with its tokens. "
        "What is not there, the model does not see.",
        pane="context",
    ),
    Step(
        "{knowledge} shows what is kept across sessions. {fact_inbox} opens the inbox: two facts wait. "
        "{fact_add} accepts one, {fact_retract} rejects it; {fact_edit} edits an entry.",
        events=("CandidateResolved", "KnowledgeSaved", "KnowledgeSuperseded", "KnowledgeRetracted"),
    ),
    Step(
        "{tree} shows the tree; press {tree_filter} there until it lists the prompts: "
        "two branches, `try-sqlite` and `csv`. The one you left is dim; all of it is still there.",
        pane="tree",
    ),
    Step(
        "In the tree, go up to another prompt: {tree_go} on it goes back before it, with its words in the prompt. "
        "What you say next is a branch.",
        events=("LeafMoved",),
    ),
)
FAREWELL = (
    "That was the tour. Go on as you like: `/compact --preview`, `/restore`, {sessions} for the sessions, "
    "{help} for the keys. Without --keep this folder is thrown away when you leave."
)
