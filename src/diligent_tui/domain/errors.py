"""The one tree of errors; each says what happened and what to do next.

DiligentError
├── UsageError              the command line or a slash command was not understood
├── SettingsError           a settings file cannot be used
├── StorageError            a file could not be read or written
│   ├── StorageFull         no space, or over quota
│   ├── StorageReadOnly     the folder or file cannot be written
│   ├── SessionLocked       another process writes this session
│   ├── SessionNotFound     no session of that name
│   ├── SessionReadOnly     this session may be read but not continued in place
│   └── KnowledgeConflict   a knowledge entry was replaced or taken back meanwhile
├── ToolError               a tool could not do its work; the message goes to the model
│   └── PermissionRefused   the user, the mode or a rule said no
└── ProviderError           a model could not answer
    ├── Passing             it passes by itself; may say when to come back
    │   ├── RateLimited     too many requests
    │   ├── Overloaded      the provider is too busy
    │   └── Unavailable     the provider cannot be reached
    ├── AuthFailed          the key is missing or refused
    ├── ModelUnknown        nobody offers this model
    ├── ContextOverflow     the request is larger than the model's window
    ├── BadResponse         the provider answered something we cannot use
    └── StreamCut           the answer ended before its end
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from diligent_tui.domain.knowledge import KnowledgeEntry


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as data, fit for an event or a file."""

    kind: str
    message: str
    advice: str


class DiligentError(Exception):
    """The root: a kind for programs, a sentence and an advice for people."""

    kind: ClassVar[str] = "error"
    advice_by_default: ClassVar[str] = "Try again; if it happens again, `diligent doctor` may tell more."

    def __init__(self, message: str, advice: str | None = None) -> None:
        """Say what happened, and what to do where the usual advice does not fit."""
        super().__init__(message)
        self.message = message
        self.advice = advice or self.advice_by_default

    @property
    def problem(self) -> Problem:
        """The error as data."""
        return Problem(self.kind, self.message, self.advice)


class UsageError(DiligentError):
    """The command line or a slash command was not understood."""

    kind = "usage"
    advice_by_default = "`diligent --help` lists what can be said."


class SettingsError(DiligentError):
    """A settings file cannot be used."""

    kind = "settings"
    advice_by_default = "Mend the named line; diligent starts with the other settings meanwhile."


class StorageError(DiligentError):
    """A file could not be read or written."""

    kind = "storage"
    advice_by_default = "The text is kept here; check the disk, then retry."


class StorageFull(StorageError):
    """No space is left, or the quota is used up."""

    kind = "storage_full"
    advice_by_default = "Free some space, then retry: the text is kept here until it is saved."


class StorageReadOnly(StorageError):
    """The folder or file cannot be written."""

    kind = "storage_read_only"
    advice_by_default = "Make the folder writable, or start diligent in another one with --cwd."


class SessionLocked(StorageError):
    """Another process writes this session."""

    kind = "session_locked"
    advice_by_default = "Close it there, open it read-only, or fork it to go on here."


class SessionNotFound(StorageError):
    """No session of that name exists."""

    kind = "session_not_found"
    advice_by_default = "`diligent --list` shows the sessions of this project."


class SessionReadOnly(StorageError):
    """This session may be read but not continued in place."""

    kind = "session_read_only"
    advice_by_default = "Fork it to go on from here; the file itself stays as it is."


class KnowledgeConflict(StorageError):
    """A knowledge entry was replaced or taken back meanwhile; carries what stands there now."""

    kind = "knowledge_conflict"
    advice_by_default = "Read the newer entry; supersede that one if it is wrong too."

    def __init__(self, message: str, newer: "KnowledgeEntry", advice: str | None = None) -> None:
        """Keep the newest entry of the chain."""
        super().__init__(message, advice)
        self.newer = newer


class ToolError(DiligentError):
    """A tool could not do its work; the message is meant for the model."""

    kind = "tool"
    advice_by_default = "The model was told and may try another way."


class PermissionRefused(ToolError):
    """The user, the mode or a rule said no."""

    kind = "permission"
    advice_by_default = "Change the mode, or add a rule, if this should be allowed."


class ProviderError(DiligentError):
    """A model could not answer."""

    kind = "provider"
    may_retry: ClassVar[bool] = False
    advice_by_default = "Send the prompt again, or switch the model."


class Passing(ProviderError):
    """A failure that passes by itself."""

    may_retry = True

    def __init__(self, message: str, advice: str | None = None, retry_after_seconds: float | None = None) -> None:
        """Remember when the provider asked us to come back."""
        super().__init__(message, advice)
        self.retry_after_seconds = retry_after_seconds


class RateLimited(Passing):
    """Too many requests for now."""

    kind = "rate_limited"
    advice_by_default = "Wait for the limit to pass, or switch the model."


class Overloaded(Passing):
    """The provider is too busy."""

    kind = "overloaded"
    advice_by_default = "Try again in a minute, or switch the model."


class Unavailable(Passing):
    """The provider cannot be reached."""

    kind = "unavailable"
    advice_by_default = "Check the connection and the base URL, then send the prompt again."


class AuthFailed(ProviderError):
    """The key is missing or was refused."""

    kind = "auth"
    advice_by_default = "Set the provider's key in the environment, then start again."


class ModelUnknown(ProviderError):
    """Nobody offers this model."""

    kind = "model_unknown"
    advice_by_default = "Write provider/model, or add the model to your settings."


class ContextOverflow(ProviderError):
    """The request is larger than the model's window."""

    kind = "context_overflow"
    advice_by_default = "Use /compact, or switch to a model with a larger window."

    def __init__(
        self, message: str, advice: str | None = None, tokens: int | None = None, limit: int | None = None
    ) -> None:
        """Keep the figures the provider named, if any."""
        super().__init__(message, advice)
        self.tokens = tokens
        self.limit = limit


class BadResponse(ProviderError):
    """The provider answered something we cannot use."""

    kind = "bad_response"
    advice_by_default = "Send the prompt again; if it stays, check the base URL or switch the model."


class StreamCut(ProviderError):
    """The answer ended before its end; what had arrived is kept."""

    kind = "stream_cut"
    may_retry = True
    advice_by_default = "What had arrived is kept. Send the prompt again to go on."
