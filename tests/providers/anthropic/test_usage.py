import pytest

from diligent_tui.providers.anthropic.usage import merged_usage
from tests.providers.usage_golden import ANTHROPIC


@pytest.mark.parametrize("case", ANTHROPIC)
def test_what_was_counted_becomes_one_shape(case: str) -> None:
    at_start, at_end, usage = ANTHROPIC[case]
    assert merged_usage(at_start, at_end) == usage
