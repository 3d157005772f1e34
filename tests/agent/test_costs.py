import pytest

from diligent_tui.agent.costs import cost_of
from diligent_tui.domain.models import Model, Prices
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.registry import find

PLAIN = Model("openai-compatible", "plain", prices=Prices(3, 15))
CACHED = Model("openai-compatible", "cached", prices=Prices(3, 15, 0.3, 3.75))
FREE = Model("openai-compatible", "free", prices=Prices(0, 0, 0, 0))
UNKNOWN = Model("openai-compatible", "unknown")


def used(fresh: int = 0, output: int = 0, read: int = 0, write: int = 0) -> Usage:
    return Usage(input_tokens=fresh, output_tokens=output, cache_read_tokens=read, cache_write_tokens=write)


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        (PLAIN, used(), 0.0),
        (PLAIN, used(1_000_000, 0), 3.0),
        (PLAIN, used(0, 1_000_000), 15.0),
        (PLAIN, used(2_000, 500), 0.0135),
        (PLAIN, used(2_000, 500, read=1), None),
        (PLAIN, used(2_000, 500, write=1), None),
        (CACHED, used(0, 0, read=1_000_000), 0.3),
        (CACHED, used(0, 0, write=1_000_000), 3.75),
        (CACHED, used(1_000, 2_000, read=50_000, write=4_000), 0.063),
        (FREE, used(1_000, 2_000, 3_000, 4_000), 0.0),
        (UNKNOWN, used(1), None),
        (UNKNOWN, used(), None),
        (find("offline"), used(1_000, 1_000, 1_000, 1_000), 0.0),
        (find("sonnet"), used(1_000, 1_000, 100_000, 2_000), 0.027),
        (find("gpt-4o"), used(1_000, 1_000, 10_000), 0.025),
        (find("gpt-4o"), used(1_000, 1_000, write=10), None),
        (find("claude-fable-5-2"), used(1_000), None),
        (find("claude-next-9"), used(1_000), None),
    ],
)
def test_a_request_costs_what_its_kinds_of_tokens_cost(model: Model, usage: Usage, dollars: float | None) -> None:
    assert cost_of(usage, model) == (None if dollars is None else pytest.approx(dollars))


@pytest.mark.parametrize(
    ("name", "usage", "dollars"),
    [
        ("claude-haiku-5-5", used(100_000), 0.01),
        ("claude-haiku-5-5", used(100_001), 0.0500005),
        ("claude-haiku-5-5", used(1, 1_000, read=100_000), 0.0075005),
        ("gpt-6.1-sol", used(272_000, 1_000), 0.554),
        ("gpt-6.1-sol", used(300_000, 1_000), 1.215),
        ("gpt-6.1-sol", used(0, 0, read=300_000), 0.06),
        ("gpt-5.5", used(272_000), 1.36),
        ("gpt-5.5", used(300_000), None),
    ],
)
def test_a_long_prompt_costs_what_its_maker_says_of_long_ones(name: str, usage: Usage, dollars: float | None) -> None:
    assert cost_of(usage, find(name)) == (None if dollars is None else pytest.approx(dollars))


def test_the_users_own_prices_hold_for_any_length() -> None:
    mine = Model("anthropic", "claude-haiku-5-5", prices=Prices(1, 1))
    assert cost_of(used(200_000), mine) == pytest.approx(0.2)
