"""Who may be entered, seated or substituted, and which rules a club may use."""

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import LeagueError
from league.models import Appearance, Club, ClubRules, Entry, EntryMember, Event, Match, Player, Round
from scoring.core.errors import SheetError
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import HouseRules
from scoring.words.messages import translated


def check_choosable(club: Club, players: Iterable[Player]) -> None:
    """Refuse players of another club (`other_club`), and merged ones (`merged`)."""
    for player in players:
        if player.club_id != club.pk:
            # The name may be covered for people of this club.
            raise LeagueError(
                "other_club", _("Choose only players of %(club)s.") % {"club": club}, field="players"
            )
        if player.merged_into is not None:
            raise LeagueError(
                "merged",
                _("%(player)s was merged into %(keep)s; choose that player.")
                % {"player": player, "keep": player.merged_into},
                field="players",
            )


def check_not_erased(player: Player, *, field: str | None = None) -> None:
    """Refuse (`erased`) the row of an erased person, who could not be erased from it a second time."""
    if player.erased_at is not None:
        raise LeagueError("erased", _("This person is erased."), field=field)


def check_entered(event: Event, entry: Entry, field: str) -> None:
    """Refuse (`other_event`) an entry of another event; its name may be covered, and is not told."""
    if entry.event_id != event.pk:
        raise LeagueError("other_event", _("This entry belongs to another event."), field=field)


def check_line_up(event: Event, entries: Sequence[Entry], players: Sequence[Player]) -> None:
    """Refuse a line-up of the wrong size (`wrong_size`) or with players who may not sit for the side.

    `entries` are the side's: one, or two partners.
    """
    if len(players) != event.team_size or len({player.pk for player in players}) != len(players):
        raise LeagueError(
            "wrong_size",
            ngettext(
                "A side has %(count)d player.", "A side has %(count)d different players.", event.team_size
            )
            % {"count": event.team_size},
            field="players",
        )
    check_stands_in(event, entries, players)


def check_stands_in(event: Event, entries: Sequence[Entry], players: Iterable[Player]) -> None:
    """Refuse (`other_entry`) players who belong to another entry of the event, guests' entries excepted."""
    players = list(players)
    check_choosable(event.club, players)
    elsewhere = EntryMember.objects.filter(event=event, player__in=players).exclude(entry__in=entries)
    for member in elsewhere.exclude(entry__is_guest=True).select_related("player", "entry")[:1]:
        raise LeagueError(
            "other_entry",
            _("%(player)s plays for “%(entry)s”.") % {"player": member.player, "entry": member.entry},
            field="players",
        )


def check_free(
    round_: Round, players: Iterable[Player], *, match: Match | None = None, side: int | None = None
) -> None:
    """Refuse (`plays_already`) players with another match in the round; sheets of one tie share players.

    The seats of a `side` of the match are to be written anew, and keep nobody. Who has one in which a bot
    sits in for him may still come to it. A bot sits in at several tables at once.
    """
    players = list(players)
    seated = Q(player__in=players, sits_in_for=None) | Q(sits_in_for__in=players)
    busy = Appearance.objects.filter(seated, round=round_)
    if match is not None and match.tie_id is not None:
        busy = busy.exclude(Q(match__tie=match.tie_id) & ~Q(leg=match.leg))
    if side is not None:
        busy = busy.exclude(match=match, side=side)
    for appearance in busy.select_related("player", "sits_in_for", "match")[:1]:
        raise LeagueError(
            "plays_already",
            _("%(player)s plays in this round already, on sheet %(label)s.")
            % {
                "player": appearance.sits_in_for or appearance.player,
                "label": appearance.match.label,
            },
            field="players",
        )


def check_not_in_play(matches: QuerySet[Match]) -> None:
    """Refuse (`has_hands`) matches of which one is being played at a table on this site, hand or no hand."""
    for match in matches.filter(sheet__table_match__is_live=True).order_by("table", "id")[:1]:
        raise LeagueError(
            "has_hands",
            _("%(label)s is being played on this site: end play at its table first.")
            % {"label": match.label},
        )


def check_not_withdrawn(match: Match, *, side: int | None = None, players: Sequence[Player] = ()) -> None:
    """Refuse (`withdrawn`) to begin a match of which a side has withdrawn.

    If only one of two partners has, or somebody at a table of many, somebody else may play in that place: the
    players already seated count, or on `side` the `players` about to be.
    """
    for number in match.sides:
        entries = match.side(number)
        gone = [entry for entry in entries if entry.withdrawn_at is not None]
        if not gone:
            continue
        if len(gone) == len(entries) and not match.is_table:
            raise LeagueError(
                "withdrawn",
                _(
                    "%(entry)s has withdrawn: give the match to the other side by walkover, or take the "
                    "withdrawal back."
                )
                % {"entry": gone[0]},
            )
        if side not in (None, number):
            continue
        playing = [player.pk for player in players]
        if side is None:
            playing = list(match.appearances.filter(side=number).values_list("player", flat=True))
        if EntryMember.objects.filter(entry__in=gone, player__in=playing).exists():
            raise LeagueError(
                "withdrawn",
                _("%(entry)s has withdrawn: set a line-up with somebody who plays in that place.")
                % {"entry": gone[0]},
            )


def check_match_rules(club: Club, rules: HouseRules, team_size: int, *, at_tables: bool = False) -> None:
    """Refuse what `check_rules` and `check_plays_matches` refuse, and sides of a size the game has not.

    `at_tables` of three or more, the rules must be of a game for so many (`no_tables`).
    """
    check_rules(club, rules)
    kind = kind_of(rules.rules)
    if at_tables:
        if kind.most_sides < 3:
            raise LeagueError(
                "no_tables",
                _("This game is played by two sides. Choose rules of a game for three or more at a table."),
                field="rules",
            )
    else:
        check_plays_matches(rules.rules)
    sides = range(max(kind.fewest_sides, 3) if at_tables else 2)
    players = [tuple(f"{side} {player}" for player in range(team_size)) for side in sides]
    try:
        kind.check_sides(rules.rules, [SheetSide(one[0], one) for one in players])
    except SheetError as refusal:
        raise LeagueError("wrong_sides", translated(refusal.message), field="rules") from None


def check_plays_matches(rules: Rules) -> None:
    """Refuse (`no_matches`) the rules of a game that is not played by two sides against each other."""
    kind = kind_of(rules)
    if not kind.plays_matches:
        raise LeagueError(
            "no_matches",
            _("%(game)s is not played in matches of two sides: open its sheets by themselves.")
            % {"game": translated(kind.title)},
            field="rules",
        )


def check_rules(club: Club, rules: HouseRules) -> None:
    """Refuse (`other_club`) rules that are not on the club's list."""
    if not ClubRules.objects.filter(club=club, rules__code=rules.code).exists():
        raise LeagueError("other_club", _("These are not rules of %(club)s.") % {"club": club}, field="rules")
