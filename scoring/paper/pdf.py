"""Common to all PDFs: A4 in millimetres, fonts, and text fitted to its box.

Names come in any alphabet, while the fonts built into PDF readers hardly go beyond Western Europe and lack
even a real minus sign. The free fonts used here come from a package and cover Latin, Greek and Cyrillic; East
Asian characters bring in further fonts. Characters that no font has are left blank.
"""

import datetime
import logging
import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import rendercv_fonts
import segno
from fpdf import FPDF

SANS: Final = "sans"
SERIF: Final = "serif"

_FOLDER: Final = Path(rendercv_fonts.__file__).parent
_FONTS: Final = (
    (SANS, "", "Noto Sans/NotoSans-Regular.ttf"),
    (SANS, "B", "Noto Sans/NotoSans-Bold.ttf"),
    (SERIF, "B", "Gentium Book Plus/GentiumBookPlus-Bold.ttf"),
)
# Large fonts, loaded only for texts in their scripts.
_EAST_ASIA: Final = (
    ("korean", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff]"), "Noto Sans/NotoSansKR-Regular.ttf"),
    (
        "han",
        re.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"),
        "Noto Sans/NotoSansSC-Regular.ttf",
    ),
)

INK: Final = (20, 26, 24)
SOFT: Final = (80, 90, 86)
RULE: Final = (170, 170, 165)

# fpdf warns of missing glyphs and quotes the text, which would put names into the log.
logging.getLogger("fpdf").setLevel(logging.ERROR)
logging.getLogger("fontTools").setLevel(logging.ERROR)


class Document(FPDF):
    """A PDF on A4, dated `made_at`: the same content and date give the same bytes.

    `texts` are the names and other texts by people that will be printed; they decide which fonts are loaded.
    """

    def __init__(
        self, *, title: str, made_at: datetime.datetime, texts: Iterable[str], orientation: str = "portrait"
    ) -> None:
        super().__init__(orientation=orientation, unit="mm", format="A4")
        self._widths: dict[tuple[str, str, str, float], float] = {}
        self.set_title(title)
        self.set_creation_date(made_at)
        self.set_auto_page_break(False)
        self.set_line_width(0.2)
        for family, style, file in _FONTS:
            self._add_face(family, style, file)
        fallbacks = [SANS]
        everything = " ".join(texts)
        for family, scripts, file in _EAST_ASIA:
            if scripts.search(everything):
                self._add_face(family, "", file)
                fallbacks.append(family)
        self.set_fallback_fonts(fallbacks, exact_match=False)

    def face(
        self, size: float, *, family: str = SANS, bold: bool = False, color: tuple[int, int, int] = INK
    ) -> None:
        """Sets the font of the following text; `size` is in points."""
        self.set_font(family, "B" if bold or family == SERIF else "", size)
        self.set_text_color(*color)

    def put(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str,
        *,
        align: str = "L",
        smallest: float = 0.7,
    ) -> None:
        """One line of text in a box.

        Text that does not fit is set smaller, down to `smallest` of its size, and then cut short.
        """
        text = " ".join(text.split())
        size = self.font_size_pt
        family, style = self.font_family, self.font_style
        while (long := self._width(text) > width) and self.font_size_pt > smallest * size:
            self.set_font(family, style, max(self.font_size_pt - 0.5, smallest * size))
        if long:
            while text and self._width(f"{text}…") > width:
                text = text[:-1]
            text = f"{text.rstrip()}…"
        self.set_xy(x, y)
        self.c_margin = 0.0
        self.cell(width, height, text, align=align)
        self.set_font(family, style, size)

    def rule(self, x1: float, y1: float, x2: float, y2: float, *, strong: bool = False) -> None:
        """A straight line, hair-thin or strong."""
        self.set_draw_color(*(INK if strong else RULE))
        self.set_line_width(0.45 if strong else 0.2)
        self.line(x1, y1, x2, y2)

    def qr(self, x: float, y: float, size: float, address: str) -> None:
        """An address as a QR code in a square of side `size`."""
        matrix = segno.make(address, error="m", micro=False).matrix
        dot = size / len(matrix)
        self.set_fill_color(*INK)
        for row, line in enumerate(matrix):
            column = 0
            for dark, run in groupby(line):
                length = len(list(run))
                if dark:
                    self.rect(x + column * dot, y + row * dot, length * dot, dot, style="F")
                column += length

    def finished(self) -> bytes:
        """The PDF file."""
        return bytes(self.output())

    def _width(self, text: str) -> float:
        """The width of a text in the current font; cached, because many cells have the same text."""
        key = (text, self.font_family, self.font_style, self.font_size_pt)
        if key not in self._widths:
            self._widths[key] = self.get_string_width(text)
        return self._widths[key]

    def _add_face(self, family: str, style: str, file: str) -> None:
        self.add_font(family, style, _FOLDER / file)
        font: Any = self.fonts[f"{family}{style}"]
        tables = font.ttfont
        # They shape text, which is not done here. What is embedded is without them, but only after they were
        # read, and that takes half of the time of a page.
        for table in ("GDEF", "GPOS", "GSUB"):
            if table in tables:
                del tables[table]
