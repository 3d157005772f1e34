"""What the servers accept, written down as checks, so that no test needs a server to know it."""

from diligent_tui.providers.wire.anthropic import check_anthropic
from diligent_tui.providers.wire.chat import check_chat
from diligent_tui.providers.wire.neutral import check_request
from diligent_tui.providers.wire.responses import check_responses

__all__ = ["check_anthropic", "check_chat", "check_request", "check_responses"]
