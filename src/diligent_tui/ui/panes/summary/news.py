"""Facts after which the summary pane shows something else."""

from diligent_tui.domain.events import (
    CompactionFailed,
    CompactionFinished,
    CompactionReverted,
    KnowledgeRetracted,
    KnowledgeSaved,
    KnowledgeSuperseded,
    LeafMoved,
    SummaryEdited,
)

PATH_EVENTS = (CompactionFinished, CompactionFailed, CompactionReverted, SummaryEdited, LeafMoved)
"""Facts after which another version may be in force."""
KNOWLEDGE_EVENTS = (KnowledgeSaved, KnowledgeSuperseded, KnowledgeRetracted)
"""Facts after which the coverage of every version may be another."""
