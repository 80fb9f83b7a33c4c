"""Takes a tournament over from FIDE's Tournament Report File: a finished event with results of games.

The file comes from another program, in which there are no deals. Its event has the points and the order of
the file, and matches without sheets (RULES §18). Names in it identify nobody: an entry is a person of the
club only by its FIDE id, where that is the player's id in the club's register or the member number, or by a
director's choice; all others are entries as written.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import takewhile
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.hand_files.problems import CellProblem, FileRefused
from league.core.pairing.acceleration import first_half, virtual_runs
from league.core.standings import AdjustmentNote, CountsAs, MatchResult, MatchSide, ScoringScheme, rank
from league.core.trf import Virtual
from league.core.trf_letters import CRITERION_OF, LETTERS, TrfKind
from league.core.trf_reading import ReadGame, ReadPlayer, ReadTournament, read_trf
from league.errors import LeagueError
from league.events.events import create_event
from league.events.linking import check_linkable
from league.files.making import Created, rules_called_after, rules_of_club, season_called
from league.matches.matches import appearances_of, match_label
from league.models import (
    Adjustment,
    Appearance,
    Club,
    ClubRules,
    Entry,
    EntryMember,
    Event,
    EventState,
    ForbiddenPair,
    ImportBatch,
    Match,
    MatchState,
    Player,
    Round,
    RoundState,
)
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.requests import request_standings
from league.record.slugs import free_slug
from league.tables.results import plain, scheme_of
from scoring.core.actors import Actor
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.models import HouseRules

# The order of a file that says none.
_USUAL: Final = ("match_points", "buchholz", "sonneborn_berger")
_MOST_NAMES: Final = 12
_CHUNK: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TakingOptions:
    """The choices of who takes a file over.

    The season of the event, its name if not the file's. `players` are people of the club by start number,
    None for nobody; who is not in it is found by number.
    """

    season: str = ""
    name: str = ""
    players: Mapping[int, Player | None] | None = None


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """A player of the file, the entry's name, and the person of the club; `is_found` if by number."""

    read: ReadPlayer
    name: str
    player: Player | None
    is_found: bool


@dataclass(frozen=True, slots=True)
class TakenGame:
    """A match of the event by start numbers, the first dealer's side first.

    `points` and `points_b` are None where they are what the event gives.
    """

    round: int
    a: int
    b: int | None
    state: MatchState
    winner_side: int | None
    points: Decimal | None = None
    points_b: Decimal | None = None

    @property
    def result(self) -> MatchResult:
        """The result by start numbers, as the table has it."""
        return MatchResult(
            (self.a,),
            () if self.b is None else (self.b,),
            self.state,
            None if self.winner_side is None else (MatchSide.A, MatchSide.B)[self.winner_side],
            round=self.round,
            given=None if self.points is None else plain(self.points),
            given_b=plain(self.points_b or 0),
            begun=self.state == MatchState.FORFEIT,
        )


@dataclass(frozen=True, slots=True)
class TakingPlan:
    """All that is written if a file is taken over. `moved` are those whose place is not the file's."""

    club: Club
    file_name: str
    digest: str
    name: str
    read: ReadTournament
    options: TakingOptions
    players: Sequence[TakenPlayer]
    games: Sequence[TakenGame]
    settings: Mapping[str, Any]
    criteria: Sequence[str]
    moved: Sequence[TakenPlayer]

    def lines(self) -> list[str]:
        """The preview, line by line."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        players, rounds = len(self.players), self.read.rounds
        yield _("%(event)s, %(club)s: a finished event, whose results are taken over.") % {
            "event": self.name,
            "club": self.club,
        }
        yield _("%(players)s, %(rounds)s will be entered.") % {
            "players": ngettext("%(count)d player", "%(count)d players", players) % {"count": players},
            "rounds": ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds},
        }
        told = self.read.rounds_told
        if told is not None and told != rounds:
            yield _("The file says %(told)d rounds; the others have no result.") % {"told": told}
        states = Counter(game.state for game in self.games)
        games, byes = states[MatchState.TAKEN_OVER], states[MatchState.BYE] + states[MatchState.ABSENT]
        yield ngettext(
            "%(count)d game without sheet or deals.", "%(count)d games without sheets or deals.", games
        ) % {"count": games}
        given, lost = states[MatchState.WALKOVER], states[MatchState.FORFEIT]
        if given:
            yield ngettext("%(count)d walkover.", "%(count)d walkovers.", given) % {"count": given}
        if lost:
            yield ngettext(
                "%(count)d game that both have lost.", "%(count)d games that both have lost.", lost
            ) % {"count": lost}
        if byes:
            yield ngettext("%(count)d bye, or round sat out.", "%(count)d byes, or rounds sat out.", byes) % {
                "count": byes
            }
        yield _("Known by number: %(count)d. All others are entries as written.") % {
            "count": sum(each.is_found for each in self.players)
        }
        yield _("Points are as in the file. They count for no rating.")
        if self.moved:
            names = [each.name for each in self.moved]
            # Family names come first, after which there is a comma.
            shown = "; ".join(names[:_MOST_NAMES]) + ("; …" if len(names) > _MOST_NAMES else "")
            yield _("Tie-breaks give another place than the file to %(count)d: %(names)s.") % {
                "count": len(names),
                "names": shown,
            }
        elif any(each.read.rank is not None for each in self.players):
            yield _("Places are as in the file.")


def plan_taking(*, club: Club, data: bytes, file_name: str, options: TakingOptions) -> TakingPlan:
    """Check a file, and say all that would be written.

    Refused: `file_refused` with its problems; `taken_over_already` if the club has taken the same file over;
    `event_exists` if it has an event of that name; players as by `check_linkable`.
    """
    digest = hashlib.sha256(data).hexdigest()
    _check_new_file(club, digest)
    read = read_trf(data)
    if not read.rounds:
        raise FileRefused([CellProblem(0, "", mark("No round has a result."))])
    name = " ".join(options.name.split()) or read.name
    _check_new_name(club, name)
    players = _players(club, read, options.players or {})
    settings = _settings(read)
    games = list(_games(read, scheme_of(Event(**settings))))
    criteria = _criteria(read)
    places = _places(read, games, settings, criteria)
    moved = [
        each for each in players if each.read.rank is not None and places[each.read.number] != each.read.rank
    ]
    return TakingPlan(club, file_name, digest, name, read, options, players, games, settings, criteria, moved)


def apply_taking(*, actor: Actor, plan: TakingPlan) -> ImportBatch:
    """Write the event of a plan, in one transaction or not at all.

    Refused as by `plan_taking`, `not_allowed`, and `changed_meanwhile` if somebody wrote after the plan was
    made.
    """
    require(actor, Permission.DIRECT, plan.club)
    try:
        with transaction.atomic():
            return _write(actor, plan)
    except IntegrityError as error:
        raise LeagueError(
            "changed_meanwhile", _("Somebody has just written in this club; nothing was imported. Try again.")
        ) from error


def _check_new_file(club: Club, digest: str) -> None:
    same = ImportBatch.objects.filter(club=club, digest=digest, undone_at=None).exclude(event=None)
    for batch in same.select_related("event")[:1]:
        raise LeagueError(
            "taken_over_already",
            _("This very file is imported already, as “%(event)s”.") % {"event": batch.event},
            field="file",
        )


def _check_new_name(club: Club, name: str) -> None:
    if club.events.filter(name=name).exists():
        raise LeagueError(
            "event_exists",
            _("There is an event “%(event)s” already. Give this one another name.") % {"event": name},
            field="name",
        )


def _players(club: Club, read: ReadTournament, chosen: Mapping[int, Player | None]) -> Sequence[TakenPlayer]:
    found = _by_number(club, read)
    players = {player.number: chosen.get(player.number, found.get(player.number)) for player in read.players}
    people = [player for player in players.values() if player is not None]
    check_linkable(club, people)
    twice = [player for player, times in Counter(people).items() if times > 1]
    if twice:
        raise LeagueError(
            "player_twice", _("%(player)s is chosen twice.") % {"player": twice[0]}, field="players"
        )
    used = {player.name for player in people}
    taken = []
    for each in read.players:
        person = players[each.number]
        name = each.name if person is None else person.name
        # Somebody else may really be called “Name (3)”.
        while person is None and name in used:
            name = f"{name} ({each.number})"
        used.add(name)
        is_found = person is not None and each.number not in chosen
        taken.append(TakenPlayer(each, name, person, is_found))
    return taken


def _by_number(club: Club, read: ReadTournament) -> Mapping[int, Player]:
    """The people whom FIDE ids name, by start number; nobody where two are, or one is twice."""
    people = Player.objects.filter(club=club, merged_into=None, erased_at=None, strategy="")
    called: dict[str, set[Player]] = defaultdict(set)
    for player in people:
        for number in (player.external_id, player.member_number):
            if number:
                called[number].add(player)
    found = {
        each.number: next(iter(called[each.fide_id]))
        for each in read.players
        if each.fide_id and len(called[each.fide_id]) == 1
    }
    times = Counter(found.values())
    return {number: player for number, player in found.items() if times[player] == 1}


def _games(read: ReadTournament, scheme: ScoringScheme) -> Iterator[TakenGame]:
    players = {player.number: player for player in read.players}
    for round_ in range(read.rounds):
        for player in read.players:
            game = player.games[round_]
            if not game.opponent:
                is_bye = game.result == "U"
                yield TakenGame(
                    round_ + 1,
                    player.number,
                    None,
                    MatchState.BYE if is_bye else MatchState.ABSENT,
                    0,
                    None if is_bye else read.points_of(game),
                )
            elif game.colour == "w" or (not game.colour and player.number < game.opponent):
                other = players[game.opponent].games[round_]
                taken = _game(round_ + 1, player.number, game, other)
                points, points_b = read.points_of(game), read.points_of(other)
                is_usual = scheme.points(taken.result) == (points, points_b)
                yield taken if is_usual else replace(taken, points=points, points_b=points_b)


def _game(round_: int, number: int, game: ReadGame, other: ReadGame) -> TakenGame:
    own, others = LETTERS[game.result], LETTERS[other.result]
    winner = 0 if own.symbol == "W" else 1 if others.symbol == "W" else None
    if own.kind is TrfKind.FORFEIT:
        state = MatchState.WALKOVER
    elif winner is None and own.symbol == "L":
        state = MatchState.FORFEIT  # lost by both; who plays without a winner has drawn
    else:
        state = MatchState.TAKEN_OVER
    return TakenGame(round_, number, game.opponent, state, winner)


def _settings(read: ReadTournament) -> dict[str, Any]:
    """The fields of the event that follow from the file.

    Where everybody meets everybody a forfeit is as a match (C.07, 15.2), in a Swiss it is not (article 16).
    """
    strength = CountsAs.OPPONENT if read.meets_all else CountsAs.FIDE
    settings: dict[str, Any] = {
        "format": "round_robin" if read.meets_all else "swiss",
        "state": EventState.FINISHED,
        "taken_over": True,
        "win_points": read.worth["W"],
        "draw_points": read.worth["D"],
        "loss_points": read.worth["L"],
        "bye_points": read.worth["P"],
        "absent_points": read.worth["A"],
        **dict.fromkeys(("bye_strength", "forfeit_strength", "absent_strength"), strength),
    }
    if read.meets_all:
        return settings
    settings["rounds_planned"] = read.rounds_told
    fast = read.virtual[-1].last_round if read.virtual else 0
    if fast and read.virtual == _accelerated(read, fast):
        settings |= {"accelerated": True, "accelerated_rounds": fast}
    return settings


def _accelerated(read: ReadTournament, fast: int) -> list[Virtual]:
    """The virtual points of an accelerated Swiss of which so many rounds are (RULES §12)."""
    began = {
        player.number for player in read.players if player.games[0].opponent or player.games[0].result == "U"
    }
    half = first_half(sorted(player.number for player in read.players), began)
    win, draw = plain(read.worth["W"]), plain(read.worth["D"])
    return [
        Virtual(Decimal(points), first, last, max(half, default=0))
        for points, first, last in virtual_runs(fast, win=win, draw=draw)
    ]


def _criteria(read: ReadTournament) -> Sequence[str]:
    """The order that the file says, as far as it is known here; whoever is level then is as in the file."""
    said = [part.strip().upper().replace(":GP", "") for part in read.tie_breaks.split(",") if part.strip()]
    known = dict.fromkeys(CRITERION_OF[part] for part in takewhile(CRITERION_OF.__contains__, said))
    order = [*known] if [*known][:1] == ["match_points"] else [*_USUAL]
    return [*order, "place"] if any(player.rank is not None for player in read.players) else order


def _places(
    read: ReadTournament, games: Sequence[TakenGame], settings: Mapping[str, Any], criteria: Sequence[str]
) -> Mapping[int, int]:
    """The place that each player will have, by start number."""
    rows = rank(
        [player.number for player in read.players],
        [game.result for game in games],
        criteria=criteria,
        scheme=scheme_of(Event(**settings)),
        adjustments=[
            AdjustmentNote(player.number, plain(player.bonus), "") for player in read.players if player.bonus
        ],
        swiss=not read.meets_all,
        given={"place": {each.number: each.rank for each in read.players if each.rank is not None}},
    )
    return {row.entry: row.rank for row in rows}


def _write(actor: Actor, plan: TakingPlan) -> ImportBatch:
    # Two who take over the same file come one after the other.
    club = locked(plan.club)
    _check_new_file(club, plan.digest)
    _check_new_name(club, plan.name)
    created: Created = {}
    season = None
    if plan.options.season:
        season = season_called(
            plan.options.season,
            actor=actor,
            club=club,
            dates=[day for day in plan.read.dates if day is not None],
            created=created,
        )
    event = create_event(
        actor=actor,
        club=club,
        name=plan.name,
        slug=free_slug(club.events.values_list("slug", flat=True), plan.name),
        rules=_rules(actor, club, plan.name, created),
        criteria=plan.criteria,
        season=season,
        **plan.settings,
    )
    created["event"] = [event.pk]
    entries = _write_entries(event, plan.players)
    rounds = Round.objects.bulk_create(
        [
            Round(event=event, number=number, date=day, state=RoundState.COMPLETE)
            for number, day in enumerate(plan.read.dates, start=1)
        ]
    )
    matches = _write_matches(event, entries, rounds, plan)
    apart = ForbiddenPair.objects.bulk_create(
        [
            ForbiddenPair(event=event, entry_a_id=one, entry_b_id=other)
            for one, other in {_in_order(entries[a].pk, entries[b].pk) for a, b in plan.read.apart}
        ]
    )
    adjustments = Adjustment.objects.bulk_create(
        [
            Adjustment(
                event=event,
                entry=entries[player.number],
                points=player.bonus,
                reason=_("as in the file (record 299)"),
                **Adjustment.actor_fields(actor),
            )
            for player in plan.read.players
            if player.bonus
        ]
    )
    created |= {
        "entry": [entry.pk for entry in entries.values()],
        "round": [round_.pk for round_ in rounds],
        "match": [match.pk for match in matches],
        "forbiddenpair": [pair.pk for pair in apart],
        "adjustment": [adjustment.pk for adjustment in adjustments],
    }
    batch = ImportBatch.objects.create(
        club=club,
        event=event,
        event_name=event.name,
        file_name=plan.file_name[-200:],
        digest=plan.digest,
        hands=0,
        deals=0,
        sheets=0,
        created=created,
        **ImportBatch.actor_fields(actor),
    )
    record_audit(
        actor,
        "import.take_over",
        batch,
        after={"event": event.name, "created": {kind: len(ids) for kind, ids in created.items()}},
    )
    request_standings(event.pk)
    return batch


def _in_order(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _rules(actor: Actor, club: Club, name: str, created: Created) -> HouseRules:
    """Any house rules of the club, as every event has some; by which rules they played is not known."""
    own = ClubRules.objects.filter(club=club).select_related("rules").order_by("pk").first()
    if own is not None:
        return own.rules
    return rules_of_club(
        actor=actor, club=club, rules=Rules(), name=rules_called_after(name), created=created
    )


def _write_entries(event: Event, players: Sequence[TakenPlayer]) -> Mapping[int, Entry]:
    """Write the entries and their members; returns the entries by start number, which is their seed."""
    entries = Entry.objects.bulk_create(
        [
            Entry(event=event, name=each.name, seed=each.read.number, told_place=each.read.rank)
            for each in players
        ]
    )
    EntryMember.objects.bulk_create(
        [
            EntryMember(event=event, entry=entry, player=each.player)
            for entry, each in zip(entries, players, strict=True)
            if each.player is not None
        ]
    )
    return {each.read.number: entry for entry, each in zip(entries, players, strict=True)}


def _write_matches(
    event: Event, entries: Mapping[int, Entry], rounds: Sequence[Round], plan: TakingPlan
) -> list[Match]:
    tables: Counter[tuple[int, bool]] = Counter()
    matches = []
    for game in plan.games:
        is_alone = game.b is None
        tables[game.round, is_alone] += 1
        number = tables[game.round, is_alone]
        place = number if not is_alone else _("bye") if number == 1 else f"{_('bye')}.{number}"
        matches.append(
            Match(
                event=event,
                round=rounds[game.round - 1],
                label=match_label(event, game.round, place),
                entry_a=entries[game.a],
                entry_b=None if game.b is None else entries[game.b],
                state=game.state,
                winner_side=game.winner_side,
                given_points=game.points,
                given_points_b=game.points_b,
            )
        )
    Match.objects.bulk_create(matches, batch_size=_CHUNK)
    people = {each.read.number: [each.player] for each in plan.players if each.player is not None}
    Appearance.objects.bulk_create(
        [
            appearance
            for match, game in zip(matches, plan.games, strict=True)
            if game.b is not None
            for side, number in enumerate((game.a, game.b))
            for appearance in appearances_of(match, side, people.get(number, []))
        ],
        batch_size=_CHUNK,
    )
    return matches
