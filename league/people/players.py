"""Players, their aliases, and merging two rows of one person."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.bots.house_bots import check_account, check_plays, check_plays_otherwise
from league.errors import LeagueError
from league.matches.arrivals import leave_kept_seats
from league.matches.matches import title_blank_sheets
from league.matches.offers import forget_offers
from league.models import (
    DETAIL_NAMES,
    DETAILS,
    Appearance,
    BotSchedule,
    Club,
    DailyTry,
    Entry,
    EntryMember,
    EntryRequest,
    Event,
    Exhibition,
    Match,
    Player,
    PlayerAlias,
    RequestState,
    ShownAs,
)
from league.people.absences import bring_absences
from league.people.accounts import check_disposes_of, is_free_nickname
from league.people.called_after import entries_called_after, rename_entries
from league.people.forming_teams import bring_teams, leave_teams
from league.people.invitations import bring_invitations, lock_invitations
from league.people.renaming import NamedRows, lock_places, stamp_places
from league.policy import Permission, is_operator, require
from league.policy.eligibility import check_not_erased
from league.record.audit import add_row, change_row, check_plain, directed, locked, record_audit, remove_row
from league.record.requests import request_ratings, request_standings
from scoring.core.actors import Actor
from scoring.models import Seat


@transaction.atomic
def create_player(
    *,
    actor: Actor,
    club: Club,
    name: str,
    external_id: str | None = None,
    user: User | None = None,
    strategy: str = "",
    level: int | None = None,
    aliases: Iterable[str] = (),
    **details: Any,
) -> Player:
    """Create a player; `details` are fields of `DETAILS`.

    Names and aliases are unique in a club, as imports go by them. `user` must hold an office in the club,
    unless an administrator sets it, and be the actor's own or that of somebody in whose clubs he manages all
    (`check_disposes_of`). With a `strategy` the player is a house bot, at `level` or the strategy's
    default level; a bot has no user.
    """
    require(actor, Permission.DIRECT, club)
    check_account({"strategy": strategy, "user": user})
    _check_user(actor, club, user)
    check_plays(strategy, level)
    player = Player(
        club=club,
        name=_free_name(club, name),
        external_id=_stripped(external_id),
        user=user,
        strategy=strategy,
        level=level,
        **{name: _stripped(details.pop(name, None)) for name in DETAIL_NAMES},
    )
    if details:
        raise TypeError(f"a player has no {', '.join(details)}")
    add_row(actor, "player.create", player)
    for alias in aliases:
        add_alias(actor=actor, player=player, name=alias)
    return player


@transaction.atomic
def change_player(*, actor: Actor, player: Player, **values: Any) -> Player:
    """Change `name`, `external_id`, `user`, `strategy`, `level` or fields of `DETAILS`.

    A new name goes to the player's own entries and to blank sheets; the old one becomes an alias, so that old
    files are still understood. Played sheets stay as written. How a bot plays changes only between bot
    matches: see `check_plays_otherwise`. Refuses a row that is nobody's any more (`merged`, `erased`).
    """
    player = directed(actor, player)
    _check_stands(player)
    check_account(values, player)
    check_plays_otherwise(player, values.get("strategy", player.strategy), values.get("level", player.level))
    for detail in {*DETAIL_NAMES, "external_id"} & values.keys():
        values[detail] = _stripped(values[detail])
    if "name" in values:
        values["name"] = _free_name(player.club, values["name"], but=player)
    places, called = None, dict[Entry, str]()
    # Who is under age is shown otherwise, too.
    if any(values[each] != getattr(player, each) for each in {"name", "under_age_until"} & values.keys()):
        places = lock_places(player)
        if "name" in values:
            called = entries_called_after([player], values["name"])
    if "user" in values and values["user"] != player.user:
        _check_user(actor, player.club, values["user"])
        leave_kept_seats(player)
    before = change_row(actor, "player.change", player, values)
    if "strategy" in before:
        Entry.objects.filter(members__player=player).note_bots()
    if places is None:
        return player
    if "name" in before:
        player.aliases.filter(name=player.name).delete()
        PlayerAlias.objects.get_or_create(club=player.club, name=before["name"], defaults={"player": player})
        _rename_entries(actor, player, called, places)
    else:
        stamp_places(places)
    return player


@transaction.atomic
def add_alias(*, actor: Actor, player: Player, name: str) -> PlayerAlias:
    """Add another name by which imports find the player; refuses one `merged` or `erased`."""
    player = directed(actor, player)
    _check_stands(player)
    alias = PlayerAlias(club=player.club, player=player, name=_free_name(player.club, name))
    add_row(actor, "player.alias", alias, club=player.club)
    return alias


@transaction.atomic
def remove_alias(*, actor: Actor, alias: PlayerAlias) -> None:
    """Remove an alias; refuses (`alias_in_use`) one that a sheet has for the player.

    Files with that sheet are understood by it.
    """
    alias = directed(actor, alias)
    if _is_on_sheets(alias):
        raise LeagueError(
            "alias_in_use",
            _("“%(name)s” stands on sheets of %(player)s, and stays as another name of the player.")
            % {"name": alias, "player": alias.player},
        )
    remove_row(actor, "player.alias_remove", alias, club=alias.club)


@transaction.atomic
def remove_player(*, actor: Actor, player: Player) -> None:
    """Delete a player who was never entered anywhere; refuses others (`in_use`)."""
    player = directed(actor, player)
    if player.appearances.exists() or player.memberships_in_entries.exists() or player.merged.exists():
        raise LeagueError(
            "in_use",
            _("%(player)s is entered in events and cannot be deleted; merge two that are one instead.")
            % {"player": player},
        )
    remove_row(actor, "player.remove", player)


def check_mergeable(*, keep: Player, drop: Player) -> None:
    """Refuse two rows that cannot be one person: who met, played in the same round, or are in the same event.

    A bot cannot be merged with a person, nor with a bot that plays differently; nobody with an erased row.
    """
    if keep.pk == drop.pk:
        raise LeagueError("same_player", _("Choose two different players."), field="keep")
    if keep.club_id != drop.club_id:
        raise LeagueError("other_club", _("They are players of different clubs."), field="keep")
    for player in (keep, drop):
        _check_stands(player)
    names = {"keep": keep, "drop": drop}
    if (keep.strategy, keep.level) != (drop.strategy, drop.level):
        raise LeagueError(
            "not_alike",
            _("%(keep)s and %(drop)s are not one: a bot is merged only with a bot that plays alike.") % names,
            field="keep",
        )
    met = Match.objects.filter(appearances__player=keep).filter(appearances__player=drop).first()
    if met is not None:
        raise LeagueError(
            "met",
            _("%(keep)s and %(drop)s sat at the same table (%(label)s); they are two people.")
            % {**names, "label": met.label},
            field="keep",
        )
    both = set(keep.appearances.values_list("round", flat=True))
    shared = drop.appearances.filter(round__in=both).select_related("round__event").first()
    if shared is not None:
        raise LeagueError(
            "same_round",
            _("%(keep)s and %(drop)s both played in %(round)s; they are two people.")
            % {**names, "round": shared.round},
            field="keep",
        )
    pair = (keep, drop)
    for shown in Exhibition.objects.filter(player_a__in=pair, player_b__in=pair).select_related("sheet")[:1]:
        raise LeagueError(
            "met",
            _("%(keep)s and %(drop)s played against each other on sheet %(sheet)s; they are two.")
            % {**names, "sheet": shown.sheet},
            field="keep",
        )
    at_a_table = Seat.objects.filter(
        person__in=drop.codes, sheet__seats__person__in=keep.codes, sheet__match=None
    )
    for seat in at_a_table.select_related("sheet")[:1]:
        raise LeagueError(
            "met",
            _("%(keep)s and %(drop)s played against each other on sheet %(sheet)s; they are two.")
            % {**names, "sheet": seat.sheet},
            field="keep",
        )
    for schedule in BotSchedule.objects.filter(bot_a__in=pair, bot_b__in=pair)[:1]:
        raise LeagueError(
            "same_schedule",
            _("%(keep)s and %(drop)s play against each other in “%(schedule)s”.")
            % {**names, "schedule": schedule},
            field="keep",
        )
    events = keep.memberships_in_entries.values("event")
    entered = drop.memberships_in_entries.filter(event__in=events).select_related("event").first()
    if entered is not None:
        raise LeagueError(
            "same_event",
            _("%(keep)s and %(drop)s are both entered in %(event)s; take one of them out first.")
            % {**names, "event": entered.event},
            field="keep",
        )


@transaction.atomic
def merge_players(*, actor: Actor, keep: Player, drop: Player, reason: str = "") -> Player:
    """Merge `drop` into `keep`. `drop` remains as a reference to `keep`, and its name becomes an alias.

    Entries, matches and aliases move to `keep`; so do external id and user that `keep` lacks, and what
    `details_once_merged` and `shown_once_merged` say. The user of `drop` is no player of the club otherwise.
    Days away and open invitations go over; where `keep` has an account then, these are revoked.
    Played sheets keep the names written on them. Refuses as `check_mergeable`, and (`not_allowed`) a user who
    would go over and is not the actor's to dispose of (`check_disposes_of`).
    """
    require(actor, Permission.DIRECT, keep.club)
    lock_invitations(keep, drop)
    first, second = sorted((keep, drop), key=lambda player: player.pk)
    rows = {player.pk: player for player in (locked(first), locked(second))}
    keep, drop = rows[keep.pk], rows[drop.pk]
    places = lock_places(keep, drop)
    check_mergeable(keep=keep, drop=drop)
    if drop.user is not None and keep.user is None:
        check_disposes_of(actor, drop.user)
    before = {
        "player": drop,
        **{detail.name: detail.of(drop) for detail in DETAILS},
        "entries": list(Entry.objects.filter(members__player=drop).order_by("name")),
        "matches": drop.appearances.count(),
        "aliases": sorted(drop.aliases.values_list("name", flat=True)),
    }
    shown = shown_once_merged(keep=keep, drop=drop)
    called = entries_called_after([drop], keep.name)
    details = details_once_merged(keep=keep, drop=drop)
    for field in ("external_id", "user"):
        if getattr(keep, field) is None:
            setattr(keep, field, getattr(drop, field))
    # What `keep` does not take over is nobody's account any more, and free for another player.
    drop.merged_into, drop.user = keep, None
    drop.save(update_fields=["merged_into", "user"])
    for field, value in {**details, **shown}.items():
        setattr(keep, field, value)
    keep.save(update_fields=["external_id", "user", *details, *shown])
    drop.merged.update(merged_into=keep)
    # Events whose tables of players name him.
    in_teams = Appearance.objects.filter(player=drop, match__event__team_size__gt=1)
    events = sorted(set(in_teams.values_list("match__event", flat=True)))
    EntryMember.objects.filter(player=drop).update(player=keep)
    _bring_requests(keep=keep, drop=drop)
    bring_absences(keep=keep, drop=drop)
    bring_invitations(actor, keep=keep, drop=drop)
    # Of a hand that both have played the try of `keep` stays: a table of the day names nobody twice.
    DailyTry.objects.filter(player=drop, hand__in=keep.daily_tries.values("hand")).delete()
    DailyTry.objects.filter(player=drop).update(player=keep)
    keep.arrivals.filter(round__in=drop.arrivals.values("round")).delete()
    drop.arrivals.update(player=keep)
    drop.line_up_seats.update(player=keep)
    # What one of them has offered is offered again by whoever it is.
    forget_offers([drop])
    Appearance.objects.filter(player=drop).update(player=keep)
    Appearance.objects.filter(sits_in_for=drop).update(sits_in_for=keep)
    Event.objects.filter(sits_in=drop).update(sits_in=keep)
    PlayerAlias.objects.filter(player=drop).update(player=keep)
    BotSchedule.objects.filter(bot_a=drop).update(bot_a=keep)
    BotSchedule.objects.filter(bot_b=drop).update(bot_b=keep)
    Exhibition.objects.filter(player_a=drop).update(player_a=keep)
    Exhibition.objects.filter(player_b=drop).update(player_b=keep)
    if drop.name != keep.name:
        PlayerAlias.objects.get_or_create(club=keep.club, name=drop.name, defaults={"player": keep})
    _rename_entries(actor, keep, called, places)
    request_ratings(keep.club_id)
    for event in events:
        request_standings(event)
    record_audit(
        actor,
        "player.merge",
        keep,
        before=before,
        after={"merged_into": keep, **{detail.name: detail.of(keep) for detail in DETAILS}, **shown},
        reason=reason,
    )
    return keep


def _bring_requests(*, keep: Player, drop: Player) -> None:
    """Have `keep` stand where `drop` stands on lists of events, unless he is in the event himself."""
    events = set(keep.memberships_in_entries.order_by().values_list("event", flat=True))
    for event in events:
        leave_teams(event, (keep, drop))
    EntryRequest.objects.filter(player__in=(keep, drop), event__in=events).delete()
    # Of two the one that is nearer to a place; what has left the list stands behind all that is on it.
    rows = EntryRequest.objects.filter(player__in=(keep, drop))
    stands: set[int] = set()
    gone = (RequestState.DECLINED, RequestState.LAPSED)
    for row in sorted(rows, key=lambda row: (row.state in gone, row.position)):
        if row.event_id in stands:
            row.delete()
        stands.add(row.event_id)
    drop.entry_requests.update(player=keep)
    bring_teams(keep=keep, drop=drop)


def details_once_merged(*, keep: Player, drop: Player) -> dict[str, Any]:
    """The details that `keep` takes over when `drop` is merged into it: those that it lacks.

    Of two days until which they are under age the later one holds.
    """
    known = {name: getattr(drop, name) for name in DETAIL_NAMES if getattr(drop, name) is not None}
    own = keep.under_age_until
    is_later = own is not None and drop.under_age_until is not None and drop.under_age_until > own
    return {
        name: value
        for name, value in known.items()
        if getattr(keep, name) is None or (is_later and name == "under_age_until")
    }


def shown_once_merged(*, keep: Player, drop: Player) -> dict[str, str]:
    """The changes to `shown_as` and `nickname` of `keep` when `drop` is merged into it.

    If either is hidden from the public, so is the merged player: if `keep` is shown by the full name, the
    choice of `drop` is taken over. If the nickname is not free any more, initials are shown.
    """
    if keep.shown_as != ShownAs.NAME or drop.shown_as == ShownAs.NAME:
        return {}
    if drop.shown_as == ShownAs.NICKNAME and is_free_nickname(drop.nickname, of=[keep, drop]):
        return {"shown_as": ShownAs.NICKNAME.value, "nickname": drop.nickname}
    return {"shown_as": ShownAs.INITIALS.value}


def tidy_name(name: str) -> str:
    """The name with single spaces; refuses (`invalid`) a blank one, and "+", which joins players in files."""
    name = " ".join(name.split())
    if not name:
        raise LeagueError("invalid", _("A player has a name."), field="name")
    if "+" in name:
        raise LeagueError("invalid", _("“+” stands between the names of a team; write “and”."), field="name")
    check_plain(name, "name")
    return name


def _free_name(club: Club, name: str, *, but: Player | None = None) -> str:
    name = tidy_name(name)
    namesakes = Player.objects.filter(club=club, name=name, merged_into=None)
    if but is not None:
        namesakes = namesakes.exclude(pk=but.pk)
    alias = PlayerAlias.objects.filter(club=club, name=name).select_related("player").first()
    if namesakes.exists():
        raise LeagueError(
            "name_taken",
            _("There is a player “%(name)s” already; add an initial or the town.") % {"name": name},
            field="name",
        )
    if alias is not None and alias.player != but:
        raise LeagueError(
            "name_taken",
            _("“%(name)s” is another name of %(player)s.") % {"name": name, "player": alias.player},
            field="name",
        )
    return name


def _is_on_sheets(alias: PlayerAlias) -> bool:
    """Return whether the alias is written on one of the player's seats."""
    return Seat.objects.filter(person__in=alias.player.codes, name=alias.name).exists()


def _stripped(value: Any) -> Any:
    """A detail without surrounding spaces; None for a blank one."""
    return (value.strip() or None) if isinstance(value, str) else value


def _check_user(actor: Actor, club: Club, user: User | None) -> None:
    if user is None or is_operator(actor):
        return
    if not club.memberships.filter(user=user).exists():
        raise LeagueError(
            "other_club", _("This user holds no office in %(club)s.") % {"club": club}, field="user"
        )
    check_disposes_of(actor, user)


def _check_stands(player: Player) -> None:
    """Refuse (`merged`, `erased`) a row that is nobody's any more."""
    if player.merged_into is not None:
        raise LeagueError(
            "merged",
            _("%(drop)s was merged into %(keep)s.") % {"drop": player, "keep": player.merged_into},
        )
    check_not_erased(player)


def _rename_entries(actor: Actor, player: Player, called: Mapping[Entry, str], places: NamedRows) -> None:
    """Rename the entries named after the player, title the blank sheets anew, and stamp all places."""
    matches = Match.objects.filter(
        pk__in=places.matches, appearances__player=player, sheet__acts__isnull=True
    )
    events = set(player.memberships_in_entries.values_list("event", flat=True))
    rename_entries(called)
    title_blank_sheets(actor=actor, matches=matches)
    stamp_places(places)
    for event in events:
        request_standings(event)
