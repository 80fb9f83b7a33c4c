"""Common to all PDFs: A4 or A3 in millimetres, fonts, and text fitted to its box.

Characters that no font has are left blank.
"""

import base64
import contextlib
import datetime
import hashlib
import json
import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, cast

import segno
from fpdf import FPDF
from fpdf import __version__ as fpdf_version
from fpdf.enums import MethodReturnValue

from scoring.paper.fonts import EAST_ASIA, FACES, FOLDER, SANS, SERIF
from scoring.paper.kept import kept_paper

# Counted up when the same strokes are written otherwise, so that papers kept from before are not taken.
_WRITING: Final = 2

INK: Final = (20, 26, 24)
SOFT: Final = (80, 90, 86)
RULE: Final = (170, 170, 165)

# fpdf warns of missing glyphs and quotes the text, which would put names into the log.
logging.getLogger("fpdf").setLevel(logging.ERROR)
logging.getLogger("fontTools").setLevel(logging.ERROR)


class Document:
    """A PDF on A4 or A3 (`size`), dated `made_at`: the same content and date give the same bytes.

    `texts` are the names and other texts by people that will be printed; they decide which fonts are loaded.
    What is drawn is only noted at first. At the end that says whether the same paper was made before
    (`kept_paper`); one that `is_secret` is not kept.
    """

    def __init__(
        self,
        *,
        title: str,
        made_at: datetime.datetime,
        texts: Iterable[str],
        orientation: str = "portrait",
        size: str = "A4",
        is_secret: bool = False,
    ) -> None:
        everything = " ".join(texts)
        self._fallbacks = tuple(family for family, scripts, _file in EAST_ASIA if scripts.search(everything))
        self._title, self._made_at = title, made_at
        self._orientation, self._size = orientation, size
        self._is_secret = is_secret
        self._font = (SANS, "", 12.0)
        self._strokes: list[tuple[str, tuple[Any, ...]]] = []

    def face(
        self, size: float, *, family: str = SANS, bold: bool = False, color: tuple[int, int, int] = INK
    ) -> None:
        """Sets the font of the following text; `size` is in points."""
        self._set_font(family, "B" if bold or family == SERIF else "", size)
        self._note("set_text_color", *color)

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
        family, style, size = usual = self._font
        fitted = size
        while (long := self._width(text, fitted) > width) and fitted > smallest * size:
            fitted = max(fitted - 0.5, smallest * size)
        if long:
            while text and self._width(f"{text}…", fitted) > width:
                text = text[:-1]
            text = f"{text.rstrip()}…"
        if fitted != size:
            self._set_font(family, style, fitted)
        self._note("line_at", x, y, width, height, text, align)
        if fitted != size:
            self._set_font(*usual)

    def paragraph(
        self, x: float, y: float, width: float, line: float, text: str, *, dry: bool = False
    ) -> float:
        """Wrapped text, each line of the height `line`, unless `dry`; returns its height."""
        if not dry:
            self._note("paragraph_at", x, y, width, line, text)
        return _height_of(self._fallbacks, self._font, width, line, text)

    def get_string_width(self, text: str) -> float:
        """The width of a text in the current font, in millimetres."""
        return self._width(text, self._font[2])

    def rule(self, x1: float, y1: float, x2: float, y2: float, *, strong: bool = False) -> None:
        """A straight line, hair-thin or strong."""
        self.set_draw_color(*(INK if strong else RULE))
        self.set_line_width(0.45 if strong else 0.2)
        self.line(x1, y1, x2, y2)

    def qr(self, x: float, y: float, size: float, address: str, words: str = "") -> None:
        """An address as a QR code in a square of side `size`; `words` below it say where it leads."""
        self._note("qr", x, y, size, address)
        if words:
            self.face(7, color=SOFT)
            self.put(x, y + size + 0.4, size, 3, words, align="C")

    def picture(self, x: float, y: float, size: float, png: str) -> None:
        """A PNG (in base64), fitted into a square of side `size`."""
        self._note("picture", x, y, size, png)

    def add_page(self) -> None:
        """Begins a page."""
        self._note("add_page")

    def set_line_width(self, width: float) -> None:
        """Sets the width of lines and frames, in millimetres."""
        self._note("set_line_width", width)

    def set_draw_color(self, *color: int) -> None:
        """Sets the colour of lines and frames."""
        self._note("set_draw_color", *color)

    def set_fill_color(self, *color: int) -> None:
        """Sets the colour of filled areas."""
        self._note("set_fill_color", *color)

    def set_dash_pattern(self, dash: float = 0, gap: float = 0) -> None:
        """Sets the dashes of lines; none without arguments."""
        self._note("set_dash_pattern", dash, gap)

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """A line."""
        self._note("line", x1, y1, x2, y2)

    def rect(self, x: float, y: float, width: float, height: float, style: str | None = None) -> None:
        """A rectangle; `style` is "F" for a filled one."""
        self._note("rect", x, y, width, height, style)

    def polygon(self, points: Sequence[tuple[float, float]], style: str | None = None) -> None:
        """A polygon; `style` is "F" for a filled one."""
        self._note("shape", list(points), style)

    @contextlib.contextmanager
    def rect_clip(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Leaves away what is drawn outside the rectangle."""
        self._note("open_clip", x, y, width, height)
        yield
        self._note("close_clip")

    def finished(self) -> bytes:
        """The PDF file."""
        if self._is_secret:
            return self.written()
        head = [_WRITING, fpdf_version, self._title, str(self._made_at), self._orientation, self._size]
        shown = json.dumps([head, self._fallbacks, self._strokes], separators=(",", ":"))
        return kept_paper(hashlib.sha256(shown.encode()).hexdigest(), self.written)

    def written(self) -> bytes:
        """The PDF file, made now."""
        return bytes(self.drawn().output())

    def drawn(self) -> FPDF:
        """The document with its fonts and all that stands on it."""
        file = _File(
            self._fallbacks,
            title=self._title,
            made_at=self._made_at,
            orientation=self._orientation,
            size=self._size,
        )
        for stroke, arguments in self._strokes:
            getattr(file, stroke)(*arguments)
        return file

    def _note(self, stroke: str, *arguments: Any) -> None:
        self._strokes.append((stroke, arguments))

    def _set_font(self, family: str, style: str, size: float) -> None:
        self._font = (family, style, float(size))
        self._note("set_font", *self._font)

    def _width(self, text: str, size: float) -> float:
        family, style, _size = self._font
        return _width_of(self._fallbacks, (family, style, size), text)


class _File(FPDF):
    """The file into which a document is written, with its fonts."""

    def __init__(
        self,
        fallbacks: Sequence[str],
        *,
        title: str,
        made_at: datetime.datetime,
        orientation: str,
        size: str = "A4",
    ) -> None:
        super().__init__(orientation=orientation, unit="mm", format=size)
        self._clip: Any = None
        self.set_title(title)
        self.set_creation_date(made_at)
        self.set_auto_page_break(False)
        self.set_line_width(0.2)
        self.c_margin = 0.0
        for family, style, file in FACES:
            self._add_face(family, style, file)
        for family, _scripts, file in EAST_ASIA:
            if family in fallbacks:
                self._add_face(family, "", file)
        self.set_fallback_fonts([SANS, *fallbacks], exact_match=False)

    def line_at(self, x: float, y: float, width: float, height: float, text: str, align: str) -> None:
        self.set_xy(x, y)
        self.cell(width, height, text, align=align)

    def paragraph_at(self, x: float, y: float, width: float, line: float, text: str) -> None:
        self.set_xy(x, y)
        self.multi_cell(width, line, text, align="L")

    def height_of(self, width: float, line: float, text: str) -> float:
        height = self.multi_cell(width, line, text, align="L", dry_run=True, output=MethodReturnValue.HEIGHT)
        return cast("float", height)

    def shape(self, points: Sequence[tuple[float, float]], style: str | None) -> None:
        self.polygon(points, style=style)

    def open_clip(self, x: float, y: float, width: float, height: float) -> None:
        self._clip = self.rect_clip(x, y, width, height)
        self._clip.__enter__()

    def close_clip(self) -> None:
        self._clip.__exit__(None, None, None)

    def qr(self, x: float, y: float, size: float, address: str) -> None:
        # As an image it is in the file once, however many sheets show it.
        self.image(BytesIO(_code_of(address)), x, y, size, size)

    def picture(self, x: float, y: float, size: float, png: str) -> None:
        self.image(BytesIO(base64.b64decode(png)), x, y, size, size, keep_aspect_ratio=True)

    def _add_face(self, family: str, style: str, file: str) -> None:
        self.add_font(family, style, FOLDER / file)
        font: Any = self.fonts[f"{family}{style}"]
        tables = font.ttfont
        # They shape text, which is not done here. What is embedded is without them, but only after they were
        # read, and that takes half of the time of a page.
        for table in ("GDEF", "GPOS", "GSUB"):
            if table in tables:
                del tables[table]


@lru_cache(maxsize=500)
def _code_of(address: str) -> bytes:
    """The QR code of an address as a PNG with eight pixels a dot, so that no viewer blurs it."""
    png = BytesIO()
    segno.make(address, error="m", micro=False).save(png, kind="png", scale=8, border=0)
    return png.getvalue()


_Font = tuple[str, str, float]
# Files that nothing is written to, one for each set of fonts, by which texts are measured.
_RULERS: Final[dict[tuple[str, ...], _File]] = {}
_MEASURING: Final = threading.Lock()


@lru_cache(maxsize=20_000)
def _width_of(fallbacks: tuple[str, ...], font: _Font, text: str) -> float:
    with _MEASURING:
        return float(_ruler(fallbacks, font).get_string_width(text))


@lru_cache(maxsize=2_000)
def _height_of(fallbacks: tuple[str, ...], font: _Font, width: float, line: float, text: str) -> float:
    with _MEASURING:
        return _ruler(fallbacks, font).height_of(width, line, text)


def _ruler(fallbacks: tuple[str, ...], font: _Font) -> _File:
    if fallbacks not in _RULERS:
        epoch = datetime.datetime.fromtimestamp(0, datetime.UTC)
        _RULERS[fallbacks] = ruler = _File(fallbacks, title="", made_at=epoch, orientation="portrait")
        ruler.add_page()
    ruler = _RULERS[fallbacks]
    if (ruler.font_family, ruler.font_style, ruler.font_size_pt) != font:
        ruler.set_font(*font)
    return ruler
