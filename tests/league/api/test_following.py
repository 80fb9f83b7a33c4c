"""Following what changes: nothing is missed, what is gone is told, and only to who might see it."""

import datetime
from typing import Any

import pytest
from django.db.models import F

from games.models import BotMatch
from games.services.leases import beat, claim, release
from league.api.paging import OVERLAP
from league.draws.round_writing import erase_matches
from league.events.entries import change_entry
from league.events.house_rules import drop_club_rules
from league.matches.matches import renew_sheet
from league.models import (
    Club,
    CountsWhen,
    Deletion,
    Entry,
    Event,
    EventState,
    Match,
    Membership,
    Player,
    Role,
    Round,
    RoundState,
    Season,
    ShownAs,
    TokenScope,
)
from league.people.erasing import erase_person
from league.people.players import add_alias, change_player
from league.people.register import change_shown
from scoring.services import dispute_sheet, settle_dispute, sign_sheet, void_sheet
from tests.clock import next_stamp
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    play,
)
from tests.league.api.world import ANYBODY, Asking, World
from tests.league.bot_cases import begin

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

BEGINNING = "2000-01-01T00:00:00Z"
FOLLOWED = (
    "clubs/",
    "memberships/",
    "seasons/",
    "players/",
    "events/",
    "entries/",
    "rounds/",
    "matches/",
    "house-rules/",
    "bot-matches/",
)


def _all(
    asking: Asking, address: str, since: str = BEGINNING, **query: Any
) -> tuple[list[Any], list[Any], str]:
    """What changed, what is gone, and what to ask for next time."""
    results, deleted, following = [], [], ""
    for page in asking.followed(address, since, **query):
        assert (page["next"] is None) is (page["next_since"] is not None)
        results += page["results"]
        deleted += page["deleted"]
        following = page["next_since"]
    return results, deleted, following


def _later(since: str) -> str:
    """After all that has happened: what is told again on purpose is left out."""
    at = datetime.datetime.fromisoformat(since) + OVERLAP
    return at.isoformat()


@pytest.mark.parametrize("size", ["1", "2", "200"])
@pytest.mark.parametrize("address", FOLLOWED)
def test_pages_of_changes_tell_every_row_once(world: World, address: str, size: str) -> None:
    owner = world.as_user(Role.OWNER)
    whole = owner.get(address, page_size="200")["results"]
    results, deleted, following = _all(owner, address, page_size=size)
    key = "slug" if address == "clubs/" else "code"
    assert sorted(row[key] for row in results) == sorted(row[key] for row in whole)
    times = [row["updated_at"] for row in results]
    assert times == sorted(times)
    assert deleted == []
    assert datetime.datetime.fromisoformat(following) <= datetime.datetime.fromisoformat(times[-1])


def test_rows_stamped_alike_are_all_told(world: World) -> None:
    PlayerFactory.create_batch(5, club=world.club)
    # SQLite stamps all of one statement alike.
    Player.objects.update(nickname="")
    at = Player.objects.earliest("pk").updated_at
    results, _deleted, _following = _all(ANYBODY, "players/", at.isoformat(), page_size="2")
    assert len(results) == Player.objects.filter(updated_at__gte=at).count()


def test_change_is_told_from_then_on(world: World) -> None:
    _results, _deleted, since = _all(ANYBODY, "players/")
    Player.objects.filter(pk=world.player.pk).update(name=F("name"))
    results, _deleted, following = _all(ANYBODY, "players/", since)
    assert results[-1]["code"] == world.player.code
    assert following >= since
    # With nothing new the same is asked for again, and it is answered 304.
    first = ANYBODY.read("players/", updated_since=following)
    again = ANYBODY.read("players/", headers={"If-None-Match": first["ETag"]}, updated_since=following)
    assert again.status_code == 304


def test_change_committed_late_is_told_by_the_overlap(world: World) -> None:
    _results, _deleted, since = _all(ANYBODY, "players/")
    latest = Player.objects.order_by("-updated_at").values_list("updated_at", flat=True)[0]
    assert datetime.datetime.fromisoformat(since) == latest - OVERLAP


def test_row_that_changes_while_pages_are_read_comes_again(world: World) -> None:
    pages = ANYBODY.followed("players/", BEGINNING, page_size="4")
    told = [row["code"] for row in next(pages)["results"]]
    moved = told[0]
    Player.objects.filter(code=moved).update(name="Anna")
    for page in pages:
        told += [row["code"] for row in page["results"]]
    assert told.count(moved) == 2
    assert set(told) == set(Player.objects.values_list("code", flat=True))


def test_what_belongs_to_a_row_changes_it(world: World) -> None:
    second = MatchFactory.create(event=world.event, round=RoundFactory.create(event=world.event))
    team = EventFactory.create(club=world.club, rules=world.rules.rules, team_size=2)
    entry = EntryFactory.create(event=team)
    players = [*PlayerFactory.create_batch(2, club=world.club)]
    changes: dict[str, Any] = {
        f"players/{world.player.code}/": lambda: add_alias(actor=OPERATOR, player=world.player, name="A."),
        f"entries/{entry.code}/": lambda: change_entry(actor=OPERATOR, entry=entry, players=players),
        f"matches/{second.code}/": lambda: second.appearances.filter(side=0).update(player=players[0]),
    }
    for address, change in changes.items():
        before = ANYBODY.get(address)["updated_at"]
        change()
        assert ANYBODY.get(address)["updated_at"] > before, address


@pytest.mark.parametrize("how", ["initials", "renamed", "erased"])
def test_nothing_that_names_a_player_is_taken_for_unchanged_under_another_name(
    world: World, how: str
) -> None:
    sheet = world.match.sheet
    assert sheet is not None
    addresses = [f"entries/{world.entry.code}/", f"matches/{world.match.code}/", f"sheets/{sheet.code}/"]
    before = {address: ANYBODY.read(address) for address in addresses}
    if how == "erased":
        erase_person(actor=OPERATOR, player=world.player)
    elif how == "initials":
        change_shown(actor=OPERATOR, player=world.player, shown_as=ShownAs.INITIALS, nickname="")
    else:
        change_player(actor=OPERATOR, player=world.player, name="Annabel Archer")
    for address, read in before.items():
        again = ANYBODY.read(address, headers={"If-None-Match": read["ETag"]})
        assert again.status_code == 200, address
        assert again["ETag"] != read["ETag"], address


def _row(address: str, code: str) -> dict[str, Any]:
    (row,) = (row for row in _all(ANYBODY, address)[0] if row["code"] == code)
    return dict(row)


def test_match_that_waits_for_something_else_is_told_anew(world: World) -> None:
    event = EventFactory.create(club=world.club, counts_when=CountsWhen.BOTH_SIGNATURES)
    match = play(MatchFactory.create(event=event, round=RoundFactory.create(event=event)), 40, stopped=True)
    sheet, told = match.sheet, [_row("matches/", match.code)]
    assert sheet is not None

    def is_told_anew(waits_for: list[str]) -> None:
        told.append(_row("matches/", match.code))
        assert told[-1]["waits_for"] == waits_for
        assert told[-1]["updated_at"] > told[-2]["updated_at"]

    sign_sheet(actor=OPERATOR, sheet=sheet, sides=[0])
    is_told_anew(["one_signature"])
    dispute = dispute_sheet(actor=OPERATOR, sheet=sheet, sentence="The last box is ours.", side=1)
    is_told_anew(["dispute", "one_signature"])
    settle_dispute(actor=OPERATOR, dispute=dispute, reason="It is.")
    is_told_anew(["one_signature"])


def test_what_is_gone_is_told_to_those_who_saw_it(world: World) -> None:
    draft = EventFactory.create(club=world.club, rules=world.rules.rules, state=EventState.DRAFT)
    drafted = RoundFactory.create(event=world.event, state=RoundState.DRAFTED)
    match = MatchFactory.create(event=world.event, round=drafted)
    season = SeasonFactory.create(club=world.club)
    player = PlayerFactory.create(club=world.club)
    entry = EntryFactory.create(event=world.event)
    later = RoundFactory.create(event=world.event)
    membership = Membership.objects.get(club=world.club, role=Role.MEMBER)
    gone: dict[str, Any] = {
        "seasons/": season,
        "players/": player,
        "entries/": entry,
        "rounds/": later,
    }
    hidden: dict[str, Any] = {"events/": draft, "matches/": match}
    member, director = world.as_user(Role.SCOREKEEPER), world.as_user(Role.DIRECTOR)
    match.appearances.all().delete()
    for row in [*gone.values(), match, draft, membership]:
        row.delete()
    drafted.delete()
    drop_club_rules(actor=OPERATOR, club_rules=world.rules)
    for address, row in gone.items():
        for asking in (ANYBODY, member, director):
            assert row.code in _ids(asking, address), address
        assert _ids(ANYBODY, address, _later(_all(ANYBODY, address)[2])) in ([], [row.code])
    for address, row in hidden.items():
        assert row.code not in _ids(ANYBODY, address) + _ids(member, address), address
        assert row.code in _ids(director, address), address
    assert _ids(member, "rounds/") == [later.code]
    assert set(_ids(director, "rounds/")) == {later.code, drafted.code}
    assert _ids(ANYBODY, "house-rules/") == [world.rules.rules.code]
    assert _ids(director, "memberships/") == []
    assert _ids(world.as_user(Role.OWNER), "memberships/") == [membership.code]

    Club.objects.update(is_public=False)
    stranger = Asking(ANYBODY.client.__class__())
    stranger.client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    for address in FOLLOWED:
        assert _ids(ANYBODY, address) + _ids(stranger, address) == [], address
    of_event = world.program(TokenScope.READ, event=world.event)
    assert _ids(of_event, "entries/") == [entry.code]
    assert _ids(of_event, "players/") == []


def test_club_that_is_renamed_or_gone_is_told_by_its_address(world: World) -> None:
    Club.objects.filter(pk=world.club.pk).update(slug="haven")
    assert _ids(ANYBODY, "clubs/") == ["harbour"]
    Club.objects.filter(pk=world.club.pk).update(name="Haven")
    assert _ids(ANYBODY, "clubs/") == ["harbour"]
    secret = ClubFactory.create(is_public=False, slug="secret")
    open_one = ClubFactory.create(slug="open-one")
    secret.delete()
    open_one.delete()
    assert _ids(ANYBODY, "clubs/") == ["harbour", "open-one"]


def test_deletions_are_paged_after_the_rows(world: World) -> None:
    players = PlayerFactory.create_batch(5, club=world.club)
    for player in players:
        player.delete()
    for size in ("1", "4", "13", "15", "200"):
        results, deleted, _following = _all(ANYBODY, "players/", page_size=size)
        assert [row["id"] for row in deleted] == [player.code for player in players], size
        assert len(results) == Player.objects.count(), size
    of_event = f"events/{world.event.code}/rounds/"
    RoundFactory.create(event=world.event).delete()
    RoundFactory.create(event=world.cup, number=9).delete()
    assert len(_ids(ANYBODY, of_event)) == 1
    assert len(_ids(ANYBODY, "rounds/")) == 2


def test_deletion_of_a_whole_event_is_told(world: World) -> None:
    event = EventFactory.create(club=world.club, rules=world.rules.rules)
    EntryFactory.create(event=event)
    event.delete()
    assert _ids(ANYBODY, "events/") == [event.code]
    assert Deletion.objects.filter(resource="entries").count() == 1


def test_bot_matches_are_followed_by_what_is_told_of_them(world: World) -> None:
    bots = BotMatch.objects.get()
    (told,), deleted, _following = _all(ANYBODY, "bot-matches/")
    assert (told["code"], told["state"], deleted) == (bots.code, "due", [])

    def stamp() -> datetime.datetime:
        found: datetime.datetime = BotMatch.objects.values_list("updated_at", flat=True).get()
        next_stamp()
        return found

    before = stamp()
    assert claim(bots.pk, "worker") is not None
    taken_up = stamp()
    assert taken_up > before
    beat(bots, "worker")
    assert stamp() == taken_up
    release(bots, "worker")
    given_back = stamp()
    assert given_back > taken_up
    # Held back it is out of sight; with its results it comes again.
    match = Match.objects.get(sheet=bots.sheet_id)
    Event.objects.filter(pk=match.event_id).update(holds_results=True)
    held_back = stamp()
    assert held_back > given_back
    Round.objects.filter(pk=match.round_id).update(released_at=F("updated_at"))
    assert stamp() > held_back

    erase_matches(Match.objects.filter(pk=match.pk))
    assert not BotMatch.objects.exists()
    assert _ids(ANYBODY, "bot-matches/") == [bots.code]
    Club.objects.update(is_public=False)
    assert _ids(ANYBODY, "bot-matches/") == []
    assert _ids(world.as_user(Role.MEMBER), "bot-matches/") == [bots.code]


def test_bot_match_that_loses_its_match_with_hands_on_its_sheet_is_told_without_it(world: World) -> None:
    match = Match.objects.get(sheet__bot_match__isnull=False)
    begin(match)
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="The wrong bots.")
    ((before,), _deleted, since) = _all(ANYBODY, "bot-matches/")
    assert (before["state"], before["match"]) == ("cancelled", match.code)
    renew_sheet(actor=OPERATOR, match=match)
    ((after,), deleted, _following) = _all(ANYBODY, "bot-matches/", since)
    assert after == before | {"match": None, "updated_at": after["updated_at"]}
    assert after["updated_at"] > before["updated_at"]
    assert deleted == []


def _ids(asking: Asking, address: str, since: str = BEGINNING) -> list[str]:
    """What is told to be gone."""
    return [row["id"] for row in _all(asking, address, since)[1]]


def test_every_followed_row_says_when_it_was_written(world: World) -> None:
    now = datetime.datetime.now(datetime.UTC)
    for model in (Club, Membership, Season, Player, Event, Entry, Round, Match, BotMatch):
        row: Any = model._default_manager.earliest("pk")
        next_stamp()
        assert abs(row.updated_at - now) < datetime.timedelta(minutes=10)
        read_at = row.updated_at
        model._default_manager.filter(pk=row.pk).update(updated_at=F("updated_at"))
        row.refresh_from_db()
        assert row.updated_at > read_at, model
        # Saved whole by who read it before: it takes no older time with it.
        row.updated_at = read_at
        row.save()
        row.refresh_from_db()
        assert row.updated_at > read_at, model
