"""Extracts of what was said in place of a summary; asks no model, so it always works."""

from diligent_tui.compaction.strategies.base import Strategy
from diligent_tui.compaction.strategies.writing import write_without_model

STRATEGY = Strategy("truncate", "Keep extracts in place of a summary; asks no model.", False, write_without_model)
