import json
from datetime import UTC, datetime

import pytest

from diligent_tui.domain.errors import ContextOverflow, Passing, RateLimited
from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.faults import LONGEST_WORDS_CHARS, from_error, from_status, no_stream, words
from diligent_tui.providers.overflow import overflow_in
from diligent_tui.providers.retry_after import limit_passes_in, retry_after_in

OVERFLOWS: list[tuple[str, int | None, int | None]] = [
    ("prompt is too long: 200300 tokens > 200000 maximum", 200_300, 200_000),
    ("input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000, decrease it", 207_000, 200_000),
    (
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130,001 tokens.",
        130_001,
        128_000,
    ),
    (
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages)",
        9000,
        8192,
    ),
    (
        "This endpoint's maximum context length is 163840 tokens. However, you requested about 200000 tokens",
        200_000,
        163_840,
    ),
    ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", None, 4096),
    ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537_812, 131_072),
    (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        1_200_000,
        1_048_576,
    ),
    (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        40_000,
        32_768,
    ),
    ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 5000, 4096),
    (
        "Trying to keep the first 5000 tokens when context the overflows. However, it is loaded with only 4096 tokens",
        5000,
        4096,
    ),
    ("`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens", 5000, 4097),
    (
        "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000.",
        45_000,
        30_000,
    ),
    ("Your input exceeds the context window of this model. Please adjust your input and try again.", None, None),
    ("context_length_exceeded", None, None),
    ("the request exceeds the available context size", None, None),
    ("input length exceeds the context length", None, None),
    ("Input is too long for requested model.", None, None),
    ("Please reduce the length of the messages or completion.", None, None),
    ("too many tokens in the prompt", None, None),
    ("The prompt exceeds the model limit", None, None),
    ("maximum context length reached", None, None),
    ("Context window exceeded", None, None),
]
NO_OVERFLOWS = [
    "Too many tokens, please wait before trying again.",
    "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.",
    "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 2000. Please try again in 2s.",
    "max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens for claude-x",
    "messages: text content blocks must be non-empty",
    "tool_use ids were found without tool_result blocks",
    "number of request tokens has exceeded your per-minute rate limit",
    "Overloaded",
    "",
]


@pytest.mark.parametrize(("text", "tokens", "limit"), OVERFLOWS)
def test_words_for_an_overflow_are_known_with_their_figures(text: str, tokens: int | None, limit: int | None) -> None:
    found = overflow_in(text)
    assert isinstance(found, ContextOverflow)
    assert (found.tokens, found.limit) == (tokens, limit)
    for figure in (tokens, limit):
        assert figure is None or (tokens is None or limit is None) or f"{figure:,}" in found.message


@pytest.mark.parametrize("text", NO_OVERFLOWS)
def test_other_words_are_no_overflow(text: str) -> None:
    assert overflow_in(text) is None


@pytest.mark.parametrize("text", ["maximum context length is " * 2000, "a" * 10**6, "prompt contains 1 tokens" * 5000])
def test_words_beyond_measure_do_not_hang(text: str) -> None:
    overflow_in(text)


NOW = datetime(2026, 11, 16, 12, 0, 0, tzinfo=UTC)
WAITS: list[tuple[dict[str, str], str, float | None]] = [
    ({"retry-after": "7"}, "", 7),
    ({"Retry-After": "0"}, "", 0),
    ({"retry-after": "1.5"}, "", 1.5),
    ({"retry-after-ms": "250"}, "", 0.25),
    ({"retry-after-ms": "250", "retry-after": "9"}, "", 0.25),
    ({"retry-after": "Mon, 16 Nov 2026 12:00:30 GMT"}, "", 30),
    ({"retry-after": "2026-11-16T12:01:00Z"}, "", 60),
    ({"retry-after": "Mon, 16 Nov 2020 12:00:30 GMT"}, "", 0),
    ({"retry-after": "86400000"}, "", 86_400_000),
    ({"retry-after": "-5"}, "", None),
    ({"retry-after": "nan"}, "", None),
    ({"retry-after": "inf"}, "", None),
    ({"retry-after": "soon"}, "", None),
    ({"retry-after": "9" * 400}, "", None),
    ({"retry-after": ""}, "", None),
    ({}, "Please try again in 20s. Visit the page.", 20),
    ({}, "Please try again in 1.2s.", 1.2),
    ({}, "Please try again in 250ms.", 0.25),
    ({}, "Please try again in 6m0s.", 360),
    ({}, "Please retry after 20 seconds.", 20),
    ({}, "Please retry your request in 2 minutes.", 120),
    ({}, "Try again later.", None),
    ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s"}, "", 360),
    ({"anthropic-ratelimit-tokens-reset": "2026-11-16T12:00:10Z"}, "", 10),
    ({"anthropic-ratelimit-tokens-reset": "garbage"}, "", None),
]


@pytest.mark.parametrize(("headers", "message", "seconds"), WAITS)
def test_the_time_to_come_back_is_read_in_every_form(
    headers: dict[str, str], message: str, seconds: float | None
) -> None:
    found = limit_passes_in(headers, message, NOW)
    assert found == (seconds if seconds is None else pytest.approx(seconds))


def test_when_a_limit_is_reset_says_nothing_of_another_failure() -> None:
    assert retry_after_in({"x-ratelimit-reset-tokens": "6m0s"}, "", NOW) is None
    assert retry_after_in({"x-ratelimit-reset-tokens": "6m0s", "retry-after": "2"}, "", NOW) == 2


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 529])
def test_when_to_come_back_is_known_of_every_failure_that_passes(status: int) -> None:
    found = from_status("anthropic", status, b"{}", {"retry-after": "7", "x-ratelimit-reset-tokens": "6m0s"})
    assert isinstance(found, Passing)
    assert found.retry_after_seconds == 7


REFUSALS: list[tuple[int, object, str, str]] = [
    (
        400,
        {"error": {"type": "invalid_request_error", "message": "Your credit balance is too low."}},
        "provider",
        "credit",
    ),
    (
        429,
        {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota."}},
        "provider",
        "credit",
    ),
    (400, {"error": {"message": "model: claude-nope"}}, "model_unknown", "provider/model"),
    (404, {"error": {"type": "not_found_error", "message": "model: claude-nope"}}, "model_unknown", "provider/model"),
    (404, {"error": {"message": "The model `gpt-nope` does not exist"}}, "model_unknown", "provider/model"),
    (404, {"error": 'model "qwen" not found, try pulling it first'}, "model_unknown", "provider/model"),
    (404, "404 page not found", "bad_response", "base URL"),
    (503, {"error": {"message": "The server is overloaded"}}, "overloaded", "minute"),
    (500, {"error": {"type": "overloaded_error"}}, "overloaded", "minute"),
    (500, {"error": {"message": "prompt is too long: 5 tokens > 4 maximum"}}, "context_overflow", "/compact"),
    (400, {"detail": "maximum context length is 4 tokens"}, "context_overflow", "/compact"),
    (
        400,
        {"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 9, "n_ctx": 4}},
        "context_overflow",
        "/compact",
    ),
    (401, {"error": {"message": "invalid x-api-key"}}, "auth", "ANTHROPIC_API_KEY"),
    (418, {"message": "I am a teapot"}, "provider", "switch"),
    (599, {}, "unavailable", "minute"),
]


@pytest.mark.parametrize(("status", "body", "kind", "advice"), REFUSALS)
def test_a_refusal_becomes_an_error_with_advice(status: int, body: object, kind: str, advice: str) -> None:
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    problem = from_status("anthropic", status, raw, {}).problem
    assert problem.kind == kind
    assert advice in problem.advice
    assert problem.message.startswith(("Anthropic", "The request"))


def test_figures_of_an_error_object_are_kept() -> None:
    error: JsonObject = {"type": "exceed_context_size_error", "n_prompt_tokens": 9, "n_ctx": 4, "message": "no"}
    found = from_error("openai-compatible", error)
    assert isinstance(found, ContextOverflow)
    assert (found.tokens, found.limit) == (9, 4)


def test_a_gateways_error_tells_what_its_upstream_said() -> None:
    error: JsonObject = {"message": "Provider returned error", "metadata": {"raw": "prompt is too long: 9 tokens > 4"}}
    assert isinstance(from_error("openai-compatible", error, 400), ContextOverflow)


def test_the_words_within_a_limit_tell_when_to_come_back() -> None:
    error: JsonObject = {"code": "rate_limit_exceeded", "message": "Please try again in 3s."}
    found = from_error("openai", error)
    assert isinstance(found, RateLimited)
    assert found.retry_after_seconds == 3


SECRETS = [
    "sk-ant-api03-abcdefGHIJKL",
    "sk-proj-****wxyz",
    "Bearer abc.def",
    "gsk_abcdef123456",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
    "0123456789abcdef0123456789abcdef",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_key_is_never_shown(secret: str) -> None:
    shown = from_status("anthropic", 401, json.dumps({"error": {"message": f"Bad key: {secret}."}}).encode(), {})
    assert secret not in shown.message
    assert shown.message.startswith("Anthropic does not accept the key: Bad key: …")


def test_our_own_secrets_are_never_shown_whatever_they_look_like() -> None:
    shown = from_status("anthropic", 400, b'{"error": "not open sesame"}', {}, ["open sesame"])
    assert "sesame" not in shown.message
    moved = from_status("anthropic", 302, b"", {"location": "http://x/open sesame?key=1"}, ["open sesame"])
    assert "sesame" not in moved.message
    assert "key=1" not in moved.message


def test_model_names_and_request_ids_are_still_shown() -> None:
    assert words("model claude-sonnet-4-20250514 in req_011CSHoEeqs5C35K2UUqR7Fy") == (
        "model claude-sonnet-4-20250514 in req_011CSHoEeqs5C35K2UUqR7Fy"
    )


@pytest.mark.parametrize("text", ["\x1b]52;c;QUJD\x07", "\x1b[2J", "a\nb\rc", "\u202egnp.exe", "\ud800", "é" * 10_000])
def test_words_from_outside_are_one_harmless_line(text: str) -> None:
    shown = words(f"before {text} after")
    assert shown.isprintable()
    assert len(shown) <= LONGEST_WORDS_CHARS


def test_a_page_is_not_quoted() -> None:
    assert from_status("openai", 502, b"<html>Bad gateway</html>", {}).message == (
        "OpenAI has a fault of its own (HTTP 502)."
    )


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>Sign in</html>", "bad_response"),
        (b'{"hello": "there"}', "bad_response"),
        (b'{"error": {"type": "overloaded_error", "message": "Overloaded"}}', "overloaded"),
        (b'{"error": {"code": "invalid_api_key", "message": "Bad key"}}', "auth"),
        (b'{"error": "prompt is too long: 9 tokens > 4 maximum"}', "context_overflow"),
        (b"", "bad_response"),
    ],
)
def test_a_success_without_a_stream_is_an_error(body: bytes, kind: str) -> None:
    assert no_stream("openai", body).kind == kind
