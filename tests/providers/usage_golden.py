"""Raw counts as each maker's server tells them, and the one shape that each is to become."""

from diligent_tui.domain.usage import Usage

ANTHROPIC: dict[str, tuple[object, object, Usage | None]] = {
    "nothing cached": (
        {"input_tokens": 25, "output_tokens": 1},
        {"output_tokens": 15},
        Usage(input_tokens=25, output_tokens=15),
    ),
    "read and written, which do not overlap with the input": (
        {
            "input_tokens": 4,
            "cache_creation_input_tokens": 300,
            "cache_read_input_tokens": 12_000,
            "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 200},
            "output_tokens": 2,
            "service_tier": "standard",
        },
        {"output_tokens": 90, "output_tokens_details": {"thinking_tokens": 60}},
        Usage(input_tokens=4, output_tokens=90, cache_read_tokens=12_000, cache_write_tokens=300),
    ),
    "written, told only by lifetime": (
        {"input_tokens": 4, "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 200}},
        {"output_tokens": 9},
        Usage(input_tokens=4, output_tokens=9, cache_write_tokens=300),
    ),
    "told again at the end": (
        {"input_tokens": 25, "cache_read_input_tokens": 5, "output_tokens": 1},
        {"input_tokens": 25, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0, "output_tokens": 15},
        Usage(input_tokens=25, output_tokens=15, cache_read_tokens=5),
    ),
    "grown while tools ran at the server": (
        {"input_tokens": 25, "output_tokens": 1},
        {"input_tokens": 2500, "output_tokens": 15},
        Usage(input_tokens=2500, output_tokens=15),
    ),
    "told only at the end, as gateways do": (
        {"input_tokens": 0, "output_tokens": 0},
        {"input_tokens": 25, "output_tokens": 15},
        Usage(input_tokens=25, output_tokens=15),
    ),
    "zeroed at the end": (
        {"input_tokens": 25, "output_tokens": 1},
        {"input_tokens": 0, "output_tokens": 15},
        Usage(input_tokens=25, output_tokens=15),
    ),
    "null where there is nothing": (
        {"input_tokens": 25, "cache_creation_input_tokens": None, "cache_read_input_tokens": None, "output_tokens": 1},
        {"output_tokens": 15},
        Usage(input_tokens=25, output_tokens=15),
    ),
    "nothing told": (None, None, None),
    "no input told": (None, {"output_tokens": 15}, None),
    "negative": ({"input_tokens": -5, "output_tokens": -1}, {}, None),
    "absurd": ({"input_tokens": 10**15}, {"output_tokens": 15}, None),
    "no numbers": ({"input_tokens": "25", "output_tokens": True}, [], None),
}
"""At the start of an answer, at its end, and both together."""

RESPONSES: dict[str, tuple[object, Usage | None]] = {
    "nothing cached": (
        {
            "input_tokens": 328,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 52,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 380,
        },
        Usage(input_tokens=328, output_tokens=52),
    ),
    "read from the cache, which is part of the input": (
        {"input_tokens": 13_000, "input_tokens_details": {"cached_tokens": 12_800}, "output_tokens": 52},
        Usage(input_tokens=200, output_tokens=52, cache_read_tokens=12_800),
    ),
    "read and written": (
        {
            "input_tokens": 13_000,
            "input_tokens_details": {
                "cached_tokens": 12_000,
                "cache_write_tokens": 900,
                "cache_write_tokens_details": {"ttl_30m_tokens": 900, "ttl_12h_tokens": 0},
            },
            "output_tokens": 52,
        },
        Usage(input_tokens=100, output_tokens=52, cache_read_tokens=12_000, cache_write_tokens=900),
    ),
    "reasoning, which is part of the output": (
        {
            "input_tokens": 75,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1_186,
            "output_tokens_details": {"reasoning_tokens": 1_024},
            "total_tokens": 1_261,
        },
        Usage(input_tokens=75, output_tokens=1_186),
    ),
    "no details": ({"input_tokens": 75, "output_tokens": 11}, Usage(input_tokens=75, output_tokens=11)),
    "more cached than sent": (
        {
            "input_tokens": 75,
            "input_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 9},
            "output_tokens": 1,
        },
        Usage(output_tokens=1, cache_read_tokens=75),
    ),
    "nothing told": (None, None),
    "only zeros": ({"input_tokens": 0, "output_tokens": 0}, None),
    "negative": ({"input_tokens": -5, "output_tokens": 3}, None),
    "negative in the details": (
        {"input_tokens": 5, "input_tokens_details": {"cached_tokens": -1}, "output_tokens": 3},
        Usage(input_tokens=5, output_tokens=3),
    ),
    "absurd": ({"input_tokens": 10**15, "output_tokens": 3}, None),
    "no numbers": ({"input_tokens": "75", "output_tokens": True}, None),
}
"""The `usage` of a response."""

CHAT: dict[str, tuple[object, Usage | None]] = {
    "Ollama": (
        {"prompt_tokens": 26, "completion_tokens": 298, "total_tokens": 324},
        Usage(input_tokens=26, output_tokens=298),
    ),
    "vLLM": (
        {"prompt_tokens": 26, "completion_tokens": 298, "total_tokens": 324, "prompt_tokens_details": None},
        Usage(input_tokens=26, output_tokens=298),
    ),
    "OpenRouter, cached and with reasoning": (
        {
            "prompt_tokens": 2_006,
            "completion_tokens": 300,
            "total_tokens": 2_306,
            "cost": 0.00041,
            "prompt_tokens_details": {"cached_tokens": 1_920, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 250},
        },
        Usage(input_tokens=86, output_tokens=300, cache_read_tokens=1_920),
    ),
    "DeepSeek, cached in its own words": (
        {
            "prompt_tokens": 2_006,
            "completion_tokens": 300,
            "prompt_cache_hit_tokens": 1_920,
            "prompt_cache_miss_tokens": 86,
        },
        Usage(input_tokens=86, output_tokens=300, cache_read_tokens=1_920),
    ),
    "xAI, reasoning counted beside the output": (
        {
            "prompt_tokens": 32,
            "completion_tokens": 9,
            "total_tokens": 135,
            "completion_tokens_details": {"reasoning_tokens": 94},
        },
        Usage(input_tokens=32, output_tokens=103),
    ),
    "written to a cache": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 9,
            "prompt_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 50},
        },
        Usage(input_tokens=10, output_tokens=9, cache_read_tokens=40, cache_write_tokens=50),
    ),
    "nothing told": (None, None),
    "only zeros": ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, None),
    "no output told": ({"prompt_tokens": 26}, None),
    "negative": ({"prompt_tokens": -1, "completion_tokens": 9}, None),
    "absurd": ({"prompt_tokens": 10**15, "completion_tokens": 9}, None),
    "no numbers": ({"prompt_tokens": 26.5, "completion_tokens": "9"}, None),
}
"""The `usage` of a chunk."""
