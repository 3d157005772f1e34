import pytest

from diligent_tui.config.outline import all_names
from diligent_tui.config.setting_names import find_name, find_value_name, value_names
from diligent_tui.domain.errors import UsageError


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("theme", ("theme",)),
        ("compaction.reserveTokens", ("compaction", "reserveTokens")),
        ("knowledge.halfLifeDays.pattern", ("knowledge", "halfLifeDays", "pattern")),
        ("provider.openai.apiKey", ("provider", "openai", "apiKey")),
        ("models.openai/gpt-6.1-sol.window", ("models", "openai/gpt-6.1-sol", "window")),
        ("models.a.b.c.prices.input", ("models", "a.b.c", "prices", "input")),
        ("provider.my.host.headers.X-A.B", ("provider", "my.host", "headers", "X-A.B")),
        ("keys.send", ("keys", "send")),
        ("keys", ("keys",)),
    ],
)
def test_a_dotted_name_means_a_path_even_if_a_part_has_dots(said: str, path: tuple[str, ...]) -> None:
    assert find_name(said) == path
    assert find_value_name(said) == path


@pytest.mark.parametrize(
    "said", ["", ".", "ui.", "ui..bell", "nothing", "theme.dark", "ui.bell.loud", "provider..apiKey"]
)
def test_what_names_nothing_is_refused(said: str) -> None:
    with pytest.raises(UsageError, match="is not a setting"):
        find_name(said)


@pytest.mark.parametrize("said", ["ui", "knowledge.halfLifeDays", "provider", "provider.openai", "models.a.prices"])
def test_a_section_can_be_named_but_takes_no_value(said: str) -> None:
    assert find_name(said)
    with pytest.raises(UsageError):
        find_value_name(said)


def test_every_name_that_takes_a_value_is_offered_and_found() -> None:
    names = value_names()
    assert len(names) == sum(setting.section is None for _, setting in all_names())
    for name in names:
        assert ".".join(find_value_name(name)) == name
