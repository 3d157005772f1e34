"""Commands of the guide that goes with the demo."""

from diligent_tui.ui.commands.command import Command

GUIDE_COMMANDS: tuple[Command, ...] = (
    Command("guide_next", "Guide: next step", "The next step of the demo's guide", "f12", "", "turn_guide(1)"),
    Command(
        "guide_back",
        "Guide: back",
        "One step of the guide back",
        "shift+f12,f24",
        "guide-back",
        "turn_guide(-1)",
    ),
    Command("guide", "Guide", "Hide the demo's guide, or show it", "", "guide", "toggle_guide"),
)
