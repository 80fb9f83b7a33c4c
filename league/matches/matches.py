"""Making matches with sheets, tables and line-ups.

Opening a sheet requires the event's lock, so that its rules cannot change. The order of locks is in
`league.record.locking`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.bots.bot_matches import end_unless_same_bots
from league.bots.house_bots import house_bot_of, plays_game_of
from league.core.lifecycle import Doing, check_doing
from league.core.pairing_reasons import Because
from league.errors import LeagueError
from league.models import (
    ENTRIES,
    Appearance,
    Entry,
    EntryMember,
    Event,
    FormerSheet,
    Match,
    MatchState,
    OddTable,
    PlayedWhere,
    Player,
    Round,
    RoundState,
    Tie,
    traits_of,
)
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.locking import lock_match
from scoring.core.actors import Actor
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet, SheetStatus
from scoring.services import SheetPlan, open_sheets, reseat_sheet
from scoring.services.records import made_distinct

Progress = Callable[[int, int], None]

_CHUNK: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """A match to be made. Without `entry_b` the round is sat out, as `sits_out` says.

    Then `line_up_b` is a bot that plays in place of an opponent, if it is not to be the event's own.
    At a table of many the `others` sit after the first two. A sheet is opened only with all line-ups and in
    a round that is not a draft.
    """

    round: Round
    entry_a: Entry
    entry_b: Entry | None
    label: str
    table: int | None = None
    line_up_a: tuple[Player, ...] = ()
    line_up_b: tuple[Player, ...] = ()
    partner_a: Entry | None = None
    partner_b: Entry | None = None
    others: tuple[Entry, ...] = ()
    line_ups_of_others: tuple[tuple[Player, ...], ...] = ()
    sits_out: MatchState = MatchState.BYE
    reasons: tuple[Because, ...] = ()
    tie: Tie | None = None
    leg: int = 1


def match_label(event: Event, number: int, place: object) -> str:
    """Return the label on the paper: the event's initials, round and table, `HL03-2`; or `HL03-bye`."""
    words = [word for word in event.name.split() if not word.isdigit()]
    initials = "".join(word[0] for word in words if word[0].isalnum())[:4].upper()
    return f"{initials or 'R'}{number:02}-{place}"


def usual_line_ups(event: Event) -> dict[int, tuple[Player, ...]]:
    """Return, by entry, the line-ups without a choice: teams with just as many members as a side.

    Where partners rotate, a side is two entries of one member each.
    """
    size = 1 if traits_of(event).partners_rotate else event.team_size
    members: dict[int, list[Player]] = defaultdict(list)
    rows = EntryMember.objects.filter(event=event).select_related("player").order_by("position", "id")
    for member in rows:
        members[member.entry_id].append(member.player)
    return {entry: tuple(players) for entry, players in members.items() if len(players) == size}


def line_ups_without_word(event: Event, number: int) -> dict[int, tuple[Player, ...]]:
    """Return, by entry, who plays in this round if nobody says so: those of its last match, else by roster.

    The roster fills the places of those who have left the team or have no account, and these are last in it.
    Teams of fewer players than sit at a table have none.
    """
    size = 1 if traits_of(event).partners_rotate else event.team_size
    members: dict[int, dict[int, Player]] = defaultdict(dict)
    rows = EntryMember.objects.filter(event=event).select_related("player__user").order_by("position", "id")
    for member in rows:
        members[member.entry_id][member.player_id] = member.player
    last: dict[int, tuple[int, list[int]]] = {}
    seats = Appearance.objects.filter(match__event=event, replaces=None, entry__isnull=False)
    seats = seats.filter(round__number__lte=number)
    for entry, match, player, absent in seats.order_by(
        "round__number", "leg", "match", "position"
    ).values_list("entry_id", "match_id", "player_id", "sits_in_for_id"):
        before = last.get(entry)
        played = before[1] if before is not None and before[0] == match else []
        last[entry] = (match, [*played, absent or player])
    found = {}
    for entry, team in members.items():
        by_roster = sorted(team, key=lambda player: not team[player].plays_here)
        played = [one for one in last.get(entry, (0, []))[1] if one in team and team[one].plays_here]
        order = list(dict.fromkeys([*played[:size], *by_roster]))
        if len(order) >= size:
            found[entry] = tuple([team[player] for player in order[:size]])
    return found


@transaction.atomic
def make_matches(
    *, actor: Actor, event: Event, plans: Sequence[MatchPlan], progress: Progress | None = None
) -> list[Match]:
    """Write matches, line-ups, and sheets where both line-ups are known; no audit entry.

    The caller holds the event's lock: `event` has the rules for the sheets. With its first match an event is
    drawn anew, and has no former tie-breaks to keep.
    """
    require(actor, Permission.DIRECT, event.club)
    if event.former_tie_breaks and not event.matches.exists():
        event.former_tie_breaks = False
        event.save(update_fields=["former_tie_breaks"])
    made: list[Match] = []
    for first in range(0, len(plans), _CHUNK):
        made += _make(actor, event, plans[first : first + _CHUNK])
        if progress is not None:
            progress(len(made), len(plans))
    return made


@transaction.atomic
def set_table(*, actor: Actor, match: Match, table: int | None) -> Match:
    """Move a match to another table; its label, which may be printed, stays."""
    require(actor, Permission.RECORD, match.event.club)
    match, _sheet = lock_match(match)
    before = match.table
    if before != table:
        match.table = table
        match.save(update_fields=["table"])
        record_audit(actor, "match.table", match, before={"table": before}, after={"table": table})
    return match


def title_blank_sheets(*, actor: Actor, matches: Iterable[Match]) -> None:
    """Update the names on the blank sheets of these matches."""
    rows = Match.objects.filter(pk__in=[match.pk for match in matches], sheet__acts__isnull=True)
    for match in rows.with_sides("sheet").order_by("sheet_id"):
        if match.sheet is not None:
            bring_sheet(actor, match)


@transaction.atomic
def renew_sheet(*, actor: Actor, match: Match) -> Match:
    """Open a new sheet for a match whose sheet was voided, which stays on file.

    It starts with the original players: substitutes are not seated again, nor who has taken a bot's seat.
    """
    require(actor, Permission.DIRECT, match.event.club)
    match, sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.PLAY)
    check_renewable(sheet)
    line_up = _line_up(match)
    if sheet is None or line_up is None:
        raise LeagueError("no_line_up", _("Set all line-ups first."))
    sides, persons = line_up
    keep_voided_sheets(Match.objects.filter(pk=match.pk))
    match.appearances.filter(replaces__isnull=False).delete()
    if event.team_size == 1:
        bots = match.appearances.filter(sits_in_for__isnull=False)
        match.bot_side = bots.values_list("side", flat=True).first()
    plan = SheetPlan(sides, match.label, persons)
    (match.sheet,) = open_sheets(actor=actor, rules=event.rules, plans=[plan])
    match.save(update_fields=["sheet", "bot_side"])
    record_audit(
        actor, "match.new_sheet", match, before={"sheet": sheet.code}, after={"sheet": match.sheet.code}
    )
    return match


def check_renewable(sheet: Scoresheet | None) -> None:
    """Refuse a sheet that `renew_sheet` would not replace."""
    if sheet is None or sheet.status != SheetStatus.VOID:
        raise LeagueError("sheet_in_use", _("Only a voided sheet can be replaced by a new one."))


def keep_voided_sheets(matches: QuerySet[Match]) -> None:
    """Keep voided sheets on file before their matches are deleted or get others."""
    voided = matches.filter(sheet__status=SheetStatus.VOID).select_related("event")
    FormerSheet.objects.bulk_create(
        [
            FormerSheet(sheet=match.sheet, club_id=match.event.club_id, event=match.event, match=match)
            for match in voided.select_related("sheet").order_by("sheet")
            if match.sheet is not None
        ]
    )


def seat_matches(*, actor: Actor, event: Event, matches: Sequence[Match]) -> None:
    """Write the line-ups without a choice that are missing, and open sheets where both are known.

    For a drafted round that is published. The caller holds the matches and the event.
    """
    line_ups = usual_line_ups(event)

    def line_up(entries: Iterable[Entry]) -> tuple[Player, ...]:
        members = [line_ups.get(entry.pk, ()) for entry in entries]
        return tuple(player for players in members for player in players) if all(members) else ()

    seated: list[Seated] = [
        (match, [line_up(match.side(side)) for side in match.sides])
        for match in matches
        if match.entry_b is not None
    ]
    seated += _against_bot(event, matches)
    _open_sheets(actor, event, seated)
    Match.objects.bulk_update([match for match, _line_ups in seated if match.sheet_id], ["sheet"])
    _write_line_ups(seated)


# A match with the line-ups of its sides.
Seated = tuple[Match, Sequence[Sequence[Player]]]


def _make(actor: Actor, event: Event, plans: Sequence[MatchPlan]) -> list[Match]:
    matches = [
        Match(
            **dict(zip(ENTRIES[2:], plan.others, strict=False)),
            event=event,
            round=plan.round,
            table=plan.table,
            label=plan.label,
            entry_a=plan.entry_a,
            entry_b=plan.entry_b,
            partner_a=plan.partner_a,
            partner_b=plan.partner_b,
            tie=plan.tie,
            leg=plan.leg,
            reasons=list(plan.reasons),
            state=MatchState.SCHEDULED if plan.entry_b else plan.sits_out,
            winner_side=None if plan.entry_b else 0,
        )
        for plan in plans
    ]
    for match in matches:
        match.annulled = match.names_annulled
    seated: list[Seated] = [
        (match, (plan.line_up_a, plan.line_up_b, *plan.line_ups_of_others))
        for match, plan in zip(matches, plans, strict=True)
        if (plan.entry_b is not None or plan.line_up_b) and plan.round.state != RoundState.DRAFTED
    ]
    left = [match for match, plan in zip(matches, plans, strict=True) if not plan.line_up_b]
    seated += _against_bot(event, [match for match in left if match.round.state != RoundState.DRAFTED])
    _open_sheets(actor, event, seated)
    Match.objects.bulk_create(matches)
    _write_line_ups(seated)
    return matches


def _against_bot(event: Event, matches: Sequence[Match]) -> list[Seated]:
    """Return the byes whose entries play the event's bot, with line-ups: one a round, where it is in none."""
    byes = {match.round_id: match for match in reversed(matches) if match.state == MatchState.BYE}
    bot = bot_at_odd_tables(event) if byes else None
    if bot is None:
        return []
    taken = Appearance.objects.filter(round__in=byes, player=bot, sits_in_for=None)
    line_ups, found = usual_line_ups(event), []
    for round_ in byes.keys() - set(taken.values_list("round", flat=True)):
        match = byes[round_]
        if alone := line_ups.get(match.entry_a_id):
            found.append((match, (alone, _bots_side(event, bot))))
    return sorted(found, key=lambda each: (each[0].round.number, each[0].label))


def bots_for(match: Match) -> Sequence[Player]:
    """Return the side of bots that whoever has this bye may still play; nobody if it stays a bye.

    It has no sheet yet where a team with reserves has said nothing, or where the bye was given instead. Once
    the round is complete nobody could play it any more.
    """
    may_play = match.state == MatchState.BYE and match.round.state != RoundState.COMPLETE
    bot = bot_at_odd_tables(match.event) if may_play else None
    if bot is None or Appearance.objects.filter(round=match.round_id, player=bot, sits_in_for=None).exists():
        return ()
    return _bots_side(match.event, bot)


def _bots_side(event: Event, bot: Player) -> Sequence[Player]:
    return (bot,) * event.team_size


def bot_at_odd_tables(event: Event) -> Player | None:
    """Return the bot that plays whoever would have a bye; None if none does.

    Only in events on this site in which all meet or are paired anew, and whose results are not held back, and
    if it plays their game and is not entered itself. Against a team it is one that weighs no samples: others
    would wait for it.
    """
    own, bot = traits_of(event), event.sits_in
    is_fit = own.plays_duplicate and event.played != PlayedWhere.AT_TABLE and not event.holds_results
    if bot is None or not is_fit or event.odd_table == OddTable.REST or bot.merged_into_id is not None:
        return None
    if not bot.is_bot or not plays_game_of(event, bot):
        return None
    if event.team_size > 1 and house_bot_of(bot).weighs:
        return None
    return None if EntryMember.objects.filter(event=event, player=bot).exists() else bot


def _open_sheets(actor: Actor, event: Event, seated: Sequence[Seated]) -> None:
    """Open sheets for matches with two line-ups and assign them; the matches are not saved."""
    complete = [each for each in seated if all(each[1])]
    papers = [
        SheetPlan(sides, match.label, persons)
        for match, line_ups in complete
        for sides, persons in [_papers(match, line_ups)]
    ]
    sheets = open_sheets(actor=actor, rules=event.rules, plans=papers)
    for (match, _line_ups), sheet in zip(complete, sheets, strict=True):
        match.sheet = sheet


def _write_line_ups(seated: Sequence[Seated]) -> None:
    Appearance.objects.bulk_create(
        [
            appearance
            for match, line_ups in seated
            for side, players in enumerate(line_ups)
            for appearance in appearances_of(match, side, players)
        ]
    )


def appearances_of(match: Match, side: int, players: Sequence[Player]) -> Iterator[Appearance]:
    """Yield the line-up of a side; partners each play for their own entry."""
    # A bot in place of a bye is of no entry.
    entry, *partners = match.side(side) or (None,)
    for position, player in enumerate(players):
        yield Appearance(
            round_id=match.round_id,
            match=match,
            leg=match.leg,
            side=side,
            position=position,
            player=player,
            entry=partners[0] if partners and position else entry,
        )


def bring_sheet(actor: Actor, match: Match) -> None:
    """Open the match's sheet once both line-ups are known, or update the names on a blank one."""
    line_up = _line_up(match)
    if line_up is None:
        return
    sides, persons = line_up
    if match.sheet is None:
        plan = SheetPlan(sides, match.label, persons)
        event = locked(match.event)
        (match.sheet,) = open_sheets(actor=actor, rules=event.rules, plans=[plan])
        match.bye_given = False
        match.save(update_fields=["sheet", "bye_given"])
    else:
        end_unless_same_bots(match)
        reseat_sheet(actor=actor, sheet=match.sheet, sides=sides, persons=persons)


def _line_up(match: Match) -> tuple[tuple[SheetSide, ...], dict[str, str]] | None:
    """Return the sides and their players' keys, once all line-ups are known; without substitutes."""
    # A bye has its second side as soon as it has a line-up, and before it has a sheet.
    players: list[list[Player]] = [[] for _side in range(max(2, len(match.sides)))]
    seated = match.appearances.filter(replaces=None).select_related("player")
    for appearance in seated.order_by("side", "position"):
        players[appearance.side].append(appearance.player)
    return _papers(match, players) if all(players) else None


def _papers(
    match: Match, line_ups: Sequence[Sequence[Player]]
) -> tuple[tuple[SheetSide, ...], dict[str, str]]:
    seated = [player for players in line_ups for player in players]
    # A bot in several seats is numbered, as hands refer to players by name; so is one called as a team.
    written = made_distinct(dict(enumerate(player.name for player in seated)))
    names = iter(written.values())
    on_sides = [tuple(islice(names, len(players))) for players in line_ups]
    # Who is absent is not on the sheet, but the bot in his place; nor is there a name of no entry.
    called = [
        ("" if side == match.bot_side else match.side_name(side)) or players[0]
        for side, players in enumerate(on_sides)
    ]
    sides = map(SheetSide, made_distinct(dict(enumerate(called))).values(), on_sides)
    return tuple(sides), {written[seat]: player.code for seat, player in enumerate(seated)}
