"""What a change stamps as written: what who follows the API hears of."""

import datetime
from collections.abc import Callable
from typing import Any

from django.db import models

from league.models import Club, ClubRules, Entry, Event, Match, Player, Round, Season
from scoring.models import Scoresheet
from tests.clock import next_stamp

FOLLOWED: tuple[type[models.Model], ...] = (
    Club,
    ClubRules,
    Entry,
    Event,
    Match,
    Player,
    Round,
    Season,
    Scoresheet,
)
Stamps = dict[tuple[type[models.Model], int], datetime.datetime]


def stamps() -> Stamps:
    """When each row was written last."""
    rows = {model: model._default_manager.values_list("pk", "updated_at") for model in FOLLOWED}
    return {(model, pk): at for model, pairs in rows.items() for pk, at in pairs}


def told_anew(change: Callable[[], Any]) -> dict[type[models.Model], set[int]]:
    """What is stamped anew by the change, by model; nothing is stamped back."""
    before = stamps()
    next_stamp()
    change()
    told: dict[type[models.Model], set[int]] = {}
    for (model, pk), at in stamps().items():
        assert at >= before.get((model, pk), at)
        if at > before.get((model, pk), at):
            told.setdefault(model, set()).add(pk)
    return told
