"""Keeps the pictures of a request within what its provider takes; one it would refuse spoils every later request.

A picture that cannot be sent becomes words that say so and why. Where there are too many, the oldest give way, several
at a time: which ones is decided from the oldest on, so that it stays the same while some more are added and the server
finds what it has cached.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import assert_never

from diligent_tui.domain.models import Model
from diligent_tui.domain.requests import (
    AssistantTurn,
    Image,
    Request,
    RequestMessage,
    Text,
    ToolResult,
    UserPart,
    UserTurn,
)
from diligent_tui.providers.pixel_size import PixelSize, read_pixel_size

NOT_SEEN = "[an image stood here; this model cannot see images]"
_MEGABYTE = 1_048_576
_SMALL_WINDOW_TOKENS = 200_000
_HEADS_CHARS = (4_096, 262_144)
"""How much of a picture is decoded in search of its size before all of it is; a photograph's notes can be long."""
_STEPS = 4
"""The oldest pictures leave in steps of this share of the limit."""


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What a provider takes in one request; bytes are those of base64 text, None is no limit that we know."""

    most_images: int
    most_bytes_each: int
    most_bytes: int
    most_pixels: int | None = None
    """Of the longer side."""
    many_images: int | None = None
    """Beyond so many images a stricter limit of pixels holds."""
    most_pixels_of_many: int | None = None


# The makers' pages: 100 images with a window of 200k, else 600; 8000 px, but 2000 px beyond 20 images; 5 MB each and
# 32 MB a request, of which the talk needs some.
_ANTHROPIC = ImageLimits(600, 5 * _MEGABYTE, 20 * _MEGABYTE, 8_000, 20, 2_000)
_LIMITS: Mapping[str, ImageLimits] = MappingProxyType(
    {
        "anthropic": _ANTHROPIC,
        # 500 images and 50 MB are what the older of the documented limits allow.
        "openai": ImageLimits(500, 20 * _MEGABYTE, 40 * _MEGABYTE),
    }
)
_OTHERS = ImageLimits(50, 10 * _MEGABYTE, 20 * _MEGABYTE, 8_000)
"""For servers of any make: what the strictest of them has been seen to refuse."""


def limits_for(model: Model) -> ImageLimits:
    """The limits of the model's provider."""
    limits = _LIMITS.get(model.provider, _OTHERS)
    small = model.window_tokens is None or model.window_tokens <= _SMALL_WINDOW_TOKENS
    return replace(limits, most_images=100) if limits is _ANTHROPIC and small else limits


def within_limits(request: Request) -> Request:
    """The same request, with words in place of each picture that its provider would refuse."""
    images = [image for turn in request.messages for image in _images_of(turn)]
    if not images:
        return request
    verdicts = iter(_judge(images, request.model))
    return replace(request, messages=tuple(_with_verdicts(turn, verdicts) for turn in request.messages))


@dataclass(frozen=True, slots=True)
class _Seen:
    """A picture that fits by itself."""

    image: Image
    weight_bytes: int
    size: PixelSize | None


def _judge(images: Sequence[Image], model: Model) -> list[Image | str]:
    """For each picture itself, perhaps mended, or the words in its place."""
    if not model.sees_images:
        return [NOT_SEEN] * len(images)
    limits = limits_for(model)
    verdicts = [_look_at(image, limits) for image in images]
    for leave_out in (_too_large_among_many, _too_many, _too_heavy):
        seen = [(place, verdict) for place, verdict in enumerate(verdicts) if isinstance(verdict, _Seen)]
        for place, why in leave_out(seen, limits):
            verdicts[place] = _left_out(why)
    return [verdict.image if isinstance(verdict, _Seen) else verdict for verdict in verdicts]


def _look_at(image: Image, limits: ImageLimits) -> _Seen | str:
    data = image.source.get("data")
    if image.source.get("type") != "base64" or not isinstance(data, str):
        return _Seen(image, 0, None)
    if len(data) > limits.most_bytes_each:
        allowed = limits.most_bytes_each / _MEGABYTE
        return _left_out(f"{len(data) / _MEGABYTE:.1f} MB, over the {allowed:.0f} MB that this provider takes")
    size = _size_of(data)
    if size is None:
        return _left_out("not a PNG, JPEG, GIF or WebP that can be read")
    if limits.most_pixels is not None and size.longest > limits.most_pixels:
        return _left_out(f"{_pixels(size)}, over the {limits.most_pixels:,} px that this provider takes")
    # A server refuses a picture whose kind is not what it is said to be.
    if image.source.get("media_type") != size.media_type:
        image = Image({**image.source, "media_type": size.media_type})
    return _Seen(image, len(data), size)


def _too_large_among_many(seen: Sequence[tuple[int, _Seen]], limits: ImageLimits) -> Iterator[tuple[int, str]]:
    """Those too large where there are many; if the newest is one, the many give way to it."""
    many, allowed = limits.many_images, limits.most_pixels_of_many
    if many is None or allowed is None or len(seen) <= many:
        return
    large = [(place, one.size) for place, one in seen if one.size and one.size.longest > allowed]
    if large and large[-1][0] == seen[-1][0]:
        yield from ((place, "only the newest are sent beside a large one") for place, _ in seen[:-many])
        return
    for place, size in large:
        yield place, f"{_pixels(size)}, over the {allowed:,} px allowed beyond {many} images"


def _too_many(seen: Sequence[tuple[int, _Seen]], limits: ImageLimits) -> Iterator[tuple[int, str]]:
    leaving = _oldest_leaving([1] * len(seen), limits.most_images)
    why = f"this provider takes {limits.most_images} images at most, and newer ones are sent"
    yield from ((place, why) for place, _ in seen[:leaving])


def _too_heavy(seen: Sequence[tuple[int, _Seen]], limits: ImageLimits) -> Iterator[tuple[int, str]]:
    leaving = _oldest_leaving([one.weight_bytes for _, one in seen], limits.most_bytes)
    why = f"the images of a request may weigh {limits.most_bytes // _MEGABYTE} MB, and newer ones are sent"
    yield from ((place, why) for place, _ in seen[:leaving])


def _oldest_leaving(weights: Sequence[int], limit: int) -> int:
    """How many of the oldest must leave, so that the rest is within the limit."""
    excess = sum(weights) - limit
    if excess <= 0:
        return 0
    step = max(1, limit // _STEPS)
    up_to = -(-excess // step) * step
    before = leaving = 0
    while before < up_to:
        before += weights[leaving]
        leaving += 1
    return leaving


def _size_of(data: str) -> PixelSize | None:
    if len(data) % 4:
        return None
    for chars in (*_HEADS_CHARS, len(data)):
        try:
            head = base64.b64decode(data[:chars], validate=True)
        except (binascii.Error, ValueError):
            return None
        if size := read_pixel_size(head):
            return size
        if chars >= len(data):
            return None
    return None


def _left_out(why: str) -> str:
    return f"[image left out: {why}]"


def _pixels(size: PixelSize) -> str:
    return f"{size.width:,} × {size.height:,} px"


def _images_of(turn: RequestMessage) -> Iterator[Image]:
    if isinstance(turn, AssistantTurn):
        return
    for part in turn.parts:
        match part:
            case Image():
                yield part
            case ToolResult():
                yield from part.images
            case Text():
                pass
            case _:
                assert_never(part)


def _with_verdicts(turn: RequestMessage, verdicts: Iterator[Image | str]) -> RequestMessage:
    if isinstance(turn, AssistantTurn):
        return turn
    parts: list[UserPart] = []
    for part in turn.parts:
        match part:
            case Image():
                verdict = next(verdicts)
                parts.append(Text(verdict) if isinstance(verdict, str) else verdict)
            case ToolResult():
                told = [next(verdicts) for _ in part.images]
                output = "\n".join([part.output, *(verdict for verdict in told if isinstance(verdict, str))])
                kept = tuple(verdict for verdict in told if isinstance(verdict, Image))
                parts.append(replace(part, output=output, images=kept))
            case Text():
                parts.append(part)
            case _:
                assert_never(part)
    return UserTurn(tuple(parts))
