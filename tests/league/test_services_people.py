"""Players: names that tell people apart, and two that are one."""

import datetime
from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser

from league.errors import LeagueError
from league.matches.club_sheets import open_club_sheet
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    ClubRules,
    Entry,
    EntryMember,
    FormerSheet,
    Membership,
    Player,
    PlayerAlias,
    Role,
    ShownAs,
    StandingsRequest,
)
from league.people.absences import note_absence
from league.people.accounts import choose_shown_name
from league.people.erasing import erase_person
from league.people.invitations import NewAccount, accept_invitation, invite, live_invitations
from league.people.players import (
    add_alias,
    change_player,
    create_player,
    merge_players,
    remove_alias,
    remove_player,
)
from league.policy import actor_of
from league.policy.naming import names_for
from scoring.core.actors import Actor
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet, Seat
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
    play,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_create_player_notes_who_and_what(club: Club, director: Actor) -> None:
    player = create_player(
        actor=director, club=club, name="  Ann   Abbott ", member_number=" 17 ", aliases=["Annie"]
    )
    assert (player.name, player.member_number) == ("Ann Abbott", "17")
    assert [alias.name for alias in player.aliases.all()] == ["Annie"]
    alias_note, note = AuditEntry.objects.all()
    assert (note.action, note.club, note.actor_id) == ("player.create", club, director.id)
    assert note.after is not None
    assert note.after["name"] == "Ann Abbott"
    assert alias_note.action == "player.alias"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "invalid"),
        ("Ann+Cid", "invalid"),
        ("x" * 81, "invalid"),
        ("Bob", "name_taken"),
        ("Bobby", "name_taken"),
    ],
)
def test_create_player_refuses_a_name_that_would_confuse(
    club: Club, director: Actor, name: str, code: str
) -> None:
    create_player(actor=director, club=club, name="Bob", aliases=["Bobby"])
    notes = AuditEntry.objects.count()
    with refuses(LeagueError, code, field="name"):
        create_player(actor=director, club=club, name=name)
    assert Player.objects.count() == 1
    assert AuditEntry.objects.count() == notes


def test_create_player_refuses_a_member_number_in_use(club: Club, director: Actor) -> None:
    create_player(actor=director, club=club, name="Bob", member_number="1")
    with pytest.raises(LeagueError, match="Another player has this member number"):
        create_player(actor=director, club=club, name="Cid", member_number="1")


def test_user_of_a_player_holds_an_office_in_the_club(club: Club, director: Actor) -> None:
    stranger, member = UserFactory.create(), UserFactory.create(club=club, role=Role.MEMBER)
    player = create_player(actor=OPERATOR, club=club, name="Bob", user=member)
    writes: list[Callable[[], Player]] = [
        lambda: create_player(actor=director, club=club, name="Cid", user=stranger),
        lambda: change_player(actor=director, player=player, user=stranger),
    ]
    for write in writes:
        with refuses(LeagueError, "other_club", field="user"):
            write()
    assert change_player(actor=director, player=player, user=None).user is None
    assert change_player(actor=OPERATOR, player=player, user=stranger).user == stranger
    # Who was linked by the administrator stays, whatever else is changed.
    assert change_player(actor=director, player=player, user=stranger, name="Rob").name == "Rob"


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.MEMBER, None])
def test_services_refuse_who_is_no_director_of_the_club(club: Club, role: Role | None) -> None:
    user = UserFactory.create(club=club, role=role) if role else UserFactory.create()
    player = PlayerFactory.create(club=club)
    for write in (
        lambda: create_player(actor=actor_of(user), club=club, name="Ann"),
        lambda: change_player(actor=actor_of(user), player=player, name="Ann"),
        lambda: add_alias(actor=actor_of(user), player=player, name="Ann"),
        lambda: remove_player(actor=actor_of(user), player=player),
        lambda: merge_players(actor=actor_of(user), keep=player, drop=PlayerFactory.create(club=club)),
    ):
        with refuses(LeagueError, "not_allowed"):
            write()
    assert not AuditEntry.objects.exists()


def test_a_director_of_another_club_may_do_nothing(director: Actor) -> None:
    with refuses(LeagueError, "not_allowed"):
        change_player(actor=director, player=PlayerFactory.create(), name="Ann")


def test_change_name_goes_to_entries_and_blank_sheets_but_not_to_played_ones(
    club: Club, director: Actor
) -> None:
    event = EventFactory.create(club=club)
    ann, bob, cid = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid"))
    played = MatchFactory.create(event=event, entry_a=ann, entry_b=bob)
    blank = MatchFactory.create(event=event, entry_a=cid, entry_b=ann)
    play(played, 25)
    StandingsRequest.objects.all().delete()

    player = change_player(actor=director, player=Player.objects.get(name="Ann"), name="Anne")

    ann.refresh_from_db()
    assert ann.name == "Anne"
    assert list(player.aliases.values_list("name", flat=True)) == ["Ann"]
    assert set(Seat.objects.filter(sheet=played.sheet).values_list("name", flat=True)) == {"Ann", "Bob"}
    assert set(Seat.objects.filter(sheet=blank.sheet).values_list("name", flat=True)) == {"Cid", "Anne"}
    assert blank.sheet is not None
    assert set(blank.sheet.sides.values_list("name", flat=True)) == {"Cid", "Anne"}
    assert StandingsRequest.objects.filter(event=event).exists()
    note = AuditEntry.objects.get(action="player.change")
    assert (note.before, note.after) == ({"name": "Ann"}, {"name": "Anne"})


def test_change_name_back_takes_the_old_name_off_the_aliases(club: Club, director: Actor) -> None:
    player = create_player(actor=director, club=club, name="Ann")
    change_player(actor=director, player=player, name="Anne")
    player = change_player(actor=director, player=player, name="Ann")
    assert [alias.name for alias in player.aliases.all()] == ["Anne"]


def test_change_player_that_changes_nothing_notes_nothing(club: Club, director: Actor) -> None:
    player = PlayerFactory.create(club=club)
    change_player(actor=director, player=player, name=player.name, member_number=player.member_number)
    assert not AuditEntry.objects.exists()


def test_remove_alias(club: Club, director: Actor) -> None:
    player = create_player(actor=director, club=club, name="Ann", aliases=["Annie"])
    remove_alias(actor=director, alias=player.aliases.get())
    assert not PlayerAlias.objects.exists()
    assert AuditEntry.objects.filter(action="player.alias_remove").exists()


def _renamed(club: Club, director: Actor, team: str | None = None) -> Player:
    """Ann Lund, who played as Ann Berg."""
    ann = PlayerFactory.create(club=club, name="Ann Berg")
    event = EventFactory.create(club=club, team_size=1 if team is None else 2)
    players = [ann] if team is None else [ann, PlayerFactory.create(club=club)]
    entry = EntryFactory.create(event=event, name=team or ann.name, players=players)
    play(MatchFactory.create(event=event, entry_a=entry), 25)
    return change_player(actor=director, player=ann, name="Ann Lund")


@pytest.mark.parametrize("team", [None, "The Knockers", "Ann Berg + Cid"])
def test_a_name_that_stands_on_a_sheet_stays_known(club: Club, director: Actor, team: str | None) -> None:
    ann = _renamed(club, director, team)
    choose_shown_name(actor=director, player=ann, shown_as=ShownAs.INITIALS)
    with refuses(LeagueError, "alias_in_use"):
        remove_alias(actor=director, alias=ann.aliases.get())
    assert names_for(AnonymousUser(), club).person(ann.code, "Ann Berg") == "A. L."
    assert not AuditEntry.objects.filter(action="player.alias_remove").exists()


def test_a_name_that_stands_on_a_former_sheet_stays_known(club: Club, director: Actor) -> None:
    ann = _renamed(club, director)
    event = ann.appearances.get().match.event
    sheet = ann.appearances.get().match.sheet
    assert sheet is not None
    Appearance.objects.all().delete()
    event.matches.all().delete()
    FormerSheet.objects.create(sheet=sheet, club=club)
    with refuses(LeagueError, "alias_in_use"):
        remove_alias(actor=director, alias=ann.aliases.get())


def test_another_name_is_removed_where_others_make_known_what_sheets_say(club: Club, director: Actor) -> None:
    ann = _renamed(club, director)
    merge_players(actor=director, keep=ann, drop=PlayerFactory.create(club=club, name="Ann"))
    add_alias(actor=director, player=ann, name="ANN BERG")
    for name in ("ANN BERG", "Ann"):
        remove_alias(actor=director, alias=ann.aliases.get(name=name))
    assert [alias.name for alias in ann.aliases.all()] == ["Ann Berg"]
    # On a sheet on which she did not sit it is not her name.
    bob = create_player(actor=director, club=club, name="Bob", aliases=["The Knockers"])
    event = EventFactory.create(club=club)
    MatchFactory.create(event=event, entry_a=EntryFactory.create(event=event, name="The Knockers"))
    remove_alias(actor=director, alias=bob.aliases.get())


def test_remove_player_only_without_entries(club: Club, director: Actor) -> None:
    idle = PlayerFactory.create(club=club)
    remove_player(actor=director, player=idle)
    entry = EntryFactory.create(event=EventFactory.create(club=club))
    with refuses(LeagueError, "in_use"):
        remove_player(actor=director, player=entry.players.get())
    assert Player.objects.count() == 1


def test_merge_moves_everything_to_the_one_who_is_kept(club: Club, director: Actor) -> None:
    keep = PlayerFactory.create(club=club, name="Smith", member_number=None)
    drop = PlayerFactory.create(club=club, name="Smyth", member_number="7")
    older = PlayerFactory.create(club=club, name="Smithe", merged_into=drop)
    add_alias(actor=director, player=drop, name="Smythe")
    event = EventFactory.create(club=club)
    entry = EntryFactory.create(event=event, name="Smyth", players=[drop])
    played = MatchFactory.create(event=event, entry_a=entry)
    play(played, 25)
    blank = MatchFactory.create(event=event, entry_a=entry)
    StandingsRequest.objects.all().delete()

    kept = merge_players(actor=director, keep=keep, drop=drop, reason="The same person")

    drop.refresh_from_db()
    older.refresh_from_db()
    entry.refresh_from_db()
    assert (drop.merged_into, older.merged_into) == (keep, keep)
    assert kept.member_number == "7"
    assert entry.name == "Smith"
    assert EntryMember.objects.get(entry=entry).player == keep
    assert set(Appearance.objects.filter(entry=entry).values_list("player", flat=True)) == {keep.pk}
    assert set(kept.aliases.values_list("name", flat=True)) == {"Smyth", "Smythe"}
    assert Seat.objects.filter(sheet=played.sheet, name="Smyth").exists()
    assert Seat.objects.filter(sheet=blank.sheet, name="Smith").exists()
    assert StandingsRequest.objects.filter(event=event).exists()
    note = AuditEntry.objects.get(action="player.merge")
    assert note.before is not None
    assert note.before["matches"] == 2
    assert note.reason == "The same person"


def test_an_account_goes_over_to_another_player_only_by_who_disposes_of_it(
    club: Club, director: Actor
) -> None:
    elsewhere = ClubFactory.create()
    olga = UserFactory.create(club=elsewhere, role=Role.OWNER)
    drop = PlayerFactory.create(club=club, name="Olga", user=olga)
    keep = PlayerFactory.create(club=club, name="Bob")
    owner_here = UserFactory.create(club=club, role=Role.OWNER)
    for attacker in (director, actor_of(owner_here)):
        with refuses(LeagueError, "not_allowed"):
            merge_players(actor=attacker, keep=keep, drop=drop)
    keep.refresh_from_db()
    drop.refresh_from_db()
    assert (keep.user, drop.user, drop.merged_into) == (None, olga, None)
    Membership.objects.create(club=elsewhere, user=owner_here, role=Role.OWNER)
    assert merge_players(actor=actor_of(owner_here), keep=keep, drop=drop).user == olga
    assert list(olga.players.all()) == [keep]
    # Nothing goes over to one who has an account, nor from one without.
    other = PlayerFactory.create(club=club, user=UserFactory.create(club=elsewhere, role=Role.OWNER))
    kept = merge_players(actor=director, keep=keep, drop=PlayerFactory.create(club=club))
    assert merge_players(actor=director, keep=kept, drop=other).user == olga


@pytest.mark.parametrize(
    ("kept", "dropped", "shown"),
    [
        ((ShownAs.NAME, ""), (ShownAs.INITIALS, "Nan"), (ShownAs.INITIALS, "", "A. A.")),
        ((ShownAs.NAME, "Annie"), (ShownAs.INITIALS, ""), (ShownAs.INITIALS, "Annie", "A. A.")),
        ((ShownAs.NAME, ""), (ShownAs.NICKNAME, "Nan"), (ShownAs.NICKNAME, "Nan", "Nan")),
        ((ShownAs.NAME, "Annie"), (ShownAs.NICKNAME, "BOB"), (ShownAs.INITIALS, "Annie", "A. A.")),
        ((ShownAs.NICKNAME, "Annie"), (ShownAs.INITIALS, ""), (ShownAs.NICKNAME, "Annie", "Annie")),
        ((ShownAs.INITIALS, ""), (ShownAs.NAME, ""), (ShownAs.INITIALS, "", "A. A.")),
        ((ShownAs.NAME, ""), (ShownAs.NAME, "Nan"), (ShownAs.NAME, "", "Ann Archer")),
    ],
)
def test_who_was_covered_stays_so_when_merged(
    club: Club,
    director: Actor,
    kept: tuple[ShownAs, str],
    dropped: tuple[ShownAs, str],
    shown: tuple[ShownAs, str, str],
) -> None:
    PlayerFactory.create(club=club, name="Bob")
    keep = PlayerFactory.create(club=club, name="Ann Archer", shown_as=kept[0], nickname=kept[1])
    drop = PlayerFactory.create(club=club, name="Nan Archer", shown_as=dropped[0], nickname=dropped[1])
    keep = merge_players(actor=director, keep=keep, drop=drop)
    keep.refresh_from_db()
    assert (keep.shown_as, keep.nickname) == shown[:2]
    assert names_for(AnonymousUser(), club).player(keep) == shown[2]
    note = AuditEntry.objects.get(action="player.merge").after
    assert note is not None
    assert note.get("shown_as") == (shown[0] if kept[0] != shown[0] else None)
    # What is chosen now can be chosen again.
    choose_shown_name(actor=director, player=keep, shown_as=shown[0], nickname=shown[1])


def _met(club: Club) -> tuple[Player, Player]:
    match = MatchFactory.create(event=EventFactory.create(club=club))
    first, second = Player.objects.filter(appearances__match=match)
    return first, second


def _same_event(club: Club) -> tuple[Player, Player]:
    event = EventFactory.create(club=club)
    return EntryFactory.create(event=event).players.get(), EntryFactory.create(event=event).players.get()


def _other_club(club: Club) -> tuple[Player, Player]:
    return PlayerFactory.create(club=club), PlayerFactory.create()


def _merged(club: Club) -> tuple[Player, Player]:
    keep = PlayerFactory.create(club=club)
    return keep, PlayerFactory.create(club=club, merged_into=keep)


def _erased(club: Club) -> tuple[Player, Player]:
    keep = PlayerFactory.create(club=club)
    erase_person(actor=OPERATOR, player=keep)
    AuditEntry.objects.all().delete()
    return keep, PlayerFactory.create(club=club)


def _erased_one(club: Club) -> tuple[Player, Player]:
    keep, drop = _erased(club)
    return drop, keep


def _met_before_a_merge(club: Club) -> tuple[Player, Player]:
    """One of them stands for a third, who has played the other at a table of the club."""
    keep, drop, former = (PlayerFactory.create(club=club) for _ in range(3))
    sheet = at_club_table(club, former, drop)
    assert sheet.sides.count() == 2
    merge_players(actor=OPERATOR, keep=keep, drop=former)
    AuditEntry.objects.all().delete()
    return keep, drop


def at_club_table(club: Club, *players: Player) -> Scoresheet:
    """A sheet of these, of the club and of no event."""
    rules = house_rules()
    ClubRules.objects.create(club=club, rules=rules)
    sides = [SheetSide(player.name, (player.name,)) for player in players]
    return open_club_sheet(actor=OPERATOR, club=club, rules=rules, sides=sides)


def _same(club: Club) -> tuple[Player, Player]:
    player = PlayerFactory.create(club=club)
    return player, player


@pytest.mark.parametrize(
    ("pair", "code"),
    [
        (_met, "met"),
        (_same_event, "same_event"),
        (_other_club, "other_club"),
        (_merged, "merged"),
        (_erased, "erased"),
        (_erased_one, "erased"),
        (_met_before_a_merge, "met"),
        (_same, "same_player"),
    ],
)
def test_merge_refuses_who_cannot_be_one(club: Club, director: Actor, pair: object, code: str) -> None:
    assert callable(pair)
    keep, drop = pair(club)
    entries = list(Entry.objects.values_list("name", "players"))
    with refuses(LeagueError, code):
        merge_players(actor=director, keep=keep, drop=drop)
    assert list(Entry.objects.values_list("name", "players")) == entries
    assert not AuditEntry.objects.exists()


def test_merge_refuses_two_of_the_same_round(club: Club, director: Actor) -> None:
    event = EventFactory.create(club=club, team_size=2)
    teams = [EntryFactory.create(event=event) for _ in range(4)]
    substitute = PlayerFactory.create(club=club)
    first = MatchFactory.create(
        event=event,
        entry_a=teams[0],
        entry_b=teams[1],
        lineup_a=[teams[0].players.first(), substitute],
    )
    MatchFactory.create(event=event, round=first.round, entry_a=teams[2], entry_b=teams[3])
    with refuses(LeagueError, "same_round"):
        merge_players(actor=director, keep=substitute, drop=teams[2].players.all()[0])


def test_open_invitation_of_who_is_merged_is_for_who_is_kept(club: Club, director: Actor) -> None:
    drop, keep = (PlayerFactory.create(club=club) for _ in range(2))
    _invitation, secret = invite(actor=director, club=club, player=drop)
    merge_players(actor=director, keep=keep, drop=drop)
    user = accept_invitation(secret=secret, account=NewAccount("annie", "Xk39!dkfjLwp", "Ann"))
    keep.refresh_from_db()
    assert keep.user == user


@pytest.mark.parametrize("invited", ["keep", "drop"])
def test_invitation_is_revoked_where_who_is_kept_has_an_account(
    club: Club, director: Actor, invited: str
) -> None:
    drop, keep = (PlayerFactory.create(club=club) for _ in range(2))
    invite(actor=director, club=club, player={"keep": keep, "drop": drop}[invited])
    member = keep if invited == "drop" else drop
    member.user = UserFactory.create(club=club, role=Role.MEMBER)
    member.save()
    merge_players(actor=OPERATOR, keep=keep, drop=drop)
    assert Player.objects.get(pk=keep.pk).user == member.user
    assert not live_invitations().exists()


def test_days_away_of_both_are_noted_once(club: Club) -> None:
    """The 1st to the 4th and the 10th of one, the 3rd to the 6th and the 20th of the other."""
    drop, keep = (
        PlayerFactory.create(club=club, user=UserFactory.create(club=club, role=Role.MEMBER))
        for _ in range(2)
    )
    month = datetime.date(2031, 5, 1)
    for player, days in ((keep, [(1, 4), (10, 10)]), (drop, [(3, 6), (20, 20)])):
        for first, last in days:
            assert player.user is not None
            note_absence(
                actor=actor_of(player.user),
                player=player,
                first_day=month.replace(day=first),
                last_day=month.replace(day=last),
                today=month,
            )
    over = drop.absences.get(last_day__day=6).over_at
    merge_players(actor=OPERATOR, keep=keep, drop=drop)
    noted = keep.absences.order_by("first_day").values_list("first_day__day", "last_day__day")
    assert list(noted) == [(1, 6), (10, 10), (20, 20)]
    assert keep.absences.get(last_day__day=6).over_at == over


def test_nobody_is_called_anything_in_the_row_of_an_erased_person(club: Club, director: Actor) -> None:
    """He could not be erased from there once more."""
    player = PlayerFactory.create(club=club, name="Ann Archer")
    erase_person(actor=OPERATOR, player=player)
    player.refresh_from_db()
    before = Player.objects.values().get(pk=player.pk)
    with refuses(LeagueError, "erased"):
        change_player(actor=director, player=player, name="Ann Archer")
    with refuses(LeagueError, "erased"):
        add_alias(actor=director, player=player, name="Annie")
    with refuses(LeagueError, "erased"):
        choose_shown_name(actor=director, player=player, shown_as=ShownAs.NICKNAME, nickname="Annie")
    assert Player.objects.values().get(pk=player.pk) == before
    assert not player.aliases.exists()
