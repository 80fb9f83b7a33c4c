"""Players' table of an event with several players per side, derived together with that of its entries.

Players take the net of their sides; a seat shared with a substitute gives each the share stated by the sheet.
Matches without play have no players, annulled ones count for nobody, and players of guest entries are not
ranked. Matches between bots are left out if the event excludes them.
"""

from dataclasses import dataclass
from typing import Any, Final

from league.core.standings import PlayerShare, rank_players
from league.models import (
    PLAYED,
    Appearance,
    EntryMember,
    Event,
    IndividualStanding,
    Match,
    between_bots,
)
from league.policy.withholding import released
from scoring.services.records import seat_figures

_COLUMNS: Final = (
    "position",
    "rank",
    "played",
    "wins",
    "draws",
    "losses",
    "net",
    "hands_won",
    "gins",
    "substitute_matches",
)


@dataclass(frozen=True, slots=True)
class PlayersTable:
    """Pending writes of a players' table: changed rows, and players who no longer have one."""

    event: Event
    changed: list[IndividualStanding]
    gone: list[int]

    def write(self) -> None:
        """Write it in the caller's transaction."""
        if self.changed:
            IndividualStanding.objects.bulk_create(
                self.changed,
                update_conflicts=True,
                unique_fields=["event", "player"],
                update_fields=_COLUMNS,
            )
        if self.gone:
            IndividualStanding.objects.filter(event=self.event, player__in=self.gone).delete()


def has_players_table(event: Event) -> bool:
    """True if players are ranked besides entries: in teams, and where partners rotate."""
    return event.team_size > 1


def current_players(event: Event) -> list[IndividualStanding]:
    """Compute the players' table, in order, in three queries; nothing is stored."""
    if not has_players_table(event):
        return []
    shares = _shares(event)
    players = sorted({share.player for share in shares})
    return [
        IndividualStanding(
            event=event,
            player_id=row.player,
            position=position,
            rank=row.rank,
            played=row.played,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            net=row.net,
            hands_won=row.hands_won,
            gins=row.gins,
            substitute_matches=row.substitute_matches,
        )
        for position, row in enumerate(rank_players(players, shares), start=1)
    ]


def players_table(event: Event) -> PlayersTable:
    """Return the rows that differ from what is stored."""
    wanted = {row.player_id: row for row in current_players(event)}
    if not has_players_table(event):
        return PlayersTable(event, [], [])
    stored = {row.player_id: row for row in IndividualStanding.objects.filter(event=event)}
    changed = [
        row for player, row in wanted.items() if player not in stored or differences(stored[player], row)
    ]
    return PlayersTable(event, changed, [player for player in stored if player not in wanted])


def differences(stored: IndividualStanding, wanted: IndividualStanding) -> dict[str, tuple[Any, Any]]:
    """Return the fields in which two rows of a player differ: (stored, derived) by field."""
    return {
        name: (getattr(stored, name), getattr(wanted, name))
        for name in _COLUMNS
        if getattr(stored, name) != getattr(wanted, name)
    }


def _shares(event: Event) -> list[PlayerShare]:
    """Return each player's share of each match."""
    played = Match.objects.filter(
        event=event,
        held=False,
        annulled=False,
        state__in=PLAYED,
        sheet__isnull=False,
        play_off=None,
    ).order_by()
    if event.holds_results:
        played = played.filter(released())
    if not event.bot_matches_count:
        played = played.filter(~between_bots())
    matches = {
        match.pk: (match.net, match.sheet)
        for match in played.select_related("sheet").only("net", "sheet__derived").iterator()
        if match.sheet is not None
    }
    members = set(EntryMember.objects.filter(event=event).values_list("entry_id", "player_id"))
    seats = (
        Appearance.objects.filter(match__event=event, entry__is_guest=False)
        .order_by("match_id", "side", "position")
        .values_list("match_id", "side", "position", "replaces", "entry_id", "player_id")
    )
    shares = []
    for match_id, side, position, replaces, entry, player in seats.iterator():
        if match_id not in matches:
            continue
        net, sheet = matches[match_id]
        figures = seat_figures(sheet, side, position, size=event.team_size)
        shares.append(
            PlayerShare(
                player=player,
                net=figures.get("net", -net if side else net),
                hands_won=figures.get("won", 0),
                gins=figures.get("gins", 0),
                substitute=replaces is not None or (entry, player) not in members,
            )
        )
    return shares
