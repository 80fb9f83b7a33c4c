"""The palette: every pair of ink and ground that meets on a page has the contrast that WCAG AA asks for."""

import re
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings

STYLES = Path(settings.BASE_DIR, "league", "static", "league")

TEXT = ("ink", "soft", "baize", "red", "gold-text")
GROUNDS = ("paper", "sheet", "tint", "wash")
# Marks and lines that carry meaning, which need 3:1; hairlines between rows are only decoration.
MARKS = ("focus", "field-line", "gold", "baize")


def palette(scheme: str) -> dict[str, str]:
    """The colours of a scheme by name; the dark one and paper's replace some of the light one."""
    light = colours("palette.css", ':root, html[data-theme="light"]')
    return (
        light
        | {
            "light": {},
            "dark": colours("palette.css", 'html[data-theme="dark"]'),
            "paper": colours("sheet.css", "  :root"),
        }[scheme]
    )


def colours(file: str, selector: str) -> dict[str, str]:
    """The colours that the block of a selector sets; a stylesheet without that block is an error."""
    block = re.search(
        rf"^{re.escape(selector)} \{{(.*?)\}}", (STYLES / file).read_text(), re.DOTALL | re.MULTILINE
    )
    assert block is not None
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", block[1]))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark", "paper"])
@pytest.mark.parametrize(("text", "ground"), [*product(TEXT, GROUNDS), ("on-baize", "baize")])
def test_text_has_4_5_to_1(scheme: str, text: str, ground: str) -> None:
    chosen = palette(scheme)
    assert contrast(chosen[text], chosen[ground]) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("mark", "ground"), list(product(MARKS, GROUNDS)))
def test_marks_have_3_to_1(scheme: str, mark: str, ground: str) -> None:
    chosen = palette(scheme)
    assert contrast(chosen[mark], chosen[ground]) >= 3


def test_the_choice_of_dark_has_the_colours_of_the_device_s_dark() -> None:
    chosen = colours("palette.css", 'html[data-theme="dark"]')
    assert chosen == colours("palette.css", '  :root:not([data-theme="light"])')


def test_dark_replaces_every_colour_of_light() -> None:
    light, dark = palette("light"), palette("dark")
    assert [name for name in light if light[name] == dark[name]] == []
