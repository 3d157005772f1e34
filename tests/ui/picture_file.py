"""A picture as it is stored: the screen and nothing else, in as few words as say it."""

import re
from collections.abc import Iterator

CONTENT_HASH = re.compile(r"\bterminal-\d+-([\w-]+)")
WEB_FONTS = re.compile(r"@font-face\s*{[^}]*}\s*")
ROW_CLIPS = re.compile(
    r'<clipPath id="terminal-line-\d+">.*?</clipPath>\s*| clip-path="url\(#terminal-line-\d+\)"', re.DOTALL
)
GROUND = re.compile(
    r'<rect fill="([^"]+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" shape-rendering="crispEdges"/>'
)
GROUNDS = re.compile(r'(?:<rect fill="[^"]+" x="[^>]+ shape-rendering="crispEdges"/>)+')


CRISP = ' shape-rendering="crispEdges"'
SCREEN = 'clip-path="url(#terminal-clip-terminal)"'
SEAM = 0.1
"""Where two rectangles touch, roundings lie between them."""


def stored(svg: str) -> str:
    """Without web fonts, hashes of the content and clips of rows; one rectangle for each run of one colour."""
    plain = ROW_CLIPS.sub("", CONTENT_HASH.sub(r"terminal-\1", WEB_FONTS.sub("", svg)))
    merged = GROUNDS.sub(lambda found: "".join(_merged(found[0])), plain)
    return merged.replace(SCREEN, f"{SCREEN}{CRISP}")


def _merged(grounds: str) -> Iterator[str]:
    fill = row = height = ""
    left = right = 0.0
    for each in GROUND.finditer(grounds):
        x, width = float(each[2]), float(each[4])
        if (each[1], each[3]) == (fill, row) and abs(right - x) < SEAM:
            right = x + width
            continue
        if fill:
            yield _rect(fill, left, row, right - left, height)
        fill, row, height = each[1], each[3], each[5]
        left, right = x, x + width
    yield _rect(fill, left, row, right - left, height)


def _rect(fill: str, x: float, y: str, width: float, height: str) -> str:
    return f'<rect fill="{fill}" x="{x:g}" y="{y}" width="{width:.5g}" height="{height}"/>'
