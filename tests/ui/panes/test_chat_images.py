"""Pictures that go with a prompt are named below it."""

from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest

from diligent_tui.domain.messages import ImageBlock
from diligent_tui.ui.panes.chat import ChatPane
from diligent_tui.ui.panes.chat.pictures import picture_words
from tests.agent.test_attachments import png
from tests.ui.stage import ask, blocks, make_app, ready, settled


async def test_pictures_that_go_with_a_prompt_are_named_in_the_chat_live_and_after_reopening(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    (app.opening.cwd / "shot.png").write_bytes(png(640, 480, 2_048))
    (app.opening.cwd / "huge.png").write_bytes(png(10_000, 800))
    async with app.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        assert core.session is not None
        await core.session.set_model(replace(core.session.model, sees_images=True))
        await ask(pilot, "look at @shot.png and @huge.png")
        live = drawn_prompt(core.chat)
    assert live == [
        "",
        " ▌ look at @shot.png and @huge.png",
        " ▌ [image huge.png left out: 10,000×800 pixels are more than any model takes]",
        " ▌ ▪ shot.png  PNG 640×480  2 KB",
    ]
    again = make_app(tmp_path, goes_on=True)
    async with again.run_test(size=(100, 30)) as pilot:
        core = await ready(pilot)
        await settled(pilot)
        assert drawn_prompt(core.chat) == live


def drawn_prompt(chat: ChatPane) -> list[str]:
    """The rows of the first prompt."""
    prompt = next(block for block in blocks(chat) if block.kind == "prompt")
    return [strip.text for strip in chat.renderer.render(prompt, 90, False)]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (ImageBlock(source={"type": "url", "url": "https://x.org/a.png"}, name="a.png"), "▪ a.png"),
        (ImageBlock(source={"data": "!!!"}), "▪ image  1 KB"),
        (ImageBlock(source={"data": "é"}), "▪ image  1 KB"),
        (ImageBlock(source={"data": b64encode(png(8, 9, 3_000_000)).decode()}), "▪ image  PNG 8×9  3.0 MB"),
        (ImageBlock(source={"data": ""}, name="\x1b[2J\u202e" + "x" * 99), None),
    ],
)
def test_a_picture_is_told_by_what_is_known_of_it(block: ImageBlock, words: str | None) -> None:
    said = picture_words(block)
    assert words is None or said == words
    assert said.isprintable()
    assert len(said) < 60
