"""One environment variable as pydantic-settings reads it."""

from collections.abc import Mapping

from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as Unreadable

from diligent_tui.config.environment import BETWEEN, PREFIX
from diligent_tui.config.settings import Settings


class _Shape(Settings, BaseSettings):
    """The shape that variables are read by; never made."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_prefix_target="all", env_nested_delimiter=BETWEEN)


class _OneVariable(EnvSettingsSource):
    def __init__(self, name: str, value: str) -> None:
        self._name = name
        self._value = value
        super().__init__(_Shape)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {self._name: self._value}


def read_variable(name: str, said: str) -> dict[str, object]:
    """The tree that a variable means, named in small letters; ValueError if its text is not the JSON that is needed."""
    try:
        return _OneVariable(name, said)()
    except Unreadable as error:
        raise ValueError("not the JSON that this setting needs") from error
