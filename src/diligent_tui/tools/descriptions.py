"""What the model is told of a tool: the words lie beside its code as Markdown."""

from importlib.resources import files


def description(module: str) -> str:
    """The description of a built-in tool, by its module's name."""
    return (files("diligent_tui.tools.builtin") / f"{module}.md").read_text("utf-8").strip()
