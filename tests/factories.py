"""Rows for tests, as in `ClubFactory.create(name="…")`, each with everything it requires.

`MatchFactory` opens the match's sheet and writes its line-ups, as a draw does; `play` records on it.
`big_event` makes a whole event in a few statements, for pages and calculations that must stay fast.
"""

import datetime
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from factory.declarations import LazyAttribute, SelfAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory

from league.core.pairing.round_robin import schedule
from league.draws.recalculating import recalculate
from league.models import (
    Appearance,
    Club,
    Entry,
    EntryMember,
    Event,
    EventKind,
    EventState,
    Match,
    MatchState,
    Membership,
    Player,
    Role,
    Round,
    RoundState,
    Season,
    persons_of,
)
from league.record.requests import request_standings
from scoring.core.actors import Actor, ActorKind
from scoring.core.hands import Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide, TeamLine
from scoring.models import HouseRules, Scoresheet, SheetStatus
from scoring.services import SheetPlan, make_house_rules, open_sheets, record_deals
from scoring.services.records import kept_sheet

OPERATOR = Actor(ActorKind.OPERATOR, "tests", "The tests")
FIRST_NIGHT = datetime.date(2026, 1, 7)


def house_rules(preset: str = "standard", *, columns: int = 3, **knobs: Any) -> HouseRules:
    """Stored house rules, with three columns (Hollywood) by default."""
    rules = Rules.preset(preset, columns=columns, **knobs)
    return make_house_rules(actor=OPERATOR, name=preset.capitalize(), rules=rules)


def won(winner: str, loser: str, points: int, *, mark: Outcome | None = None) -> Deal:
    """A deal of one hand as on a paper sheet: points for the winner."""
    return Deal((Points(winner, loser, points, mark),))


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    name = Sequence(lambda n: f"Club {n}")
    slug = Sequence(lambda n: f"club-{n}")


class UserFactory(DjangoModelFactory[User]):
    """A user with admin access; `create(club=club, role=Role.DIRECTOR)` adds a role in a club."""

    class Meta:
        model = User

    username = Sequence(lambda n: f"user{n}")
    is_staff = True

    @classmethod
    def _create(cls, model_class: type[User], *args: Any, **kwargs: Any) -> User:
        club, role = kwargs.pop("club", None), kwargs.pop("role", Role.SCOREKEEPER)
        user = User.objects.create_user(**kwargs)
        if club is not None:
            Membership.objects.create(club=club, user=user, role=role)
        return user


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    club = SubFactory(ClubFactory)
    name = Sequence(lambda n: f"Player {n}")
    member_number = Sequence(lambda n: f"M{n}")


class SeasonFactory(DjangoModelFactory[Season]):
    class Meta:
        model = Season

    club = SubFactory(ClubFactory)
    name = Sequence(lambda n: f"Season {n}")
    slug = Sequence(lambda n: f"season-{n}")


class EventFactory(DjangoModelFactory[Event]):
    """A running event; `team_size=2` makes it one for teams. `rules` are standard Hollywood.

    Its lots are the same in every run, as its entries' keys are made of their names.
    """

    class Meta:
        model = Event

    club = SubFactory(ClubFactory)
    name = Sequence(lambda n: f"Event {n}")
    slug = Sequence(lambda n: f"event-{n}")
    team_size = 1
    kind = LazyAttribute(
        lambda event: (
            EventKind.TEAM
            if event.team_size > 1 and getattr(event, "format", "") != "rotation"
            else EventKind.INDIVIDUAL
        )
    )
    rules = LazyAttribute(lambda event: house_rules())
    state = EventState.RUNNING
    lot_seed = 1


def key_of(name: str) -> str:
    """A key for the lots of an entry that is the same in every run and no name."""
    return sha256(name.encode()).hexdigest()[:10]


class EntryFactory(DjangoModelFactory[Entry]):
    """An entry with the given players, or with as many new ones as a side has, named after it."""

    class Meta:
        model = Entry

    event = SubFactory(EventFactory)
    name = Sequence(lambda n: f"Entry {n}")

    @classmethod
    def _create(cls, model_class: type[Entry], *args: Any, **kwargs: Any) -> Entry:
        players = kwargs.pop("players", None)
        entry = Entry.objects.create(**{"lot_key": key_of(kwargs["name"])} | kwargs)
        size = entry.event.team_size if entry.event.kind == EventKind.TEAM else 1
        if players is None:
            names = [entry.name] if size == 1 else [f"{entry.name} {number + 1}" for number in range(size)]
            players = [PlayerFactory.create(club=entry.event.club, name=name) for name in names]
        for position, player in enumerate(players):
            EntryMember.objects.create(event=entry.event, entry=entry, player=player, position=position)
        if any(player.is_bot for player in players):
            Entry.objects.filter(pk=entry.pk).note_bots()
            entry.refresh_from_db(fields=["is_bot"])
        return entry


class RoundFactory(DjangoModelFactory[Round]):
    class Meta:
        model = Round

    event = SubFactory(EventFactory)
    number = LazyAttribute(lambda round_: round_.event.rounds.count() + 1)
    date = LazyAttribute(lambda round_: FIRST_NIGHT + datetime.timedelta(weeks=round_.number - 1))


class MatchFactory(DjangoModelFactory[Match]):
    """A drawn match between two entries, with line-ups and an open sheet. `entry_b=None` is a bye.

    With `partner_a` and `partner_b` a side is two entries of one player each. Drafted rounds have no sheets.
    `lineup_a` and `lineup_b` (players in order) default to the first players of the entries.
    """

    class Meta:
        model = Match

    event = SubFactory(EventFactory)
    round = SubFactory(RoundFactory, event=SelfAttribute("..event"))
    entry_a = SubFactory(EntryFactory, event=SelfAttribute("..event"))
    entry_b = SubFactory(EntryFactory, event=SelfAttribute("..event"))
    table = LazyAttribute(lambda match: match.round.matches.count() + 1)
    label = LazyAttribute(lambda match: f"R{match.round.number}-T{match.table}")

    @classmethod
    def _create(cls, model_class: type[Match], *args: Any, **kwargs: Any) -> Match:
        lineups = [kwargs.pop("lineup_a", None), kwargs.pop("lineup_b", None)]
        if kwargs["entry_b"] is None:
            kwargs |= {"state": MatchState.BYE, "winner_side": 0}
        match = Match(**kwargs)
        sides = []
        appearances = []
        pairs = ((match.entry_a, match.partner_a), (match.entry_b, match.partner_b))
        for side, pair in enumerate(pairs):
            entries = [entry for entry in pair if entry is not None]
            if not entries:
                continue
            seats = _seats(match.event, entries, lineups[side])
            sides.append(SheetSide(match.side_name(side), tuple(player.name for player, _entry in seats)))
            appearances += [
                Appearance(
                    round=match.round,
                    match=match,
                    side=side,
                    position=position,
                    leg=match.leg,
                    player=player,
                    entry=entry,
                )
                for position, (player, entry) in enumerate(seats)
            ]
        if len(sides) == 2 and match.round.state != RoundState.DRAFTED:
            persons = persons_of(appearance.player for appearance in appearances)
            plan = SheetPlan((sides[0], sides[1]), match.label, persons)
            (match.sheet,) = open_sheets(actor=OPERATOR, rules=match.event.rules, plans=[plan])
        match.save()
        Appearance.objects.bulk_create(appearances)
        return match


def _seats(event: Event, entries: list[Entry], players: Any) -> list[tuple[Player, Entry]]:
    """The players of a side with their entries: those given, or the first members, one of each partner."""
    if players is not None:
        return [(player, entries[place % len(entries)]) for place, player in enumerate(players)]
    return [
        (member.player, entry)
        for entry in entries
        for member in entry.members.select_related("player").order_by("position")[
            : event.team_size // len(entries)
        ]
    ]


def play(match: Match, *points: int, stopped: bool = False) -> Match:
    """Records deals on the match's sheet: points for the first side, negative ones for the second.

    Teams get lines. Returns the match as stored afterwards.
    """
    assert match.sheet is not None
    sides = kept_sheet(match.sheet).sides
    deals = []
    for figure in points:
        winner, loser = sides if figure > 0 else sides[::-1]
        if match.event.team_size > 1:
            deals.append(Deal(line=TeamLine(winner.name, abs(figure))))
        else:
            deals.append(won(winner.name, loser.name, abs(figure)))
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, stopped=stopped)
    match.refresh_from_db()
    return match


def drawn_match(event: Event, *names: str, table: int = 1) -> Match:
    """A match of two new entries of these names, in a round of its own."""
    first, second = [EntryFactory.create(event=event, name=name) for name in names]
    round_ = RoundFactory.create(event=event)
    match: Match = MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second, table=table)
    return match


def sheet_of(match: Match) -> Scoresheet:
    """The sheet that the match was given with."""
    assert match.sheet is not None
    return match.sheet


def count_table(event: int) -> None:
    """Counts the table of the event with this key, as a worker does."""
    request_standings(event)
    recalculate(event)


def big_event(*, entries: int, matches: int, event: Event | None = None, sheets: bool = True) -> Event:
    """An event of players with this many played matches, a round robin repeated as needed.

    Results are not derived: figures vary from match to match, one in ten is drawn, as finished sheets would
    have them. The sheets (none with `sheets=False`) have no deals. Standings are not requested.
    """
    event = event or EventFactory.create()
    players = Player.objects.bulk_create(
        [Player(club=event.club, name=f"{event.slug} {number:04}") for number in range(entries)]
    )
    entered = Entry.objects.bulk_create(
        [Entry(event=event, name=player.name, lot_key=key_of(player.name)) for player in players]
    )
    EntryMember.objects.bulk_create(
        [
            EntryMember(event=event, entry=entry, player=player)
            for entry, player in zip(entered, players, strict=True)
        ]
    )
    cycle = schedule(entries)
    drawn: list[tuple[Round, int, int, int]] = []
    number = 0
    while len(drawn) < matches:
        pairs = cycle[number % len(cycle)].pairs[: matches - len(drawn)]
        number += 1
        round_ = Round(event=event, number=number, date=FIRST_NIGHT + datetime.timedelta(weeks=number - 1))
        drawn += [(round_, table, first, second) for table, (first, second) in enumerate(pairs, start=1)]
    Round.objects.bulk_create({id(round_): round_ for round_, *_ in drawn}.values())
    played = [_played_match(event, drawn_match, entered, index) for index, drawn_match in enumerate(drawn)]
    if sheets:
        _add_finished_sheets(event, played)
    Match.objects.bulk_create(played)
    _seat_everybody(event)
    return event


def _played_match(
    event: Event, drawn: tuple[Round, int, int, int], entered: list[Entry], index: int
) -> Match:
    round_, table, first, second = drawn
    net = 0 if index % 10 == 9 else (index * 7919) % 1601 - 800
    columns_a = 0 if net == 0 else 2 if net > 0 else 1
    return Match(
        event=event,
        round=round_,
        table=table,
        label=f"R{round_.number}-T{table}",
        entry_a=entered[first],
        entry_b=entered[second],
        state=MatchState.FINISHED,
        net=net,
        winner_side=None if net == 0 else int(net < 0),
        columns_a=columns_a,
        columns_b=3 - columns_a if net else 0,
        boxes_a=index % 13,
        boxes_b=index % 11,
    )


def _add_finished_sheets(event: Event, played: list[Match]) -> None:
    sheets = Scoresheet.objects.bulk_create(
        [
            Scoresheet(
                **Scoresheet.actor_fields(OPERATOR),
                rules=event.rules,
                label=match.label,
                status=SheetStatus.FINISHED,
                version=1,
                nets=[match.net, -match.net],
                places={0: [1, 2], 1: [2, 1], None: [1, 1]}[match.winner_side],
                derived={
                    "totals": [max(match.net, 0), max(-match.net, 0)],
                    "columns_won": [match.columns_a, match.columns_b],
                    "boxes": [match.boxes_a, match.boxes_b],
                    "hands_won": [match.hands_a, match.hands_b],
                    "gins": [match.gins_a, match.gins_b],
                    "columns": [],
                    "seats": {},
                },
            )
            for match in played
        ]
    )
    for match, sheet in zip(played, sheets, strict=True):
        match.sheet = sheet


def _seat_everybody(event: Event) -> None:
    """Line-ups, and sides and seats of the sheets, copied within the database because they are many."""
    with connection.cursor() as cursor:
        for statement in (
            """INSERT INTO league_appearance
                (round_id, match_id, side, position, leg, from_deal, player_id, entry_id)
            SELECT m.round_id, m.id, 0, 0, 1, 1, p.player_id, p.entry_id
            FROM league_match m JOIN league_entrymember p ON p.entry_id = m.entry_a_id
            WHERE m.event_id = %s""",
            """INSERT INTO league_appearance
                (round_id, match_id, side, position, leg, from_deal, player_id, entry_id)
            SELECT m.round_id, m.id, 1, 0, 1, 1, p.player_id, p.entry_id
            FROM league_match m JOIN league_entrymember p ON p.entry_id = m.entry_b_id
            WHERE m.event_id = %s""",
            """INSERT INTO scoring_side (sheet_id, position, name)
            SELECT m.sheet_id, a.side, e.name
            FROM league_match m JOIN league_appearance a ON a.match_id = m.id
            JOIN league_entry e ON e.id = a.entry_id WHERE m.event_id = %s AND m.sheet_id IS NOT NULL""",
            """INSERT INTO scoring_seat (sheet_id, side_id, number, name)
            SELECT s.sheet_id, s.id, s.position, s.name
            FROM league_match m JOIN scoring_side s ON s.sheet_id = m.sheet_id WHERE m.event_id = %s""",
        ):
            cursor.execute(statement, [event.pk])
