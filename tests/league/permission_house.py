"""A club with one of everything, for the tables of permissions."""

from dataclasses import dataclass

from django.db.models import Model
from django.utils import timezone

from league.bots.bot_matches import plant_exhibitions
from league.models import (
    Adjustment,
    BotSchedule,
    Club,
    ClubRules,
    CutDecision,
    CutHow,
    EntryRequest,
    Exhibition,
    ForbiddenPair,
    ImportBatch,
    Match,
    Pyramid,
    RequestState,
    SeasonTable,
    Tie,
)
from league.record.audit import record_audit
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    SeasonFactory,
)


@dataclass
class House:
    """A club with one of everything."""

    club: Club
    rows: dict[str, Model]


def furnish() -> House:
    club = ClubFactory.create()
    event = EventFactory.create(club=club)
    ClubRules.objects.create(club=club, rules=event.rules)
    match: Match = MatchFactory.create(event=event)
    apart = ForbiddenPair.objects.create(
        event=event, entry_a=EntryFactory.create(event=event), entry_b=EntryFactory.create(event=event)
    )
    assert match.sheet is not None
    adjustment = Adjustment.objects.create(
        event=event, entry=match.entry_a, points=1, reason="x", **Adjustment.actor_fields(OPERATOR)
    )
    decision = CutDecision.objects.create(
        event=event, kind="group", key="x", how=CutHow.LOT, lot=1, **CutDecision.actor_fields(OPERATOR)
    )
    note = record_audit(OPERATOR, "event.change", event, club=club)
    bots = PlayerFactory.create_batch(2, club=club, strategy="simple")
    schedule = BotSchedule.objects.create(
        club=club,
        name="Exhibitions",
        bot_a=bots[0],
        bot_b=bots[1],
        rules=event.rules,
        starts_at=timezone.now(),
    )
    (shown,) = plant_exhibitions(schedule)
    return House(
        club,
        {
            "club": club,
            "season": SeasonFactory.create(club=club),
            "pyramid": Pyramid.objects.create(club=club, name="Divisions", slug="divisions"),
            "seasontable": SeasonTable.objects.create(club=club, name="x", slug="x", place_points=[3, 1]),
            "player": PlayerFactory.create(club=club),
            "clubrules": club.house_rules.get(),
            "botschedule": schedule,
            "exhibition": Exhibition.objects.get(sheet=shown.sheet),
            "event": event,
            "entry": match.entry_a,
            "entryrequest": EntryRequest.objects.create(
                event=event, player=PlayerFactory.create(club=club), state=RequestState.WAITING, position=1
            ),
            "round": match.round,
            "tie": Tie.objects.create(
                event=event, number=1, part="final", level=1, stage=1, round=match.round
            ),
            "match": match,
            "adjustment": adjustment,
            "cutdecision": decision,
            "forbiddenpair": apart,
            "auditentry": note,
            "scoresheet": match.sheet,
            "botmatch": shown,
            "importbatch": ImportBatch.objects.create(
                club=club,
                event=event,
                event_name=event.name,
                file_name="night.csv",
                hands=0,
                deals=0,
                sheets=0,
                **ImportBatch.actor_fields(OPERATOR),
            ),
        },
    )
