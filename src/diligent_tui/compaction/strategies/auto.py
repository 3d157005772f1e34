"""The usual way: old outputs are pruned, the rest is summarised, and extracts stand in where no summary can be had."""

from diligent_tui.compaction.strategies.base import Strategy
from diligent_tui.compaction.strategies.writing import write_with_model

STRATEGY = Strategy("auto", "Prune old outputs, then summarise; without a model, extracts.", True, write_with_model)
