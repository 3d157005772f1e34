from dataclasses import replace

import pytest

from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import AssistantTurn, Image, Request, Text, ToolCall, ToolResult, UserPart, UserTurn
from diligent_tui.providers.anthropic.conversion import to_anthropic
from diligent_tui.providers.images import NOT_SEEN, limits_for, within_limits
from diligent_tui.providers.model_table import MODELS
from diligent_tui.providers.openai_chat.conversion import to_chat
from diligent_tui.providers.openai_responses.conversion import to_responses
from diligent_tui.providers.registry import find
from diligent_tui.providers.wire import check_anthropic, check_chat, check_request, check_responses
from tests.providers.pictures import image_of, jpeg, png
from tests.providers.talk import WEB

MEGABYTE = 1_048_576
SMALL = image_of(png(800, 600))
SONNET = find("claude-sonnet-4-5")
OTHER = Model("openai-compatible", "eyes", sees_images=True)


def asking(model: Model, *images: Image) -> Request:
    """A talk with a picture in each turn, the oldest first."""
    turns: list[UserTurn | AssistantTurn] = []
    for image in images:
        turns += [UserTurn((Text("look"), image)), AssistantTurn((Text("I see."),))]
    return Request(model, "", (), (*turns, UserTurn((Text("and now?"),))), 1_000)


def shown(request: Request) -> list[Image]:
    return [part for turn in request.messages for part in turn.parts if isinstance(part, Image)]


def notes(request: Request) -> list[str]:
    texts = [part.text for turn in request.messages for part in turn.parts if isinstance(part, Text)]
    return [text for text in texts if text.startswith("[image")]


def test_a_request_without_pictures_is_the_very_same() -> None:
    request = Request(SONNET, "", (), (UserTurn((Text("hello"),)),), 1_000)
    assert within_limits(request) is request


def test_pictures_within_the_limits_are_sent_as_they_are() -> None:
    request = asking(SONNET, SMALL, WEB)
    assert within_limits(request) == request


def test_a_model_without_eyes_is_told_of_each_picture() -> None:
    blind = replace(SONNET, sees_images=False)
    told = within_limits(asking(blind, SMALL, WEB))
    assert shown(told) == []
    assert sum(part == Text(NOT_SEEN) for turn in told.messages for part in turn.parts) == 2


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (image_of(png(10_000, 800)), "10,000 × 800 px"),
        (image_of(png(800, 8_001)), "8,000 px"),
        (image_of(png(8, 8), weight_bytes=6 * MEGABYTE), "6.0 MB"),
        (image_of(b"hello"), "can be read"),
        (Image({"type": "base64", "media_type": "image/png", "data": "no base64!!!"}), "can be read"),
        (Image({"type": "base64", "media_type": "image/png", "data": "\u202e\x1b[2J"}), "can be read"),
        (Image({"type": "base64", "media_type": "image/png", "data": ""}), "can be read"),
    ],
)
def test_a_picture_that_would_be_refused_becomes_words_that_say_why(image: Image, why: str) -> None:
    told = within_limits(asking(SONNET, SMALL, image))
    assert shown(told) == [SMALL]
    [note] = notes(told)
    assert why in note


def test_a_picture_is_called_what_it_is() -> None:
    [sent] = shown(within_limits(asking(SONNET, image_of(jpeg(800, 600), "image/png"))))
    assert sent.source["media_type"] == "image/jpeg"


def test_a_size_behind_long_notes_is_found() -> None:
    photograph = jpeg(800, 600, note_bytes=65_000)
    longer = photograph[:2] + photograph[2:65_004] * 8 + photograph[65_004:]
    assert within_limits(asking(SONNET, image_of(longer, "image/jpeg"))) == asking(
        SONNET, image_of(longer, "image/jpeg")
    )


def test_too_many_pictures_lose_the_oldest_and_keep_the_newest() -> None:
    images = [image_of(png(100 + number, 100)) for number in range(150)]
    sent = shown(within_limits(asking(SONNET, *images)))
    assert len(sent) <= 100
    assert sent == images[-len(sent) :]


def test_which_pictures_leave_stays_the_same_while_a_few_more_are_added() -> None:
    def leaving(count: int) -> int:
        return len(notes(within_limits(asking(SONNET, *[SMALL] * count))))

    assert [leaving(count) for count in (100, 101, 110, 125, 126)] == [0, 25, 25, 25, 50]


def test_the_weight_of_all_pictures_is_bounded() -> None:
    heavy = [image_of(png(100 + number, 100), weight_bytes=4 * MEGABYTE) for number in range(12)]
    sent = shown(within_limits(asking(SONNET, *heavy)))
    assert 0 < sum(len(str(image.source["data"])) for image in sent) <= limits_for(SONNET).most_bytes
    assert sent[-1] == heavy[-1]


def test_large_pictures_leave_where_there_are_many() -> None:
    large = image_of(png(3_000, 100))
    few = asking(SONNET, large, *[SMALL] * 19)
    assert within_limits(few) == few
    many = within_limits(asking(SONNET, large, *[SMALL] * 20))
    assert shown(many) == [SMALL] * 20
    assert "2,000 px" in notes(many)[0]


def test_the_newest_picture_is_sent_even_if_it_is_large_and_there_are_many() -> None:
    large = image_of(png(3_000, 100))
    sent = shown(within_limits(asking(SONNET, *[SMALL] * 30, large)))
    assert sent == [*[SMALL] * 19, large]


def test_pictures_in_results_are_bounded_too() -> None:
    huge = image_of(png(9_000, 9_000))
    result = ToolResult("c1", "read", "two pictures", is_error=False, images=(huge, SMALL))
    parts: tuple[UserPart, ...] = (result, Text("well?"))
    turns = (UserTurn((Text("look"),)), AssistantTurn((ToolCall("c1", "read", {}),)), UserTurn(parts))
    told = within_limits(Request(SONNET, "", (), turns, 1_000))
    [kept] = [part for part in told.messages[-1].parts if isinstance(part, ToolResult)]
    assert kept.images == (SMALL,)
    assert kept.output.startswith("two pictures\n[image left out: 9,000 × 9,000 px")


@pytest.mark.parametrize("model", [SONNET, find("sonnet"), find("gpt-4o"), OTHER], ids=lambda model: model.id)
def test_150_attachments_with_an_endless_one_pass_every_server(model: Model) -> None:
    images = [image_of(png(1_000 + number, 700), weight_bytes=200_000) for number in range(149)]
    request = within_limits(asking(model, *images[:70], image_of(png(10_000, 800)), *images[70:]))
    assert check_request(request) == []
    assert check_anthropic(to_anthropic(request)) == []
    assert check_responses(to_responses(request)) == []
    assert check_chat(to_chat(request)) == []
    sent, limits = shown(request), limits_for(model)
    assert 0 < len(sent) <= limits.most_images
    assert sum(len(str(image.source["data"])) for image in sent) <= limits.most_bytes


@pytest.mark.parametrize("model", [*MODELS, OTHER], ids=lambda model: model.id)
def test_one_picture_alone_never_leaves_for_its_weight(model: Model) -> None:
    limits = limits_for(model)
    assert limits.most_bytes_each <= limits.most_bytes * 3 // 4
