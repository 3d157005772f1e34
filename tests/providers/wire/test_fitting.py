"""What no server takes as it comes is made fit, the same way each time."""

import pytest

from diligent_tui.providers.wire.fitting import clean_json, clean_text, wire_id, wire_name
from diligent_tui.providers.wire.values import (
    ANTHROPIC_CALL_ID,
    CHAT_CALL_ID,
    RESPONSES_CALL_ID,
    TOOL_NAME,
    is_sendable,
)


@pytest.mark.parametrize("call_id", ["functions.read:0", "a b", "", "ü", "x" * 65, "x" * 41, "\ud800"])
@pytest.mark.parametrize("accepted", [ANTHROPIC_CALL_ID, RESPONSES_CALL_ID, CHAT_CALL_ID])
def test_an_id_that_a_server_refuses_becomes_another_that_is_always_the_same(call_id: str, accepted: object) -> None:
    for pattern in (ANTHROPIC_CALL_ID, RESPONSES_CALL_ID, CHAT_CALL_ID):
        if pattern is accepted:
            fit = wire_id(call_id, pattern)
            assert pattern.fullmatch(fit)
            assert fit == wire_id(call_id, pattern)
            assert (fit == call_id) == bool(pattern.fullmatch(call_id))
            assert fit != wire_id(call_id + "é", pattern)


@pytest.mark.parametrize(
    ("name", "fit"), [("read", "read"), ("a.b c", "a_b_c"), ("", "unnamed"), ("é", "_"), ("x" * 99, "x" * 64)]
)
def test_a_made_up_tool_name_is_made_fit(name: str, fit: str) -> None:
    assert wire_name(name) == fit
    assert TOOL_NAME.fullmatch(fit)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plain", "plain"),
        ("é", "é"),
        ("a\ud800b", "a\ufffdb"),
        ("a\ud83d", "a\ufffd"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_half_characters_are_replaced_and_pairs_of_halves_joined(text: str, clean: str) -> None:
    assert clean_text(text) == clean


def test_values_that_json_does_not_have_are_replaced() -> None:
    deep: object = "bottom"
    for _ in range(900):
        deep = [deep]
    assert is_sendable(clean_json(deep))
    assert clean_json({"a": [1, 1.5, True, None, float("nan"), float("-inf"), object]}) == {
        "a": [1, 1.5, True, None, None, None, str(object)]
    }
