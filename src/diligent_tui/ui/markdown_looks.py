"""How Markdown looks in each theme."""

from rich.style import Style

from diligent_tui.ui.markdown import CodeLook, MarkdownLook
from diligent_tui.ui.opening import ThemeName


def look_for(theme: ThemeName) -> MarkdownLook:
    """The look of Markdown in a theme."""
    match theme:
        case "dark":
            return _DARK
        case "light":
            return _LIGHT
        case "ansi":
            return _ANSI


_DARK = MarkdownLook(
    heading_1=Style(color="#9db8fb", bold=True, underline=True),
    heading_2=Style(color="#9db8fb", bold=True),
    heading_3=Style(color="#c8d0e6", bold=True),
    heading_4=Style(color="#8089a8", bold=True),
    inline_code=Style(color="#b4d88b"),
    link=Style(color="#7aa2f7", underline=True),
    link_address=Style(color="#8089a8"),
    html=Style(color="#8089a8"),
    list_marker=Style(color="#7aa2f7"),
    quote_bar=Style(color="#56607f"),
    rule=Style(color="#56607f"),
    table_rule=Style(color="#56607f"),
    code_block=Style(bgcolor="#1b1f2a"),
    code_label=Style(color="#8089a8", italic=True),
    code_wrap_mark=Style(color="#56607f"),
)

_LIGHT = MarkdownLook(
    heading_1=Style(color="#1f4a99", bold=True, underline=True),
    heading_2=Style(color="#1f4a99", bold=True),
    heading_3=Style(color="#23283a", bold=True),
    heading_4=Style(color="#626a80", bold=True),
    inline_code=Style(color="#3b6e1b"),
    link=Style(color="#2e5fb8", underline=True),
    link_address=Style(color="#626a80"),
    html=Style(color="#626a80"),
    list_marker=Style(color="#2e5fb8"),
    quote_bar=Style(color="#a9a695"),
    rule=Style(color="#a9a695"),
    table_rule=Style(color="#a9a695"),
    code_block=Style(bgcolor="#f0ede4"),
    code_label=Style(color="#626a80", italic=True),
    code_wrap_mark=Style(color="#a9a695"),
    code=CodeLook(
        keyword=Style(color="#8131a8"),
        function=Style(color="#2e5fb8"),
        type_name=Style(color="#8a5a00"),
        builtin=Style(color="#0b6e6e"),
        attribute=Style(color="#4d5a78"),
        string=Style(color="#3b6e1b"),
        number=Style(color="#a3430b"),
        comment=Style(color="#626a80", italic=True),
        operator=Style(color="#0b6e6e"),
        decorator=Style(color="#8a5a00", italic=True),
        inserted=Style(color="#3b6e1b"),
        deleted=Style(color="#b3123f"),
    ),
)

_ANSI = MarkdownLook(
    heading_1=Style(color="blue", bold=True, underline=True),
    heading_2=Style(color="blue", bold=True),
    inline_code=Style(color="green"),
    link=Style(color="blue", underline=True),
    list_marker=Style(color="blue"),
    code_block=Style(),
    code=CodeLook(
        keyword=Style(color="magenta"),
        function=Style(color="blue"),
        type_name=Style(color="yellow"),
        builtin=Style(color="cyan"),
        attribute=Style(color="cyan"),
        string=Style(color="green"),
        number=Style(color="red"),
        comment=Style(dim=True, italic=True),
        operator=Style(color="cyan"),
        decorator=Style(color="yellow"),
        inserted=Style(color="green"),
        deleted=Style(color="red"),
    ),
)
