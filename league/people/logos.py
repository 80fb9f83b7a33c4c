"""A club's logo: of an uploaded picture the pixels alone are kept, drawn anew as a PNG of bounded size."""

import base64
import io
import struct
import zlib
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _
from PIL import ExifTags, Image, UnidentifiedImageError

from league.errors import LeagueError
from league.models import Club, ClubLogo
from league.policy import Permission, require
from league.record.audit import change_row, locked
from scoring.core.actors import Actor

LARGEST_UPLOAD: Final = 2_000_000
# In pixels. A picture is opened only if it is no larger, so that a small file cannot fill the memory.
MOST_PIXELS: Final = 16_000_000
LARGEST_SIDE: Final = 512
SMALLEST_SIDE: Final = 16
# In bytes. A picture that stays larger is made smaller.
LARGEST_LOGO: Final = 200_000

_FORMATS: Final = ("PNG", "JPEG", "WEBP")
# What Pillow raises for files that are broken, or made to break it.
_BROKEN: Final = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    struct.error,
    zlib.error,
)
# How to turn the pixels by the orientation that a camera has noted (Exif, tag 274); 1 is upright.
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_TOO_MANY: Final = (Image.DecompressionBombError, Image.DecompressionBombWarning)


def set_logo(*, actor: Actor, club: Club, data: bytes) -> None:
    """Give the club the picture in this file as its logo, in place of any other.

    Refused, each with a sentence: whoever does not manage the club, and files as `remade` refuses them.
    """
    require(actor, Permission.MANAGE, club)
    png = remade(data)
    digest = sha256(png).hexdigest()[:16]
    with transaction.atomic():
        club = locked(club)
        ClubLogo.objects.update_or_create(club=club, defaults={"png": png})
        change_row(actor, "club.change", club, {"logo": digest}, club=club)


@transaction.atomic
def remove_logo(*, actor: Actor, club: Club) -> None:
    """Take the club's logo away, if it has one."""
    require(actor, Permission.MANAGE, club)
    club = locked(club)
    ClubLogo.objects.filter(club=club).delete()
    change_row(actor, "club.change", club, {"logo": ""}, club=club)


def remade(data: bytes) -> bytes:
    """The pixels of a PNG, JPEG or WebP as a new PNG of at most `LARGEST_SIDE` a side.

    Nothing else of the file is kept, and of several pictures the first alone. Refuses (`LeagueError` on
    `file`) a file that is too large (`too_long`), of another format, broken, or of too many or too few pixels
    (`invalid`).
    """
    if len(data) > LARGEST_UPLOAD:
        raise _refused(
            "too_long", _("The file is larger than %(size)d MB.") % {"size": LARGEST_UPLOAD // 1_000_000}
        )
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            width, height = opened.size
            if width * height > MOST_PIXELS:
                raise _refused("invalid", _("The picture has too many pixels; make it smaller first."))
            opened.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
            picture = _upright(opened).convert("RGBA")
    except UnidentifiedImageError:
        raise _refused("invalid", _("This picture cannot be read: send a PNG, JPEG or WebP.")) from None
    except _TOO_MANY:
        raise _refused("invalid", _("The picture has too many pixels; make it smaller first.")) from None
    except _BROKEN:
        raise _refused("invalid", _("The picture is broken: it cannot be read to its end.")) from None
    if min(picture.size) < SMALLEST_SIDE:
        raise _refused(
            "invalid",
            _("The picture is too small or too narrow: each side needs %(pixels)d pixels.")
            % {"pixels": SMALLEST_SIDE},
        )
    # A fresh picture has nothing but pixels: no text, place or profile of the file.
    fresh = Image.new("RGBA", picture.size)
    fresh.paste(picture)
    while len(png := _png(fresh)) > LARGEST_LOGO:
        fresh = fresh.resize((max(fresh.width * 3 // 4, 1), max(fresh.height * 3 // 4, 1)))
    return png


def logo_of(club: Club) -> str:
    """The PNG of the club's logo in base64, for drawings and papers; "" without one (without a query)."""
    png = ClubLogo.objects.filter(club=club).values_list("png", flat=True).first() if club.logo else None
    return "" if png is None else base64.b64encode(png).decode("ascii")


def _upright(opened: Image.Image) -> Image.Image:
    """The pixels as they are to be looked at, in eight bits.

    `ImageOps.exif_transpose` would write all else that a camera has noted anew, and fails where it cannot.
    """
    turn = _TURNS.get(opened.getexif().get(ExifTags.Base.Orientation, 1))
    picture: Image.Image = opened if turn is None else opened.transpose(turn)
    if picture.mode.startswith("I;16"):
        # Pillow would show whatever is brighter than 255 of 65,535 as white.
        picture = picture.point(lambda grey: grey * (1 / 256)).convert("L")
    return picture


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def _refused(code: str, message: str) -> LeagueError:
    return LeagueError(code, message, field="file")
