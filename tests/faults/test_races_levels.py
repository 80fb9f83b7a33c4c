"""Two directors decide at once who comes first of those who are level: one does, the other is told."""

from functools import partial

import pytest

from league.draws.group_rounds import draw_groups
from league.draws.levels import decide_level, undecided
from league.draws.recalculating import recalculate
from league.models import AuditEntry, CutDecision, CutHow, Event
from tests.factories import OPERATOR, ClubFactory, play
from tests.faults.threads import at_once
from tests.league.bracket_play import correct_first_deal, cup
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)


def level_cup() -> Event:
    event = cup(
        ClubFactory.create(), 4, format="groups", group_count=2, qualifiers=1, criteria=["match_points"]
    )
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.select_related("sheet", "event"):
        play(match, stopped=True)
    recalculate(event.pk)
    return event


@pytest.mark.parametrize("how", [CutHow.LOT, CutHow.PLAY_OFF])
def test_one_decision_is_made_and_the_others_are_told(how: CutHow) -> None:
    event = level_cup()
    key = undecided(event)[0].cut.key

    def decide() -> None:
        decide_level(actor=OPERATOR, event=Event.objects.get(pk=event.pk), key=key, how=how)

    assert sorted(at_once([partial(code_of, decide)] * 3)) == ["decided_already", "decided_already", "done"]
    assert CutDecision.objects.count() == 1
    assert AuditEntry.objects.filter(action="level.decide").count() == 1
    assert event.matches.exclude(play_off=None).count() == (how is CutHow.PLAY_OFF)


def test_decision_beside_a_correction_holds_or_is_refused_or_is_void() -> None:
    event = level_cup()
    level = undecided(event)[0]
    match = event.matches.get(entry_a__in=level.cut.entries)

    def decide() -> None:
        found = Event.objects.get(pk=event.pk)
        decide_level(actor=OPERATOR, event=found, key=level.cut.key, how=CutHow.LOT)

    put_right = partial(correct_first_deal, match, match.entry_a.name)
    said = at_once([partial(code_of, decide), partial(code_of, put_right)])
    assert said[0] in ("done", "not_level", "crossed")
    recalculate(event.pk)
    # Whatever came first: they are no longer level, so nothing is asked of them and no decision counts.
    assert all(set(each.cut.entries) != set(level.cut.entries) for each in undecided(event))
