"""How one plays: the lines of what choices cost, who sees them, who has hands weighed, and what is erased."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.bots import house_bot
from games.models import HandReport, TableMatch
from games.services import waking
from league import tasks
from league.core.pictures.cost_line import WINDOW, Costs, cost_line
from league.models import Player
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.policy import ClubPolicy, actor_of
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, MatchFactory, PlayerFactory, UserFactory, sheet_of
from tests.games.bot_matches import blank_sheet
from tests.games.test_reports_on_hands import played, reported
from tests.league.table_players import play_on, playing

pytestmark = pytest.mark.django_db


def test_the_line_is_the_mean_of_the_latest_matches_and_dots_are_matches() -> None:
    """Six matches of one choice each that cost 5, 0 … 0: the last line's end has forgotten the first."""
    costs = [Costs(1, 5.0), *[Costs(1, 0.0)] * (WINDOW - 1), Costs(2, 2.0)]
    line = cost_line(costs, width=340, height=190)
    assert line is not None
    # Five matches before the end: four free choices, and two that cost one each.
    assert line.last_figure == pytest.approx(2 / 6)
    assert len(line.dots) == len(line.points.split()) == len(costs)
    heights = [level.at for level in line.levels]
    assert line.levels[0].points == 0
    assert heights == sorted(heights, reverse=True)
    assert line.levels[-1].points >= 5
    # All that is drawn is within the frame.
    assert all(line.left <= x <= line.right and heights[-1] <= y <= heights[0] for x, y in line.dots)


def test_no_line_of_one_match_and_no_dot_without_a_choice() -> None:
    assert cost_line([], width=340, height=190) is None
    assert cost_line([Costs(3, 2.0), Costs(0, 0.0)], width=340, height=190) is None
    line = cost_line([Costs(3, 2.0), Costs(0, 0.0), Costs(1, -0.5)], width=340, height=190)
    assert line is not None
    assert len(line.dots) == 2
    # What chance put below nothing is nothing.
    assert Costs(1, -0.5).mean == 0


def test_everybody_sees_how_he_plays_himself() -> None:
    ann, bob = UserFactory.create(is_superuser=True), UserFactory.create()
    for _match in range(2):
        reported(played(actor_of(ann), house_bot("simple")))
    page = reverse("own_play")
    for user, told in ((ann, "4.25"), (bob, "Nothing was weighed yet.")):
        client = logged_in(user)
        answer = client.get(page)
        assert told in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]
    assert Client().get(page).status_code == 302


def test_what_choices_cost_is_in_ones_own_data_and_goes_with_an_erasure() -> None:
    club = ClubFactory.create()
    user = UserFactory.create()
    player = PlayerFactory.create(club=club, user=user)
    match = played(actor_of(UserFactory.create(is_superuser=True)), house_bot("simple"))
    match.seats.filter(number=0).update(account=user)
    report = reported(match)
    (seat,) = own_data(user)["seats_at_tables"]
    assert seat["choices_weighed"] == [{"deal": 1, "choices": report.choices}]
    erase_person(actor=OPERATOR, player=player)
    report.refresh_from_db()
    assert (report.choices, report.discards, report.discard_cost) == ([], 0, 0)


def test_ones_own_data_tell_no_costs_while_one_plays_a_member() -> None:
    user = UserFactory.create(is_superuser=True)
    match = played(actor_of(user), actor_of(UserFactory.create(is_superuser=True)))
    report = reported(match)
    (seat,) = own_data(user)["seats_at_tables"]
    assert (seat["choices_weighed"], seat["choices_added_up"]) == ([], None)
    TableMatch.objects.update(is_live=False)
    (seat,) = own_data(user)["seats_at_tables"]
    assert seat["choices_weighed"] == [{"deal": 1, "choices": report.choices}]
    assert seat["choices_added_up"] == {"choices": 1, "share": 0.0, "mean_cost": 4.25}


def test_a_worker_is_called_once_the_hand_is_committed_and_again_by_the_sweep(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(waking, "send_task", lambda *asked: sent.append(asked))
    playing()
    online = TableMatch.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        play_on(online, *Player.objects.order_by("pk"))
        assert sent == []
    over = list(online.hands.filter(is_over=True).order_by("pk").values_list("pk", flat=True))
    assert [asked for asked in sent if asked[0] == "games.tasks.report_hand"] == [
        ("games.tasks.report_hand", pk) for pk in over
    ]
    called: list[int] = []
    monkeypatch.setattr("league.tasks.report_hand.delay", called.append)
    tasks.sweep()
    assert called == over
    for pk in over:
        HandReport.objects.bulk_create([HandReport(hand_id=pk, seat=seat) for seat in (0, 1)])
    tasks.sweep()
    assert called == over


def test_only_the_matches_of_events_count() -> None:
    match = MatchFactory.create()
    assert ClubPolicy().counts(sheet_of(match))
    assert not ClubPolicy().counts(blank_sheet())
