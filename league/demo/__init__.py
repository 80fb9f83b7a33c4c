"""The demo club: two seasons of invented people, events of every format, and house bots.

The seasons are imported from the files beside this module, through the ordinary import; the other events are
played through the services (`events`). So the demo shows nothing that a club could not do.
"""

from pathlib import Path
from typing import Final

from django.db import transaction

from league.demo.events import Progress, play_events
from league.demo.lots import draw_by_names
from league.draws.recalculating import recalculate
from league.events.event_life import finish_event
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.models import Club
from league.people.clubs import create_club
from league.people.removing_demo import DEMO
from league.tables.ratings import recalculate as recalculate_ratings
from scoring.core.rules import Rules

# What `progress` of `load_demo` adds up to.
SHEETS: Final = 300
CLUB_NAME: Final = "Harbour Gin Club"
CLUB_SLUG: Final = "harbour"
TIME_ZONE: Final = "Europe/Copenhagen"

# File, season, rules.
SEASONS: Final = (
    ("hollywood-league.csv", "Autumn 2025", Rules.preset("standard", columns=3, target=100, team_target=125)),
    ("team-league.csv", "Spring 2026", Rules.preset("standard")),
)


def load_demo(*, progress: Progress | None = None) -> Club | None:
    """Create the demo club with both seasons and their tables; returns None if any club exists.

    All or nothing, also when interrupted: therefore the files are read inside the transaction, by exception,
    on a site without users. `progress` is called for sheets that are written, `SHEETS` in all.
    """
    step = progress or (lambda sheets: None)
    with transaction.atomic():
        if Club.objects.exists():
            return None
        club = create_club(actor=DEMO, name=CLUB_NAME, slug=CLUB_SLUG, time_zone=TIME_ZONE, is_demo=True)
        for name, season, rules in SEASONS:
            plan = plan_import(
                club=club,
                data=Path(__file__).with_name(name).read_bytes(),
                file_name=name,
                options=ImportOptions(create=True, rules=rules, season=season),
            )
            batch = apply_import(actor=DEMO, plan=plan, progress=step)
            if batch is not None and batch.event is not None:
                draw_by_names(batch.event)
                recalculate(batch.event.pk)
                finish_event(actor=DEMO, event=batch.event)
        recalculate_ratings(club.pk)
        play_events(actor=DEMO, club=club, progress=step)
    for event in club.events.all():
        recalculate(event.pk)
    recalculate_ratings(club.pk)
    return club
