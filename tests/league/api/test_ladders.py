"""Challenges on a ladder and absences from it, by the API: what the admin does, with the same rules."""

import datetime

import pytest

from league.draws.recalculating import recalculate
from league.models import Challenge, Event, LadderAbsence, Match, Player, Role, ShownAs
from tests.factories import play
from tests.league.api.world import ANYBODY, World
from tests.league.ladder_cases import challenge, entry, ladder

pytestmark = pytest.mark.django_db


@pytest.fixture
def climb(world: World) -> Event:
    """A ladder of A, B, C and D, of whom each may challenge two rungs up."""
    return ladder(4, club=world.club, challenge_reach=2, challenge_days=14, absence_days=None)


def test_challenge_is_written_read_and_called_off(world: World, climb: Event) -> None:
    director, address = world.as_user(Role.DIRECTOR), f"events/{climb.code}/challenges/"
    a, c = entry(climb, "A"), entry(climb, "C")
    made = director.send("POST", address, {"challenger": c.code, "challenged": a.code})
    assert made.status_code == 201, made.content
    row = made.json()
    match = Match.objects.get(event=climb)
    assert match.deadline is not None
    assert row == {
        "number": 1,
        "event": climb.code,
        "challenger": {"code": c.code, "name": "C"},
        "challenged": {"code": a.code, "name": "A"},
        "made_at": row["made_at"],
        "is_open": True,
        "last_day": match.deadline.isoformat(),
        "match": match.code,
        "called_off_at": None,
    }
    assert made["Location"].endswith(f"/api/v1/{address}1/")
    assert ANYBODY.get(f"{address}1/") == row
    assert ANYBODY.get(address)["results"] == [row]
    off = director.send("POST", f"{address}1/cancellation/", {"reason": "Both are ill."})
    assert off.status_code == 200, off.content
    gone = off.json()
    assert gone["called_off_at"] > row["made_at"]
    assert gone == row | {
        "is_open": False,
        "last_day": None,
        "match": None,
        "called_off_at": gone["called_off_at"],
    }
    assert not Match.objects.filter(event=climb).exists()
    again = director.send("POST", f"{address}1/cancellation/", {"reason": "Again."})
    assert (again.status_code, again.json()["code"]) == (422, "no_challenge")


def test_challenge_is_refused_by_the_rules_of_the_ladder(world: World, climb: Event) -> None:
    director, address = world.as_user(Role.DIRECTOR), f"events/{climb.code}/challenges/"
    a, d = entry(climb, "A"), entry(climb, "D")
    refused = director.send("POST", address, {"challenger": d.code, "challenged": a.code})
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (
        422,
        "too_far",
        "challenged",
    )
    elsewhere = {"challenger": d.code, "challenged": world.entry.code}
    refused = director.send("POST", address, elsewhere)
    assert (refused.status_code, refused.json()["code"]) == (422, "other_event")
    league = f"events/{world.event.code}/challenges/"
    refused = director.send("POST", league, {"challenger": world.entry.code, "challenged": world.entry.code})
    assert (refused.status_code, refused.json()["code"]) == (422, "no_ladder")
    assert ANYBODY.get(league)["results"] == []
    assert not Challenge.objects.exists()


def test_challenge_that_is_played_is_open_no_more_once_that_is_out(world: World, climb: Event) -> None:
    made = challenge(climb, "C", "A")
    address = f"events/{climb.code}/challenges/{made.number}/"
    Event.objects.filter(pk=climb.pk).update(holds_results=True)
    play(Match.objects.get(challenge=made), 5)
    recalculate(climb.pk)
    assert ANYBODY.get(address)["is_open"] is True
    Event.objects.filter(pk=climb.pk).update(holds_results=False)
    row = ANYBODY.get(address)
    assert (row["is_open"], row["last_day"]) == (False, None)


def test_who_challenges_is_named_as_the_reader_may_see(world: World, climb: Event) -> None:
    made = challenge(climb, "C", "A")
    player = Player.objects.filter(club=world.club, name="C")
    player.update(shown_as=ShownAs.NICKNAME, nickname="Climber")
    address = f"events/{climb.code}/challenges/{made.number}/"
    assert ANYBODY.get(address)["challenger"]["name"] == "Climber"
    assert world.as_user(Role.MEMBER).get(address)["challenger"]["name"] == "C"


def test_absence_is_noted_ended_and_taken_back(world: World, climb: Event) -> None:
    director, address = world.as_user(Role.DIRECTOR), f"events/{climb.code}/absences/"
    a = entry(climb, "A")
    made = director.send("POST", address, {"entry": a.code, "first_day": "2026-07-01"})
    assert made.status_code == 201, made.content
    row = made.json()
    assert row == {
        "number": row["number"],
        "event": climb.code,
        "entry": {"code": a.code, "name": "A"},
        "first_day": "2026-07-01",
        "last_day": None,
    }
    one = f"{address}{row['number']}/"
    assert made["Location"].endswith(f"/api/v1/{one}")
    twice = director.send("POST", address, {"entry": a.code, "first_day": "2026-07-09"})
    assert (twice.status_code, twice.json()["code"]) == (422, "away_already")
    early = director.change(one, {"last_day": "2026-06-30"})
    assert (early.status_code, early.json()["field"]) == (422, "last_day")
    assert director.change(one, {}).json() == row
    ended = director.change(one, {"last_day": "2026-07-10"})
    assert ended.json() == row | {"last_day": "2026-07-10"}
    assert LadderAbsence.objects.get().last_day == datetime.date(2026, 7, 10)
    stale = director.send("DELETE", one, etag=made["ETag"])
    assert stale.status_code == 412
    assert director.change(one, None, method="DELETE").status_code == 204
    assert not LadderAbsence.objects.exists()
    other = director.send("POST", address, {"entry": world.entry.code, "first_day": "2026-07-01"})
    assert (other.status_code, other.json()["code"]) == (422, "other_event")


def test_when_somebody_is_away_directors_alone_are_told(world: World, climb: Event) -> None:
    address = f"events/{climb.code}/absences/"
    body = {"entry": entry(climb, "A").code, "first_day": "2026-07-01", "last_day": "2026-07-14"}
    made = world.as_user(Role.DIRECTOR).send("POST", address, body).json()
    for asking in (ANYBODY, world.as_user(Role.MEMBER), world.as_user(Role.SCOREKEEPER)):
        assert asking.get(address)["results"] == []
        assert asking.read(f"{address}{made['number']}/").status_code == 404
    assert world.as_user(Role.OWNER).get(address)["results"] == [made]
    elsewhere = f"events/{world.event.code}/absences/"
    assert world.as_user(Role.OWNER).get(elsewhere)["results"] == []
