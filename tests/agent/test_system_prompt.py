"""The system prompt asks the model to keep what will hold, and not what is wanted now."""

from diligent_tui.agent.system_prompt import base_prompt


def test_the_model_is_asked_to_save_by_itself_and_not_the_intent_of_the_moment() -> None:
    prompt = base_prompt()
    for words in (
        "`add_knowledge`",
        "without being asked",
        "pattern",
        "decision",
        "preference",
        "correction",
        "Do not save the intent of the moment",
        "`supersede_knowledge`",
    ):
        assert words in prompt
