"""Pictures in a session: sent with the prompt that names them, also out of the queue."""

from dataclasses import replace
from pathlib import Path

from diligent_tui.domain.messages import ImageBlock, UserMessage
from diligent_tui.domain.requests import Image, UserTurn
from tests.agent.conftest import Stage
from tests.agent.test_attachments import png


async def test_a_picture_goes_with_its_prompt_and_with_a_queued_one(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png(4, 4))
    await stage.session.set_model(replace(stage.session.model, sees_images=True))
    await stage.session.prompt("look at @a.png")
    await stage.session.prompt("and again @a.png")
    await stage.session.wait_idle()
    prompts = [message for message in stage.messages() if isinstance(message, UserMessage)]
    assert [[type(block) is ImageBlock for block in prompt.content] for prompt in prompts] == [[False, True]] * 2
    turns = [turn for turn in stage.session.next_request().messages if isinstance(turn, UserTurn)]
    assert sum(isinstance(part, Image) for turn in turns for part in turn.parts) == 2
