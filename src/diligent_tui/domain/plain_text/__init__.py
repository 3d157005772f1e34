"""The one gate for text from outside: a model, a tool, a file, a file's name, settings, a session.

What is stored stays as it came; what is shown has passed `clean`, `clean_line`, `clean_name`, `styled` or a
`StreamCleaner`, and what the user must judge, such as a command, has passed `reveal`. After any of them no control
character but the newline is left and nothing invisible, so a terminal has nothing to obey. Private-use characters
stay, for fonts draw signs there.
"""

from diligent_tui.domain.plain_text.cleaning import StreamCleaner, clean, clean_line, clean_name, reveal
from diligent_tui.domain.plain_text.styles import PLAIN, Style, StyledText, styled
from diligent_tui.domain.plain_text.surrogates import mend_surrogates

__all__ = [
    "PLAIN",
    "StreamCleaner",
    "Style",
    "StyledText",
    "clean",
    "clean_line",
    "clean_name",
    "mend_surrogates",
    "reveal",
    "styled",
]
