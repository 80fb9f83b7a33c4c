"""Colours that can be read: a colour is moved until it stands out enough from what it is written on.

Contrast is that of WCAG 2.2 (1.4.3): 4.5 at least for text, from the relative luminance of both colours.
Colours are written as in CSS, "#1f6b4b".
"""

import re
from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from typing import Final

READABLE: Final = 4.5
# What accents stand on, as `palette.css` has it: paper, sheet, wash and tint.
LIGHT: Final = ("#faf6ec", "#fffdf7", "#f7f0e2", "#e3efe7")
DARK: Final = ("#131d19", "#1a2722", "#24302a", "#20392e")

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_STEPS: Final = 200


def is_colour(written: str) -> bool:
    """Whether this is a colour as it is kept: "#" and six hexadecimal digits, letters small."""
    return _COLOUR.fullmatch(written) is not None


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable_on_light(colour: str) -> str:
    """The colour for light pages: itself if it can be read there, else as little darker as that takes."""
    return _moved(colour, LIGHT, 0)


def readable_on_dark(colour: str) -> str:
    """The colour for dark pages: itself if it can be read there, else as little lighter as that takes."""
    return _moved(colour, DARK, 1)


def _moved(colour: str, backgrounds: Sequence[str], end: int) -> str:
    """The colour, its lightness moved towards the `end`: 0 is black, 1 white."""
    hue, lightness, saturation = rgb_to_hls(*_parts(colour))
    for step in range(_STEPS + 1):
        light = lightness + (end - lightness) * step / _STEPS
        moved = _written(hls_to_rgb(hue, light, saturation)) if step else colour
        if min(contrast(moved, background) for background in backgrounds) >= READABLE:
            return moved
    raise ValueError(colour)


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _written(parts: Sequence[float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _luminance(colour: str) -> float:
    """The relative luminance of WCAG, from 0 to 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
