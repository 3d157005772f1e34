"""A summary of what is covered, outputs as they are."""

from diligent_tui.compaction.strategies.base import Strategy
from diligent_tui.compaction.strategies.writing import write_with_model

STRATEGY = Strategy("summarize", "Summarise without pruning first.", False, write_with_model)
