"""The styles that Markdown is drawn with, one per role, so that any theme can hand in its own."""

from typing import NamedTuple

from rich.style import Style


class CodeLook(NamedTuple):
    """How the parts of highlighted code are told apart; each is laid over the code block's own style."""

    keyword: Style = Style(color="#c792ea")
    name: Style = Style()
    function: Style = Style(color="#82aaff")
    type_name: Style = Style(color="#ffcb6b")
    builtin: Style = Style(color="#7fdbca")
    attribute: Style = Style(color="#b2ccd6")
    string: Style = Style(color="#c3e88d")
    number: Style = Style(color="#f78c6c")
    comment: Style = Style(color="#7f8c98", italic=True)
    operator: Style = Style(color="#89ddff")
    decorator: Style = Style(color="#ffcb6b", italic=True)
    heading: Style = Style(bold=True)
    inserted: Style = Style(color="#9ccc65")
    deleted: Style = Style(color="#ef7178")
    error: Style = Style(underline=True)


class MarkdownLook(NamedTuple):
    """A style for each role in a Markdown text; without arguments, a look for dark backgrounds."""

    text: Style = Style()
    heading_1: Style = Style(color="#82aaff", bold=True, underline=True)
    heading_2: Style = Style(color="#82aaff", bold=True)
    heading_3: Style = Style(bold=True)
    heading_4: Style = Style(bold=True, dim=True)
    strong: Style = Style(bold=True)
    emphasis: Style = Style(italic=True)
    strike: Style = Style(strike=True)
    inline_code: Style = Style(color="#c3e88d")
    link: Style = Style(underline=True)
    link_address: Style = Style(dim=True)
    image: Style = Style(italic=True)
    html: Style = Style(dim=True)
    list_marker: Style = Style(color="#82aaff")
    quote: Style = Style(italic=True)
    quote_bar: Style = Style(dim=True)
    rule: Style = Style(dim=True)
    table_header: Style = Style(bold=True)
    table_rule: Style = Style(dim=True)
    code_block: Style = Style(bgcolor="#1b1f27")
    code_label: Style = Style(dim=True, italic=True)
    code_wrap_mark: Style = Style(dim=True)
    code: CodeLook = CodeLook()

    def heading(self, level: int) -> Style:
        """The style of a heading: colour and underline thin out as the level goes down."""
        return (self.heading_1, self.heading_2, self.heading_3, self.heading_4)[min(level, 4) - 1]
