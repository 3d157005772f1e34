"""Every wire format that the loopback server speaks; a new one is one line here."""

from tests.wire import anthropic, chat, responses
from tests.wire.format import Format

FORMATS: tuple[Format, ...] = (anthropic.FORMAT, responses.FORMAT, chat.FORMAT)
