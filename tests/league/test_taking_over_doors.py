"""The doors of a tournament taken over: pages of the administration, commands, public pages, the API."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from league.core.trf_reading import LARGEST_TRF
from league.models import AuditEntry, Club, Event, ImportBatch, ImportDraft, Match, MatchState, Role
from tests.factories import EventFactory, PlayerFactory, UserFactory
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.hand_files import command
from tests.league.test_taking_over import taken
from tests.league.trf_files import CUP, changed

pytestmark = pytest.mark.django_db

UPLOAD = "admin:league_importbatch_take_over"


@pytest.fixture
def directs(club: Club, client: Client) -> Client:
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    return client


def upload(client: Client, club: Club, data: bytes = CUP.encode(), **fields: Any) -> Any:
    file = SimpleUploadedFile("cup.trf", data)
    return client.post(reverse(UPLOAD), {"club": club.pk, "file": file, **fields})


def fingerprint(shown: Any) -> str:
    found = re.search(r'name="fingerprint" value="(\w+)"', shown.content.decode())
    assert found is not None
    return found[1]


def test_upload_preview_choice_and_yes(directs: Client, club: Club) -> None:
    jan = PlayerFactory.create(club=club, name="Jan Novak", external_id="1503014")
    ann = PlayerFactory.create(club=club, name="Ann Berg")
    assert reverse(UPLOAD) in directs.get(reverse("admin:league_importbatch_add")).content.decode()
    before = contents()
    answer = upload(directs, club, season="2025")
    after = contents()
    assert len(after.pop("ImportDraft")) == 1
    assert after == {name: rows for name, rows in before.items() if name != "ImportDraft"}

    shown = directs.get(answer["Location"])
    assert "6 players, 3 rounds will be entered." in text(shown)
    body = shown.content.decode()
    assert f'<option value="{jan.pk}" selected>' in body
    assert f'<option value="{ann.pk}" selected>' not in body
    chosen = {"fingerprint": fingerprint(shown), "player-1": "", "player-5": str(ann.pk)}
    done = directs.post(answer["Location"], chosen)
    batch = ImportBatch.objects.get()
    assert done["Location"] == reverse("admin:league_importbatch_change", args=[batch.pk])
    event = Event.objects.get(taken_over=True)
    assert str(event.season) == "2025"
    assert {entry.seed: list(entry.players.all()) for entry in event.entries.all()} == {
        number: [ann] if number == 5 else [] for number in range(1, 7)
    }
    assert AuditEntry.objects.filter(action="import.take_over").count() == 1
    assert not ImportDraft.objects.exists()


def test_the_event_is_deleted_by_undoing(directs: Client, club: Club) -> None:
    event = taken(club)
    batch = ImportBatch.objects.get()
    address = page("importbatch", batch, "undo")
    assert "Deleted: matches: 11" in text(directs.post(address, {}))
    directs.post(address, {"_confirm": "1"})
    assert not Event.objects.filter(pk=event.pk).exists()


def test_what_is_refused_is_told_with_its_line(directs: Client, club: Club) -> None:
    answer = upload(directs, club, changed("6 w +", "6 w X"))
    assert answer.status_code == 422
    assert "line 13, 3 Lund, Bob: Round 1 has an unknown result: “X”." in text(answer)
    assert upload(directs, club, b"x" * (LARGEST_TRF + 1)).status_code == 413
    taken(club)
    assert "This very file is imported already, as “Autumn Cup”." in text(upload(directs, club))
    assert "There is an event “Autumn Cup” already." in text(upload(directs, club, changed("ENG", "NOR")))


def test_a_confirmation_of_something_else_writes_nothing(directs: Client, club: Club) -> None:
    address = upload(directs, club)["Location"]
    shown = directs.get(address)
    assert directs.post(address, {"fingerprint": "0"}).status_code == 409
    stranger = PlayerFactory.create()
    for wrong in (str(stranger.pk), "x", "9" * 30):
        answer = directs.post(address, {"fingerprint": fingerprint(shown), "player-1": wrong})
        assert answer.status_code == 409
        assert "Choose only players of Harbour." in text(answer)
    # Somebody whose number is known has come meanwhile.
    PlayerFactory.create(club=club, external_id="1503014")
    assert directs.post(address, {"fingerprint": fingerprint(shown)}).status_code == 409
    assert not Event.objects.filter(taken_over=True).exists()


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, None])
def test_only_directors_take_over(client: Client, club: Club, role: Role | None) -> None:
    director = UserFactory.create(club=club, role=Role.DIRECTOR)
    client.force_login(director)
    address = upload(client, club)["Location"]
    other = UserFactory.create(club=club, role=role) if role else UserFactory.create(is_staff=True)
    client.force_login(other)
    assert client.get(reverse(UPLOAD)).status_code == 403
    assert client.get(address).status_code == 404
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert client.get(address).status_code == 404, "a draft is its author's"


def test_a_draft_of_hands_is_no_tournament(directs: Client, club: Club) -> None:
    address = upload(directs, club)["Location"]
    draft = ImportDraft.objects.get()
    assert directs.get(reverse("admin:league_importbatch_preview", args=[draft.pk])).status_code == 404
    ImportDraft.objects.update(options={})
    assert directs.get(address).status_code == 404


def test_a_director_says_who_an_entry_is(directs: Client, club: Club) -> None:
    event = taken(club)
    ann = PlayerFactory.create(club=club, name="Ann Berg")
    entry = event.entries.get(seed=2)
    asked = {"player": str(ann.pk)}
    said = text(directs.post(page("entry", entry, "link"), asked))
    assert "“Berg, Ann” will be Ann Berg, and be called so from now on." in said
    directs.post(page("entry", entry, "link"), asked | {"_confirm": "1"})
    entry.refresh_from_db()
    assert (entry.name, list(entry.players.all())) == ("Ann Berg", [ann])
    assert page("entry", entry, "link") not in directs.get(page("entry", entry)).content.decode()


def test_it_is_not_offered_to_reopen(directs: Client, club: Club) -> None:
    event = taken(club)
    shown = directs.get(page("event", event)).content.decode()
    assert page("event", event, "archive") in shown
    assert page("event", event, "reopen") not in shown


def test_pages_show_no_figure_of_deals(client: Client, club: Club) -> None:
    jan = PlayerFactory.create(club=club, name="Jan Novak", external_id="1503014")
    event = taken(club)
    way = [club.slug, event.slug]
    game = event.matches.get(entry_a__seed=1, round__number=1)
    table = client.get(reverse("event", args=way)).content.decode()
    assert "no deals are known, so there is no net" in text(client.get(reverse("event", args=way)))
    for word in (">Net<", ">Columns<", "House rules", "game to 100"):
        assert word not in table
    crosstable = text(client.get(reverse("event_crosstable", args=way)))
    assert "1 won, ½ drawn, 0 lost" in crosstable
    assert "1–0" in text(client.get(reverse("round", args=[*way, 1])))
    shown = text(client.get(reverse("match", args=[*way, game.code])))
    assert "Won by Jan Novak. The result is taken over from another program" in shown
    assert "no sheet" not in shown
    player = text(client.get(reverse("player", args=[club.slug, jan.code])))
    assert "2–1–0" in player
    assert "Columns won and lost" not in player
    feed = client.get(reverse("event_results_atom", args=way)).content.decode()
    assert "Jan Novak beat O" in feed
    assert "Jan Novak and Berg, Ann drew" in feed or "Berg, Ann and Jan Novak drew" in feed
    for name in ("event_standings_pdf", "crosstable_pdf"):
        assert client.get(reverse(name, args=way)).content.startswith(b"%PDF")


def test_the_api_has_no_figure_of_deals(client: Client, club: Club) -> None:
    event = taken(club)
    address = f"/api/v1/events/{event.code}/"
    assert client.get(address).json()["is_taken_over"] is True
    for row in client.get(f"{address}standings/").json()["results"]:
        assert (row["net"], row["columns_won"], row["boxes"]) == (None, None, None)
        assert "net" not in row["metrics"]
    games = client.get(f"{address}matches/", {"state": MatchState.TAKEN_OVER}).json()["results"]
    assert len(games) == 6
    for each in games:
        assert (each["net"], each["sheet"], each["counts"]) == (None, None, True)
        assert {each["sides"][0][name] for name in ("columns", "boxes", "hands_won", "gins")} == {None}


def test_command_takes_over_and_undoes(club: Club, tmp_path: Path) -> None:
    EventFactory.create(club=club)
    file = tmp_path / "cup.trf"
    file.write_text(CUP, encoding="latin-1")
    before = contents()
    assert "6 players, 3 rounds will be entered." in command("import_trf", file, "--dry-run")
    assert contents() == before
    assert "To take it back: import_hands --undo" in command("import_trf", file, "--name", "Cup of 2025")
    assert "O'Hara, Müge" in command("standings", "cup-of-2025")
    assert "+0" not in command("standings", "cup-of-2025")
    with pytest.raises(CommandError) as refusal:
        command("import_trf", file)
    assert "This very file is imported already" in str(refusal.value)
    file.write_bytes(changed("6 w +", "6 w X"))
    with pytest.raises(CommandError) as refusal:
        command("import_trf", file)
    assert str(refusal.value).startswith("line 13, 3 Lund, Bob: Round 1 has an unknown result")
    command("import_hands", "--undo", ImportBatch.objects.get().pk)
    assert not Match.objects.exists()
