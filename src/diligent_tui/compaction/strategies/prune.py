"""Digests in place of old outputs and nothing else: no cut, no summary, no model."""

from diligent_tui.compaction.strategies.base import Strategy

STRATEGY = Strategy("prune", "Only replace old outputs by digests; asks no model.", True, None)
