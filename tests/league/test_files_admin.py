"""Files in the admin: upload, preview, yes, undo, download; each only in one's own club."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.hand_files.reading import LARGEST_FILE
from league.models import Club, Event, ImportBatch, ImportDraft, Match, Role
from scoring.models import Scoresheet
from scoring.services import record_deals
from tests.factories import OPERATOR, ClubFactory, UserFactory, won
from tests.kept import contents
from tests.league.hand_files import batch_of, dead, file_of, imported, knock

pytestmark = pytest.mark.django_db

ADD = "admin:league_importbatch_add"


@pytest.fixture
def director(club: Club, client: Client) -> User:
    user = UserFactory.create(club=club, username="dora", role=Role.DIRECTOR)
    client.force_login(user)
    return user


def upload(client: Client, club: Club, data: bytes, **fields: Any) -> Any:
    file = SimpleUploadedFile("night.csv", data, content_type="text/csv")
    posted = {"club": club.pk, "file": file, "create": "on", "rules": "", "season": "", "correct": ""}
    return client.post(reverse(ADD), {key: value for key, value in (posted | fields).items() if value != ""})


def page(response: Any) -> str:
    """The text of a page, spaces made one."""
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(text.replace("&#x27;", "'").replace("&quot;", '"').split())


def confirm(client: Client, address: str) -> Any:
    shown = client.get(address).content.decode()
    found = re.search(r'name="fingerprint" value="(\w+)"', shown)
    assert found is not None
    return client.post(address, {"fingerprint": found[1]})


def test_upload_preview_and_yes_imports_the_file(client: Client, club: Club, director: User) -> None:
    assert client.get(reverse(ADD)).status_code == 200
    before = contents()
    response = upload(
        client, club, file_of(knock(1), knock(2)), rules="columns=3,target=150", season="Winter"
    )
    assert response.status_code == 302
    after = contents()
    assert len(after.pop("ImportDraft")) == 1
    before.pop("ImportDraft")
    assert after == before, "a preview writes nothing else"

    address = response["Location"]
    shown = page(client.get(address))
    for sentence in ("Winter Cup, Harbour: 2 hands on 1 sheets.", "New: 2 players.", "3 columns to 150"):
        assert sentence in shown
    response = confirm(client, address)

    batch = ImportBatch.objects.get()
    assert response["Location"] == reverse("admin:league_importbatch_change", args=[batch.pk])
    assert (batch.actor_kind, batch.actor_id, batch.deals) == ("user", str(director.pk), 2)
    assert str(Event.objects.get().season) == "Winter"
    assert not ImportDraft.objects.exists()
    assert client.get(address).status_code == 404
    shown = page(client.get(response["Location"]))
    assert "The file is imported." in shown
    assert "Undo this import" in shown
    assert "night.csv" in page(client.get(reverse("admin:league_importbatch_changelist")))


def test_same_file_again_has_nothing_to_confirm(client: Client, club: Club, director: User) -> None:
    imported(club, file_of(knock(1)), rules=None)
    response = upload(client, club, file_of(knock(1)))
    shown = client.get(response["Location"])
    assert "All of it is stored already." in page(shown)
    assert "Yes, import it" not in shown.content.decode()


def test_wrong_file_is_refused_with_every_row(client: Client, club: Club, director: User) -> None:
    before = contents()
    response = upload(client, club, file_of(knock(1, own="x"), dead(0)))
    assert response.status_code == 422
    shown = page(response)
    assert "row 2, knocker_deadwood: “x” is not a whole number." in shown
    assert "row 3, deal: This is a number from 1 to 500, not 0." in shown
    assert contents() == before


@pytest.mark.parametrize(
    ("data", "fields", "status", "sentence"),
    [
        (b"x" * (LARGEST_FILE + 1), {}, 413, "The file is larger than 5 MB."),
        (file_of(dead()), {"rules": "columns=many"}, 422, "columns is a whole number."),
        (file_of(dead()), {"create": ""}, 422, "Harbour has no event “Winter Cup”."),
        (file_of(dead()), {"create": "", "season": "2026"}, 422, "for an event that is to be made"),
        (b"", {}, 422, "The submitted file is empty."),
    ],
    ids=["too large", "no rules", "no event", "a season for nothing", "an empty file"],
)
def test_upload_when_wrong_is_refused(
    client: Client,
    club: Club,
    director: User,
    data: bytes,
    fields: dict[str, Any],
    status: int,
    sentence: str,
) -> None:
    before = contents()
    response = upload(client, club, data, **fields)
    assert response.status_code == status
    assert sentence in page(response)
    assert contents() == before


def test_yes_after_the_club_has_changed_shows_the_new_preview(
    client: Client, club: Club, director: User
) -> None:
    imported(club, file_of(knock(1)), rules=None)
    address = upload(client, club, file_of(knock(1), knock(2), knock(3)))["Location"]
    client.get(address)
    record_deals(actor=OPERATOR, sheet=Scoresheet.objects.get(), deals=[won("Bob", "Ann", 5)])
    before = contents()

    response = client.post(address, {"fingerprint": "what was shown"})

    assert response.status_code == 422
    assert "row 3, deal: Deal 2 of sheet W1-1 is stored differently" in page(response)
    assert "It is corrected only with a reason." in page(response)
    assert "--" not in re.sub(r"<!--.*?-->", "", page(response))
    assert contents() == before


def test_yes_to_another_preview_is_asked_again(client: Client, club: Club, director: User) -> None:
    address = upload(client, club, file_of(knock(1)))["Location"]
    response = client.post(address, {"fingerprint": "another"})
    assert response.status_code == 409
    assert "The club has changed since you looked" in page(response)
    assert not Match.objects.exists()
    assert confirm(client, address).status_code == 302
    assert Match.objects.count() == 1


def test_correction_with_its_reason_goes_through(client: Client, club: Club, director: User) -> None:
    imported(club, file_of(knock(1)), rules=None)
    address = upload(client, club, file_of(knock(1, other=60)), correct="misread")["Location"]
    assert "Reason for the corrections: misread" in page(client.get(address))
    confirm(client, address)
    assert Scoresheet.objects.get().acts.get(kind="correct").reason == "misread"


def test_old_drafts_are_swept_away(client: Client, club: Club, director: User) -> None:
    upload(client, club, file_of(knock(1)))
    ImportDraft.objects.update(at=timezone.now() - timedelta(days=2))
    upload(client, club, file_of(knock(1)))
    assert ImportDraft.objects.count() == 1


def test_undo_is_shown_then_done(client: Client, club: Club, director: User) -> None:
    batch = batch_of(club, file_of(knock(1)))
    address = reverse("admin:league_importbatch_undo", args=[batch.pk])
    shown = page(client.post(address))
    assert "Voided: 1 sheet, whose deals can still be read but do not count." in shown
    assert Event.objects.exists()

    client.post(address, {"_confirm": "yes"})

    assert not Event.objects.exists()
    batch.refresh_from_db()
    assert batch.undone_by_name == "dora"
    assert "Undo this import" not in page(
        client.get(reverse("admin:league_importbatch_change", args=[batch.pk]))
    )


def test_undo_that_is_refused_says_why(client: Client, club: Club, director: User) -> None:
    batch = batch_of(club, file_of(knock(1)))
    record_deals(actor=OPERATOR, sheet=Scoresheet.objects.get(), deals=[won("Bob", "Ann", 5)])
    address = reverse("admin:league_importbatch_undo", args=[batch.pk])
    assert "has changed since the import" in page(client.post(address))
    assert "has changed since the import" in page(client.post(address, {"_confirm": "yes"}))
    assert Event.objects.exists()


def test_download_is_the_export_with_the_mark_of_utf_8(client: Client, club: Club, director: User) -> None:
    data = file_of(knock(1, "Zoé", side_a="Zoé", defender="Bob"))
    imported(club, data)
    event = Event.objects.get()
    response = client.get(reverse("admin:league_importbatch_export", args=[event.pk]))
    assert response.content == b"\xef\xbb\xbf" + data
    assert response["Content-Disposition"] == 'attachment; filename="winter-cup.csv"'
    assert imported(club, response.content) is None


Address = Callable[[ImportBatch, ImportDraft], str]

ADDRESSES: dict[str, Address] = {
    "list": lambda batch, draft: reverse("admin:league_importbatch_changelist"),
    "upload": lambda batch, draft: reverse(ADD),
    "preview": lambda batch, draft: reverse("admin:league_importbatch_preview", args=[draft.pk]),
    "import": lambda batch, draft: reverse("admin:league_importbatch_change", args=[batch.pk]),
    "undo": lambda batch, draft: reverse("admin:league_importbatch_undo", args=[batch.pk]),
    "export": lambda batch, draft: reverse("admin:league_importbatch_export", args=[batch.event_id]),
}

# Director, scorekeeper and member of the club; director of another; nobody.
MAY: dict[str, tuple[int, int, int, int, int]] = {
    "list": (200, 403, 302, 200, 302),
    "upload": (200, 403, 302, 200, 302),
    "preview": (404, 404, 302, 404, 302),
    "import": (200, 403, 302, 404, 302),
    "undo": (200, 403, 302, 404, 302),
    "export": (200, 200, 302, 404, 302),
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_who_may_see_what(client: Client, club: Club, name: str) -> None:
    old_town = ClubFactory.create(slug="old-town")
    owner = UserFactory.create(club=club, username="owner", role=Role.OWNER)
    batch = batch_of(club, file_of(knock(1)))
    draft = ImportDraft.objects.create(club=club, user=owner, file_name="a.csv", content="")
    users = [
        UserFactory.create(club=club, username="director", role=Role.DIRECTOR),
        UserFactory.create(club=club, username="keeper", role=Role.SCOREKEEPER),
        UserFactory.create(club=club, username="member", role=Role.MEMBER, is_staff=False),
        UserFactory.create(club=old_town, username="other", role=Role.DIRECTOR),
        None,
    ]
    found = []
    for user in users:
        client.logout()
        if user is not None:
            client.force_login(user)
        response = client.get(ADDRESSES[name](batch, draft))
        found.append(response.status_code)
        if response.status_code == 200 and user is not None and user.username == "other":
            assert "night.csv" not in page(response)
    assert tuple(found) == MAY[name]


def test_director_of_another_club_cannot_import_here(client: Client, club: Club) -> None:
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.DIRECTOR))
    before = contents()
    assert upload(client, club, file_of(knock(1))).status_code == 422
    assert contents() == before


def test_preview_is_gone_for_who_is_director_no_more(client: Client, club: Club, director: User) -> None:
    address = upload(client, club, file_of(knock(1)))["Location"]
    director.memberships.update(role=Role.SCOREKEEPER)
    assert client.get(address).status_code == 404
    assert client.post(address, {"fingerprint": "x"}).status_code == 404


@pytest.mark.parametrize("is_superuser", [True, False])
def test_page_of_an_import_has_nothing_to_change(client: Client, club: Club, is_superuser: bool) -> None:
    batch = batch_of(club, file_of(knock(1)))
    client.force_login(UserFactory.create(club=club, role=Role.OWNER, is_superuser=is_superuser))
    address = reverse("admin:league_importbatch_change", args=[batch.pk])
    shown = client.get(address)
    assert shown.status_code == 200
    assert "night.csv" in page(shown)
    assert 'name="_save' not in shown.text
    assert client.post(address, {"_save": "Save"}).status_code == 403


def test_imports_are_neither_changed_nor_deleted(client: Client, club: Club, director: User) -> None:
    batch = batch_of(club, file_of(knock(1)))
    before = contents()
    client.post(reverse("admin:league_importbatch_change", args=[batch.pk]), {"file_name": "other.csv"})
    client.post(reverse("admin:league_importbatch_delete", args=[batch.pk]), {"post": "yes"})
    assert contents() == before
