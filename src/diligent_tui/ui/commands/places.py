"""Where the user is: the panes and screens that have commands of their own."""

from collections.abc import Iterable
from types import MappingProxyType

from diligent_tui.ui.commands.command import Where

PLACES: MappingProxyType[str, Where] = MappingProxyType(
    {
        "PromptInput": "prompt",
        "QueueStrip": "queue",
        "ChatPane": "log",
        "SessionTreePane": "tree",
        "ToolsPane": "tools",
        "KnowledgePane": "knowledge",
        "SummaryPane": "summary",
        "ContextPane": "context",
        "ContextScreen": "context",
        "TracePane": "trace",
        "PreviewScreen": "preview",
        "RecallScreen": "recall",
        "ChartsScreen": "charts",
        "SessionsScreen": "sessions",
    }
)
"""Classes by name: most of them are not imported yet when the app is."""


def place_of(ancestry: Iterable[object]) -> Where:
    """The place that the first of these belongs to, from the inside out."""
    for node in ancestry:
        if place := PLACES.get(type(node).__name__):
            return place
    return "everywhere"
