"""The guide of the demo: one step at a time, above the prompt."""

from diligent_tui.ui.widgets.guide.strip import GuideStrip

__all__ = ["GuideStrip"]
