"""Commands of the strip of texts that wait."""

from diligent_tui.ui.commands.command import Command

QUEUE_COMMANDS: tuple[Command, ...] = (
    Command("queued_edit", "Edit", "Edit it; a draft is put aside until it is sent", "enter,e", where="queue"),
    Command(
        "queued_delete",
        "Delete",
        "Do not send it; it stays among the earlier prompts",
        "d,delete,backspace",
        where="queue",
    ),
    Command("queued_steer", "Tell now", "Tell it to the working agent, after its current tool", "s", where="queue"),
    Command("queued_up", "Up", "Go to the one before", "up,k", where="queue"),
    Command("queued_down", "Down", "Go to the next one", "down,j", where="queue"),
)
