"""The styles that Markdown is drawn with, one per role, so that any theme can hand in its own."""

from dataclasses import dataclass, field

from rich.style import Style


@dataclass(frozen=True, slots=True)
class CodeLook:
    """How the parts of highlighted code are told apart; each is laid over the code block's own style."""

    keyword: Style = field(default_factory=lambda: Style(color="#c792ea"))
    name: Style = field(default_factory=Style)
    function: Style = field(default_factory=lambda: Style(color="#82aaff"))
    type_name: Style = field(default_factory=lambda: Style(color="#ffcb6b"))
    builtin: Style = field(default_factory=lambda: Style(color="#7fdbca"))
    attribute: Style = field(default_factory=lambda: Style(color="#b2ccd6"))
    string: Style = field(default_factory=lambda: Style(color="#c3e88d"))
    number: Style = field(default_factory=lambda: Style(color="#f78c6c"))
    comment: Style = field(default_factory=lambda: Style(color="#7f8c98", italic=True))
    operator: Style = field(default_factory=lambda: Style(color="#89ddff"))
    decorator: Style = field(default_factory=lambda: Style(color="#ffcb6b", italic=True))
    heading: Style = field(default_factory=lambda: Style(bold=True))
    inserted: Style = field(default_factory=lambda: Style(color="#9ccc65"))
    deleted: Style = field(default_factory=lambda: Style(color="#ef7178"))
    error: Style = field(default_factory=lambda: Style(underline=True))


@dataclass(frozen=True, slots=True)
class MarkdownLook:
    """A style for each role in a Markdown text; without arguments, a look for dark backgrounds."""

    text: Style = field(default_factory=Style)
    heading_1: Style = field(default_factory=lambda: Style(color="#82aaff", bold=True, underline=True))
    heading_2: Style = field(default_factory=lambda: Style(color="#82aaff", bold=True))
    heading_3: Style = field(default_factory=lambda: Style(bold=True))
    heading_4: Style = field(default_factory=lambda: Style(bold=True, dim=True))
    strong: Style = field(default_factory=lambda: Style(bold=True))
    emphasis: Style = field(default_factory=lambda: Style(italic=True))
    strike: Style = field(default_factory=lambda: Style(strike=True))
    inline_code: Style = field(default_factory=lambda: Style(color="#c3e88d"))
    link: Style = field(default_factory=lambda: Style(underline=True))
    link_address: Style = field(default_factory=lambda: Style(dim=True))
    image: Style = field(default_factory=lambda: Style(italic=True))
    html: Style = field(default_factory=lambda: Style(dim=True))
    list_marker: Style = field(default_factory=lambda: Style(color="#82aaff"))
    quote: Style = field(default_factory=lambda: Style(italic=True))
    quote_bar: Style = field(default_factory=lambda: Style(dim=True))
    rule: Style = field(default_factory=lambda: Style(dim=True))
    table_header: Style = field(default_factory=lambda: Style(bold=True))
    table_rule: Style = field(default_factory=lambda: Style(dim=True))
    code_block: Style = field(default_factory=lambda: Style(bgcolor="#1b1f27"))
    code_label: Style = field(default_factory=lambda: Style(dim=True, italic=True))
    code_wrap_mark: Style = field(default_factory=lambda: Style(dim=True))
    code: CodeLook = field(default_factory=CodeLook)

    def heading(self, level: int) -> Style:
        """The style of a heading: colour and underline thin out as the level goes down."""
        return (self.heading_1, self.heading_2, self.heading_3, self.heading_4)[min(level, 4) - 1]
