"""What a request costs in dollars, if the model's prices are known."""

from diligent_tui.domain.models import Model
from diligent_tui.domain.usage import Usage
from diligent_tui.providers.registry import prices_at

TOKENS_PER_PRICE = 1_000_000


def cost_of(usage: Usage, model: Model) -> float | None:
    """Dollars for one request, at the prices for a prompt of its length; None if a price that matters is unknown."""
    prices = prices_at(model, usage.prompt_tokens)
    if prices is None:
        return None
    parts = (
        (usage.input_tokens, prices.input),
        (usage.output_tokens, prices.output),
        (usage.cache_read_tokens, prices.cache_read),
        (usage.cache_write_tokens, prices.cache_write),
    )
    total = 0.0
    for tokens, price in parts:
        if tokens and price is None:
            return None
        total += tokens * (price or 0.0)
    return total / TOKENS_PER_PRICE
