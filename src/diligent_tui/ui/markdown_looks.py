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
        case "contrast":
            return _CONTRAST


_DARK = MarkdownLook(
    heading_1=Style(color="#9db8fb", bold=True, underline=True),
    heading_2=Style(color="#9db8fb", bold=True),
    heading_3=Style(color="#c8d0e6", bold=True),
    heading_4=Style(color="#949dbb", bold=True),
    inline_code=Style(color="#b4d88b"),
    link=Style(color="#7aa2f7", underline=True),
    link_address=Style(color="#949dbb"),
    html=Style(color="#949dbb"),
    list_marker=Style(color="#7aa2f7"),
    quote_bar=Style(color="#56607f"),
    rule=Style(color="#56607f"),
    table_rule=Style(color="#56607f"),
    code_block=Style(bgcolor="#1b1f2a"),
    code_label=Style(color="#949dbb", italic=True),
    code_wrap_mark=Style(color="#56607f"),
    code=CodeLook(comment=Style(color="#8c98a6", italic=True)),
)

_LIGHT = MarkdownLook(
    heading_1=Style(color="#1f4a99", bold=True, underline=True),
    heading_2=Style(color="#1f4a99", bold=True),
    heading_3=Style(color="#23283a", bold=True),
    heading_4=Style(color="#555c72", bold=True),
    inline_code=Style(color="#34651b"),
    link=Style(color="#2857ab", underline=True),
    link_address=Style(color="#555c72"),
    html=Style(color="#555c72"),
    list_marker=Style(color="#2857ab"),
    quote_bar=Style(color="#a9a695"),
    rule=Style(color="#a9a695"),
    table_rule=Style(color="#a9a695"),
    code_block=Style(bgcolor="#f0ede4"),
    code_label=Style(color="#555c72", italic=True),
    code_wrap_mark=Style(color="#a9a695"),
    code=CodeLook(
        keyword=Style(color="#8131a8"),
        function=Style(color="#2857ab"),
        type_name=Style(color="#7a4e00"),
        builtin=Style(color="#0b6e6e"),
        attribute=Style(color="#4d5a78"),
        string=Style(color="#34651b"),
        number=Style(color="#a3430b"),
        comment=Style(color="#555c72", italic=True),
        operator=Style(color="#0b6e6e"),
        decorator=Style(color="#7a4e00", italic=True),
        inserted=Style(color="#34651b"),
        deleted=Style(color="#a8103b"),
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

_CONTRAST = MarkdownLook(
    heading_1=Style(color="#6fd3ff", bold=True, underline=True),
    heading_2=Style(color="#6fd3ff", bold=True),
    heading_3=Style(color="#ffffff", bold=True),
    heading_4=Style(color="#d6d6d6", bold=True),
    inline_code=Style(color="#7dff7d"),
    link=Style(color="#6fd3ff", underline=True),
    link_address=Style(color="#d6d6d6"),
    html=Style(color="#d6d6d6"),
    list_marker=Style(color="#6fd3ff"),
    quote_bar=Style(color="#9a9a9a"),
    rule=Style(color="#9a9a9a"),
    table_rule=Style(color="#9a9a9a"),
    code_block=Style(bgcolor="#141414"),
    code_label=Style(color="#d6d6d6", italic=True),
    code_wrap_mark=Style(color="#9a9a9a"),
    code=CodeLook(
        keyword=Style(color="#e0b8ff"),
        function=Style(color="#6fd3ff"),
        type_name=Style(color="#ffd000"),
        builtin=Style(color="#8ff0e0"),
        attribute=Style(color="#d6e6f0"),
        string=Style(color="#7dff7d"),
        number=Style(color="#ffb38a"),
        comment=Style(color="#d6d6d6", italic=True),
        operator=Style(color="#8ff0e0"),
        decorator=Style(color="#ffd000", italic=True),
        inserted=Style(color="#7dff7d"),
        deleted=Style(color="#ffa8a8"),
    ),
)
