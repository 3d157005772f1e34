"""For each sign we draw one in ASCII that is as wide; those that stand beside each other stay different."""

import unicodedata

BOX_DRAWING = range(0x2500, 0x2580)
CONTROL_PICTURES = range(0x2400, 0x2425)
BRAILLE = range(0x2800, 0x2900)
BRAILLE_INK = " ..:::###"
"""By how many of its eight dots are set."""

DRAWN_AND_PLAIN = (
    ("·×–—‘’“”•…‹›−≈≡∴⋮⋯⟨⟩\u00a0", ".x--''\"\"*~<>-~=::-<> "),
    ("←↑→↓↳↶↷↺⇄⏎▴▸▾◂", "<^>v\\<><%<^>v<"),
    ("⟳⎇⌁⚑⚠✓✗✦☐☑◆◇○●◎◦▪▣\ufffd◐◓◑◒", "@Y!#!vx&_v*ooO0--%?-\\|/"),
    ("▀▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐▔▕░▒▓▖▗▘▙▚▛▜▝▞▟", "\"__.-=+*####||>||-|:+%..'#%##'%#"),
)
"""Typography, arrows, marks (the spinner, at the end, goes on turning) and blocks."""


def _line(name: str) -> str:
    """The sign of a piece of a box, by its name; heavy edges, which say where one is, differ from thin ones."""
    if "DIAGONAL" in name:
        return "X" if "CROSS" in name else "/" if "UPPER RIGHT" in name else "\\"
    across = any(word in name for word in ("HORIZONTAL", "LEFT", "RIGHT"))
    along = any(word in name for word in ("VERTICAL", "UP", "DOWN"))
    if across and along:
        return "+"
    if across:
        return "=" if "HEAVY" in name or "DOUBLE HORIZONTAL" in name else "-"
    return "#" if "HEAVY" in name else "|"


SIGNS: dict[int, str] = str.maketrans(
    {
        **{chr(code): _line(unicodedata.name(chr(code))) for code in BOX_DRAWING},
        **dict.fromkeys(map(chr, CONTROL_PICTURES), "^"),
        **{chr(code): BRAILLE_INK[(code - BRAILLE.start).bit_count()] for code in BRAILLE},
        **{sign: plain for row in DRAWN_AND_PLAIN for sign, plain in zip(*row, strict=True)},
    }
)
"""By code point, as `str.translate` takes it."""
