"""Events of every format for the demo club, played by its members through the services.

Everything random comes from one seed, so every demo has the same pairings and sheets; but what is played card
by card is dealt as for members (`online`).
"""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from django.db.models import F
from django.utils.text import slugify

from league.core.ladder import within_reach
from league.demo.hands import whole_sheet
from league.demo.house_bots import exhibit, make_bots, plant_bot_matches
from league.demo.lots import draw_by_names
from league.demo.night import play_night
from league.demo.online import play_online_evening
from league.draws.brackets import draw_bracket
from league.draws.challenges import make_challenge
from league.draws.group_rounds import draw_groups
from league.draws.ladders import add_absence
from league.draws.movements import draw_movement
from league.draws.recalculating import recalculate
from league.draws.round_life import complete_round, draft_round, publish_round
from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.events.entries import enter_late, enter_players
from league.events.event_life import finish_event, open_entries, start_event
from league.events.events import create_event, create_season
from league.events.house_rules import make_club_rules
from league.events.pyramids import create_pyramid, draft_next_season
from league.events.seeding import SeedBy, seed_entries
from league.events.waiting import add_request
from league.models import (
    UNFINISHED,
    Club,
    ClubRules,
    CountsAs,
    Event,
    Match,
    Player,
    Round,
    RoundState,
    Season,
    between_bots,
)
from league.tables.ladders import ladder_now
from league.tables.season_tables import create_season_table
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.models import HouseRules, Scoresheet
from scoring.services import record_deals
from scoring.services.records import kept_sheet

_SEED: Final = 20260605
_RULES: Final = Rules.preset("standard")
_CHALLENGES: Final = 12
_HOLLYWOOD: Final = Rules.preset("standard", columns=3, target=100, team_target=125)

Progress = Callable[[int], object]


def play_events(*, actor: Actor, club: Club, progress: Progress) -> None:
    """Play all demo events with the club's present players; `progress` is called for every sheet."""
    demo = _Demo(actor, club, progress)
    cup = demo.cup()
    evening = demo.evening()
    demo.divisions()
    demo.groups()
    swiss = demo.swiss()
    demo.next_swiss()
    demo.ladder()
    demo.bots()
    play_night(actor=actor, club=club, players=demo.players[:12], rules=demo.rules, progress=progress)
    demo.plate()
    demo.tables()
    demo.online()
    create_season_table(
        actor=actor,
        club=club,
        name="Player of the Year 2026",
        slug="player-of-the-year-2026",
        season=demo.season,
        place_points=[10, 8, 6, 5, 4, 3, 2, 1],
        events=[cup, evening, swiss],
    )


@dataclass
class _Demo:
    actor: Actor
    club: Club
    progress: Progress
    chance: Random = field(default_factory=lambda: Random(_SEED))  # noqa: S311 - repeatable, not secret

    def __post_init__(self) -> None:
        self.players = list(self.club.players.filter(merged_into=None).order_by("name"))
        self.rules = self._rules(_RULES)
        self.season: Season = create_season(
            actor=self.actor,
            club=self.club,
            name="Summer 2026",
            slug="summer-2026",
            starts_on=datetime.date(2026, 6, 1),
            ends_on=datetime.date(2026, 8, 31),
        )

    def cup(self) -> Event:
        """A double elimination of seven, seeded by rating, with one bye."""
        event = self._event("Harbour Cup 2026", "double", self.players[:7])
        seed_entries(actor=self.actor, event=event, by=SeedBy.RATING)
        date = datetime.date(2026, 6, 6)
        drawn = draw_bracket(actor=self.actor, event=event, date=date)
        self._play(publish_round(actor=self.actor, round_=drawn))
        return self._to_the_end(event, date + datetime.timedelta(weeks=1))

    def plate(self) -> Event:
        """A knockout of six with a plate: two byes, and two matches for everybody."""
        event = self._event("Harbour Plate 2026", "consolation", self.players[6:12])
        seed_entries(actor=self.actor, event=event, by=SeedBy.RATING)
        date = datetime.date(2026, 7, 4)
        self._play(
            publish_round(actor=self.actor, round_=draw_bracket(actor=self.actor, event=event, date=date))
        )
        return self._to_the_end(event, date + datetime.timedelta(weeks=1))

    def tables(self) -> None:
        """Tables of three and more: Jersey, rummy by points, cutthroat, captains at one table, a knockout."""
        captains = {"preset": "captains", "captains": {"box_held": "hand"}}
        evenings = (
            ("Jersey League 2026", "tables", self.players[:9], "Jersey", {"preset": "jersey"}, 6),
            ("Rummy by Points", "tables_swiss", self.players[3:13], "Rummy", {"preset": "basic_rummy"}, 3),
            ("Cutthroat in July", "tables", self.players[5:12], "Cutthroat", {"preset": "cutthroat"}, 2),
            ("Captains at One Table", "tables", self.players[8:12], "Captains", captains, 1),
            ("Jersey Cup 2026", "tables_cup", self.players[:9], "Jersey", {"preset": "jersey"}, None),
        )
        date = datetime.date(2026, 7, 2)
        for name, event_format, players, game, rules, rounds in evenings:
            wanted = Rules.from_document(rules)
            if not ClubRules.objects.filter(club=self.club, rules__name=game).exists():
                make_club_rules(actor=self.actor, club=self.club, name=game, rules=wanted)
            event = self._event(
                name, event_format, players, rules=self._rules(wanted), rounds_planned=rounds, qualifiers=1
            )
            self._to_the_end(event, date, days=0)
            date += datetime.timedelta(weeks=1)

    def online(self) -> None:
        """An evening online of four who do not play tonight, by rules under which it is short."""
        wanted = Rules.preset("standard", deals=3)
        rules = make_club_rules(actor=self.actor, club=self.club, name="Three Deals", rules=wanted).rules
        players = self.players[12:16]
        play_online_evening(
            actor=self.actor, club=self.club, players=players, rules=rules, progress=self.progress
        )

    def evening(self) -> Event:
        """Twelve players who change partners after every round of one evening."""
        event = self._event("Change Partners in June", "rotation", self.players[:12], rounds_planned=6)
        date = datetime.date(2026, 6, 19)
        for round_ in draw_movement(actor=self.actor, event=event, first_date=date):
            self._play(round_)
            complete_round(actor=self.actor, round_=round_)
        return self._finish(event)

    def divisions(self) -> None:
        """Two finished divisions of five, and the next season drafted from them."""
        pyramid = create_pyramid(
            actor=self.actor, club=self.club, name="Harbour Divisions", slug="harbour-divisions", moving=1
        )
        for level, players in enumerate((self.players[:5], self.players[5:10]), start=1):
            event = self._event(
                ("First Division", "Second Division")[level - 1],
                "round_robin",
                players,
                pyramid=pyramid,
                level=level,
                bye_points=2,
            )
            first = datetime.date(2026, 6, 9)
            for round_ in draw_round_robin(actor=self.actor, event=event, first_date=first):
                self._play(round_)
                complete_round(actor=self.actor, round_=round_)
            self._finish(event)
        autumn = create_season(
            actor=self.actor,
            club=self.club,
            name="Autumn 2026",
            slug="autumn-2026",
            starts_on=datetime.date(2026, 9, 1),
            ends_on=datetime.date(2026, 12, 20),
        )
        for drafted in draft_next_season(
            actor=self.actor, pyramid=pyramid, season_from=self.season, season_to=autumn
        ):
            draw_by_names(drafted)

    def groups(self) -> None:
        """Two played groups of four, and the knockout of the best two of each, drawn and not begun."""
        event = self._event("Group Cup 2026", "groups", self.players[4:12], group_count=2, qualifiers=2)
        seed_entries(actor=self.actor, event=event, by=SeedBy.RATING)
        first = datetime.date(2026, 6, 11)
        for round_ in draw_groups(actor=self.actor, event=event, first_date=first):
            self._play(round_)
            complete_round(actor=self.actor, round_=round_)
        recalculate(event.pk)
        date = first + datetime.timedelta(weeks=3)
        publish_round(actor=self.actor, round_=draw_bracket(actor=self.actor, event=event, date=date))
        recalculate(event.pk)

    def swiss(self) -> Event:
        """A Swiss of ten and a late entry in round 2: byes, and tonight two sheets are missing."""
        event = self._event(
            "Summer Swiss 2026",
            "swiss",
            self.players[:10],
            rounds_planned=5,
            bye_net=CountsAs.OWN_AVERAGE,
            bye_strength=CountsAs.OWN_AVERAGE,
            forfeit_strength=CountsAs.ZERO,
            absent_strength=CountsAs.ZERO,
            late_points=1,
        )
        date = datetime.date(2026, 8, 5)
        for number in range(1, 5):
            if number == 2:
                enter_late(actor=self.actor, event=event, players=[self.players[10]])
                draw_by_names(event)
            round_ = self._next_round(event, date + datetime.timedelta(weeks=number - 1))
            self._play(round_, but=2 if number == 4 else 0)
        recalculate(event.pk)
        return event

    def next_swiss(self) -> None:
        """An event with open entries: all places are taken, and two wait."""
        event = create_event(
            actor=self.actor,
            club=self.club,
            name="Autumn Swiss 2026",
            slug="autumn-swiss-2026",
            rules=self.rules,
            season=self.club.seasons.get(slug="autumn-2026"),
            format="swiss",
            rounds_planned=5,
            check_in=True,
            starts_at=datetime.datetime(2026, 9, 1, 19, 30, tzinfo=self.club.zone),
            round_minutes=50,
            about="Five evenings, the **first Tuesday** of each month.\n\n- Coffee from seven\n- Bring a pen",
            fee="10 € an evening",
            places=6,
        )
        open_entries(actor=self.actor, event=event)
        enter_players(actor=self.actor, event=event, players=self.players[3:9])
        for player in self.players[9:11]:
            add_request(actor=self.actor, event=event, player=player)
        draw_by_names(event)
        recalculate(event.pk)

    def ladder(self) -> None:
        """A ladder of nine over some weeks: one player is away, two challenges are open."""
        event = self._event(
            "Harbour Ladder 2026", "ladder", self.players[2:11], season=None, challenge_reach=3
        )
        recalculate(event.pk)
        entries = {entry.pk: entry for entry in event.entries.all()}
        for number in range(1, _CHALLENGES + 1):
            now = ladder_now(event)
            reach = {
                below: within_reach(now.ladder, now.rules, now.absences, challenger=below, on=now.today)
                for below in now.ladder.players
            }
            below = self.chance.choice([one for one in now.ladder.players if reach[one]])
            above = self.chance.choice(reach[below])
            made = make_challenge(
                actor=self.actor, event=event, challenger=entries[below], challenged=entries[above]
            )
            if made.match is not None and number <= _CHALLENGES - 2:
                self._play(made.match.round)
        now = ladder_now(event)
        away = next(entries[one] for one in now.ladder.players if now.ladder.challenge_of(one) is None)
        today = now.today
        add_absence(
            actor=self.actor,
            entry=away,
            first_day=today - datetime.timedelta(days=3),
            last_day=today + datetime.timedelta(days=7),
        )
        self._spread(event)

    def _spread(self, event: Event) -> None:
        """Date the acts on a ladder back over the weeks before today."""
        days = datetime.timedelta(days=1)
        event.ladder_stays.update(joined_at=F("joined_at") - _CHALLENGES * 5 * days)
        for challenge in event.challenges.order_by("number"):
            before = (_CHALLENGES - challenge.number) * 5 * days
            challenge.made_at -= before
            if challenge.decided_at is not None:
                challenge.decided_at -= before - 2 * days
            challenge.save(update_fields=["made_at", "decided_at"])
            Match.objects.filter(challenge=challenge).update(deadline=F("deadline") - before)

    def bots(self) -> None:
        """Two house bots among four members, a round robin of three bots, and a weekly exhibition."""
        bots = make_bots(actor=self.actor, club=self.club)
        mixed = self._event(
            "Beat the Bots 2026",
            "round_robin",
            [*self.players[:2], *bots[:2], *self.players[2:4]],
            bot_matches_count=False,
        )
        first = datetime.date(2026, 8, 4)
        rounds = draw_round_robin(actor=self.actor, event=mixed, first_date=first)
        for round_ in rounds[:3]:
            self._play(round_)
        alone = self._event("House Bots 2026", "round_robin", bots, rules=self._rules(_HOLLYWOOD))
        draw_round_robin(actor=self.actor, event=alone, double=True)
        recalculate(alone.pk)
        plant_bot_matches(actor=self.actor, events=[alone, mixed], chance=self.chance)
        exhibit(actor=self.actor, club=self.club, bots=bots, rules=self.rules)

    def _event(self, name: str, event_format: str, players: Sequence[Player], **settings: Any) -> Event:
        """A started event with these players."""
        event = create_event(
            actor=self.actor,
            club=self.club,
            name=name,
            slug=slugify(name),
            format=event_format,
            **({"season": self.season, "rules": self.rules} | settings),
        )
        enter_players(actor=self.actor, event=event, players=players)
        draw_by_names(event)
        return start_event(actor=self.actor, event=event)

    def _rules(self, wanted: Rules) -> HouseRules:
        """The club's house rules that satisfy `wanted`; the seasons have brought them."""
        own = ClubRules.objects.filter(club=self.club).select_related("rules").order_by("pk")
        return next(one.rules for one in own if one.rules.rules == wanted)

    def _next_round(self, event: Event, date: datetime.date) -> Round:
        return publish_round(actor=self.actor, round_=draft_round(actor=self.actor, event=event, date=date))

    def _to_the_end(self, event: Event, date: datetime.date, *, days: int = 7) -> Event:
        """Pair and play rounds until there are no more, and finish the event."""
        while True:
            try:
                round_ = self._next_round(event, date)
            except LeagueError as refusal:
                if refusal.code != "no_more_rounds":
                    raise
                return self._finish(event)
            self._play(round_)
            date += datetime.timedelta(days=days)

    def _finish(self, event: Event) -> Event:
        recalculate(event.pk)
        last = event.rounds.order_by("-number").first()
        if last is not None and last.state != RoundState.COMPLETE:
            complete_round(actor=self.actor, round_=last)
        return finish_event(actor=self.actor, event=event)

    def _play(self, round_: Round, *, but: int = 0) -> None:
        """Play the matches of a round except the last `but`, and further sheets of ties."""
        while sheets := self._open(round_)[: -but or None]:
            for sheet in sheets:
                deals = whole_sheet(round_.event.rules.rules, kept_sheet(sheet).sides, self.chance)
                record_deals(actor=self.actor, sheet=sheet, deals=deals)
                self.progress(1)
            recalculate(round_.event_id)
            if but:
                return

    def _open(self, round_: Round) -> list[Scoresheet]:
        waiting = Match.objects.filter(~between_bots(), round=round_, state__in=UNFINISHED)
        rows = Scoresheet.objects.filter(match__in=waiting)
        return list(rows.select_related("rules").order_by("match__table", "match__leg", "pk"))
