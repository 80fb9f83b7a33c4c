"""A club's logo, colour and description: what is kept, what is refused, and where it is seen."""

import io
import zlib
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from league.core.colours import DARK, LIGHT, contrast, readable_on_dark, readable_on_light
from league.errors import LeagueError
from league.models import AuditEntry, Club, ClubLogo, Role
from league.people.clubs import change_club, remove_club
from league.people.logos import LARGEST_LOGO, LARGEST_SIDE, remade, set_logo
from tests.factories import OPERATOR, ClubFactory, EventFactory, UserFactory
from tests.refusals import refuses


def picture(size: tuple[int, int] = (64, 48), kind: str = "PNG", **options: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "#aa3311").save(file, kind, **options)
    return file.getvalue()


def bomb() -> bytes:
    """A PNG of a few bytes whose head says 50,000 by 50,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    head = (50_000).to_bytes(4) * 2 + bytes([8, 2, 0, 0, 0])
    pixels = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


# WCAG 2.2 gives black on white as 21, and its Understanding document #767676 on white as 4.54.
def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert contrast("#123456", "#123456") == 1


@given(st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}"))
def test_any_colour_is_moved_until_it_can_be_read(colour: str) -> None:
    assert min(contrast(readable_on_light(colour), ground) for ground in LIGHT) >= 4.5
    assert min(contrast(readable_on_dark(colour), ground) for ground in DARK) >= 4.5


def test_a_colour_that_can_be_read_stays() -> None:
    assert readable_on_light("#1f6b4b") == "#1f6b4b"
    assert readable_on_dark("#6cc79b") == "#6cc79b"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_of_a_picture_the_pixels_alone_are_kept(kind: str) -> None:
    options: dict[str, object] = {}
    if kind == "PNG":
        options["pnginfo"] = PngImagePlugin.PngInfo()
        options["pnginfo"].add_text("Author", "somebody")  # type: ignore[attr-defined]
    else:
        exif = Image.Exif()
        exif[0x8298] = "somebody"
        options["exif"] = exif
    file = picture((2000, 1000), kind, **options)
    assert b"somebody" in file
    made = remade(file + b"<script>alert(1)</script>")
    assert b"somebody" not in made
    assert b"script" not in made
    with Image.open(io.BytesIO(made)) as opened:
        assert (opened.format, opened.size, opened.mode) == ("PNG", (LARGEST_SIDE, 256), "RGBA")
        assert opened.info == {}


def test_noise_is_made_smaller_until_it_fits() -> None:
    file = io.BytesIO()
    Image.effect_noise((600, 600), 100).save(file, "PNG")
    assert len(remade(file.getvalue())) <= LARGEST_LOGO


@pytest.mark.parametrize(
    ("file", "code", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "invalid", "send a PNG, JPEG or WebP"),
        (b"", "invalid", "send a PNG, JPEG or WebP"),
        (picture(kind="GIF"), "invalid", "send a PNG, JPEG or WebP"),
        (picture((300, 300), "JPEG")[:700], "invalid", "broken"),
        (bomb(), "invalid", "too many pixels"),
        (picture((5000, 4000)), "invalid", "too many pixels"),
        (picture((8, 200)), "invalid", "too small or too narrow"),
        (picture((3000, 20)), "invalid", "too small or too narrow"),
        (bytes(2_000_001), "too_long", "larger than 2 MB"),
    ],
    ids=["svg", "nothing", "gif", "broken", "bomb", "huge", "small", "narrow", "large"],
)
def test_what_is_no_such_picture_is_refused_with_a_sentence(file: bytes, code: str, said: str) -> None:
    with refuses(LeagueError, code, field="file") as refused:
        remade(file)
    assert said in str(refused.value.message)


@pytest.mark.django_db
@pytest.mark.postgresql
def test_an_owner_chooses_a_logo_that_stands_on_the_clubs_pages(client: Client) -> None:
    club = ClubFactory.create(slug="harbour", is_public=False)
    address = "/clubs/harbour/logo/"
    assert client.get(address).status_code == 302
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert client.get(address).status_code == 404
    client.force_login(UserFactory.create(club=club, role=Role.OWNER))
    answer = client.post(address, {"file": SimpleUploadedFile("x.png", b"no picture")})
    assert answer.status_code == 422
    assert "send a PNG, JPEG or WebP" in answer.content.decode()
    assert not ClubLogo.objects.exists()

    assert client.post(address, {"file": SimpleUploadedFile("x.png", picture())}).status_code == 302
    club.refresh_from_db()
    shown = f"/clubs/harbour/logo/{club.logo}.png"
    assert f'src="{shown}"' in client.get("/clubs/harbour/").content.decode()
    answer = client.get(shown)
    assert (answer["Content-Type"], answer.content[:4]) == ("image/png", b"\x89PNG")
    assert "private" in answer["Cache-Control"]
    assert client.get("/clubs/harbour/logo/0123456789abcdef.png").status_code == 404
    assert Client().get(shown).status_code == 404
    Club.objects.filter(pk=club.pk).update(is_public=True)
    assert Client().get(shown)["Cache-Control"] == "max-age=31536000, immutable, public"
    assert AuditEntry.objects.filter(club=club, action="club.change").count() == 1

    assert client.post(address, {"remove": "yes"}).status_code == 302
    assert not ClubLogo.objects.exists()
    assert client.get(shown).status_code == 404
    assert "club-logo" not in client.get("/clubs/harbour/").content.decode()


@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_colour_and_what_is_said_of_a_club_are_on_its_pages_and_pictures(client: Client) -> None:
    event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="cup")
    club = event.club
    plain = client.get("/clubs/harbour/events/cup/picture.png").content
    with pytest.raises(LeagueError):
        change_club(actor=OPERATOR, club=club, colour="red; }")
    change_club(actor=OPERATOR, club=club, colour="#ffcc00", about="We play **on Tuesdays**. <script>")
    page = client.get("/clubs/harbour/").content.decode()
    assert "/colours/ffcc00.css" in page
    assert "<strong>on Tuesdays</strong>" in page
    assert "<script>" not in page
    style = client.get("/colours/ffcc00.css").content.decode()
    # As it is on dark pages, darker on light ones.
    assert "--baize: #ffcc00" in style
    assert f"--baize: {readable_on_light('#ffcc00')}" in style
    assert client.get("/colours/ffcc0.css").status_code == 404
    table = client.get("/clubs/harbour/events/cup/standings.pdf").content
    coloured = client.get("/clubs/harbour/events/cup/picture.png").content
    set_logo(actor=OPERATOR, club=club, data=picture())
    with_logo = client.get("/clubs/harbour/events/cup/picture.png").content
    assert len({plain, coloured, with_logo}) == 3
    with_logo = client.get("/clubs/harbour/events/cup/standings.pdf").content
    assert with_logo.count(b"/Subtype /Image") > table.count(b"/Subtype /Image")


@pytest.mark.django_db(transaction=True)
def test_a_logo_is_in_a_backup_and_goes_with_its_club(tmp_path: Path) -> None:
    club = ClubFactory.create(slug="harbour")
    set_logo(actor=OPERATOR, club=club, data=picture())
    kept = bytes(ClubLogo.objects.get().png)
    file = tmp_path / "club.backup"
    call_command("backup", file, verbosity=0)
    club.refresh_from_db()
    remove_club(actor=OPERATOR, club=club)
    assert not ClubLogo.objects.exists()
    call_command("restore", file, "--replace", verbosity=0)
    assert bytes(ClubLogo.objects.get().png) == kept
    assert Club.objects.get().logo == club.logo


def test_a_camera_that_noted_nonsense_does_no_harm() -> None:
    """The picture is turned upright; what else the camera has noted need not be such as can be written."""
    notes = b"".join(
        (
            b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02",
            # The description (tag 270) is a fraction, 1/2, at byte 38.
            b"\x01\x0e\0\x05\0\0\0\x01\0\0\0\x26",
            # The orientation (tag 274) is 6: the right of the file is below.
            b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0",
            b"\0\0\0\0\0\0\0\x01\0\0\0\x02",
        )
    )
    file = io.BytesIO()
    drawn = Image.new("RGB", (60, 40), "#ff0000")
    drawn.paste("#0000ff", (30, 0, 60, 40))
    drawn.save(file, "PNG", exif=notes)
    with Image.open(io.BytesIO(remade(file.getvalue()))) as made:
        assert made.size == (40, 60)
        assert (made.getpixel((20, 5)), made.getpixel((20, 55))) == ((255, 0, 0, 255), (0, 0, 255, 255))


def test_a_picture_of_sixteen_bits_keeps_its_greys() -> None:
    file = io.BytesIO()
    Image.new("I;16", (40, 40), 0x8000).save(file, "PNG")
    with Image.open(io.BytesIO(remade(file.getvalue()))) as made:
        assert made.getpixel((20, 20)) == (128, 128, 128, 255)
