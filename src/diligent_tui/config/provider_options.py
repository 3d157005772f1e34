"""How to reach a provider, from the user's settings and environment; a key is asked for only when it is needed."""

import subprocess
from collections.abc import Mapping

from diligent_tui.config.model_list import key_of
from diligent_tui.config.settings import ProviderSettings, Settings
from diligent_tui.domain.errors import AuthFailed
from diligent_tui.providers.registry import ProviderOptions

KEY_COMMAND_SECONDS = 30.0


def provider_options(provider: str, settings: Settings, environ: Mapping[str, str]) -> ProviderOptions:
    """What a provider's maker is told; may run the user's own command for the key, so it is called in a thread."""
    told = settings.provider.get(provider, ProviderSettings())
    return ProviderOptions(
        pace_tokens_per_second=settings.offline.pace,
        api_key=_key(provider, told, settings, environ),
        base_url=told.base_url,
        headers={name: value.get_secret_value() for name, value in told.headers.items()},
        stall_seconds=settings.limits.stall_seconds,
    )


def _key(provider: str, told: ProviderSettings, settings: Settings, environ: Mapping[str, str]) -> str | None:
    state = key_of(provider, settings, environ)
    match state.place:
        case "environment":
            return environ[state.variable].strip()
        case "settings" if told.api_key:
            return told.api_key.get_secret_value()
        case "command" if told.api_key_command:
            return _said_by(told.api_key_command, provider)
        case _ if told.api_key:
            # A server of the user's own has no variable, and may want a key all the same.
            return told.api_key.get_secret_value()
        case _:
            return None


def _said_by(command: str, provider: str) -> str:
    """The first line that the user's command prints; what it printed is never shown."""
    try:
        ran = subprocess.run(
            ["/bin/sh", "-c", command], capture_output=True, text=True, timeout=KEY_COMMAND_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise AuthFailed(
            f"The command for the key of {provider} could not be run: {type(error).__name__}.", _advice(provider)
        ) from error
    key = ran.stdout.strip().partition("\n")[0].strip()
    if ran.returncode != 0 or not key:
        # What it printed may hold the key, so none of it is shown.
        said = "and printed no key" if not key else "all the same"
        raise AuthFailed(
            f"The command for the key of {provider} ended with {ran.returncode} {said}.", _advice(provider)
        )
    return key


def _advice(provider: str) -> str:
    return f"Look at provider.{provider}.apiKeyCommand in your settings."
