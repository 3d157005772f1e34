"""What servers of Chat Completions say has gone wrong, as our errors, with advice for the usual local ones."""

import re

from diligent_tui.domain.errors import BadResponse, ModelUnknown, ProviderError, Unavailable
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.domain.plain_text import clean_line
from diligent_tui.providers.faults import from_error
from diligent_tui.providers.wire.values import is_count, is_object

PROVIDER = "openai-compatible"
LONGEST_NAME_CHARS = 64

_NO_TOOLS = re.compile(
    r"(?:does not|doesn't|do not|not) support (?:tools|tool|function)|no endpoints found that support tool"
    r"|enable-auto-tool-choice|tool choice requires",
    re.IGNORECASE,
)
_TOOLS_ADVICE = (
    "Choose a model that can call tools (Ollama marks them with `tools`), and switch tool calls on in the server "
    "(vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja)."
)


def from_event(error: object) -> ProviderError:
    """The error that a chunk tells of; its code may be a status, as of HTTP."""
    told: JsonObject = error if is_object(error) else {"message": error if isinstance(error, str) else ""}
    code = told.get("code")
    is_status = is_count(code) and 400 <= code < 600
    return advised(from_error(PROVIDER, told, code if is_count(code) and is_status else None))


def advised(error: ProviderError) -> ProviderError:
    """The same error, with advice that fits a server of one's own."""
    # The server has no name of its own, so that it stands in small letters within a sentence.
    error.message = error.message.replace(" The server", " the server")
    error.args = (error.message,)
    if _NO_TOOLS.search(error.message):
        return BadResponse(error.message, _TOOLS_ADVICE)
    match error:
        case ModelUnknown():
            advice = "Load it first (Ollama: `ollama pull`), or choose one that the server lists in the model picker."
            return ModelUnknown(error.message, advice)
        case Unavailable() if "nobody answers" in error.message:
            advice = "Start the server (`ollama serve`, LM Studio, vLLM …), or set provider.openai-compatible.baseUrl."
            return Unavailable(error.message, advice)
        case _:
            return error


def written_as_text(tool: str) -> BadResponse:
    """Why nothing happened although the model wrote a call."""
    name = clean_line(tool, LONGEST_NAME_CHARS)
    return BadResponse(
        f"The model wrote its call of {name} as plain text, which the server did not recognise. Nothing was run.",
        f"Send the prompt again, or: {_TOOLS_ADVICE[0].lower()}{_TOOLS_ADVICE[1:]}",
    )
