"""What the server counts becomes our one shape."""

import pytest

from diligent_tui.providers.openai_responses.usage import usage_of
from tests.providers.usage_golden import RESPONSES


@pytest.mark.parametrize("name", RESPONSES)
def test_counts_become_one_shape(name: str) -> None:
    told, usage = RESPONSES[name]
    assert usage_of(told) == usage


@pytest.mark.parametrize("odd", ["many", 7, [], {}, True])
def test_what_is_no_count_is_none(odd: object) -> None:
    assert usage_of(odd) is None
