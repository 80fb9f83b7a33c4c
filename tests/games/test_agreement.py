"""How far choices agree with `expert`: what counts, and with which errors; of members, and of bots."""

import json
from math import sqrt

import pytest

from games.arena.choices import ShippedChoices, shipped_choices, usual_choices
from games.arena.shipped import Circumstances, shipped
from games.bots import STRATEGIES, HouseBot, house_bot
from games.bots.appraising import Appraisal, ChoiceKind, Option
from games.bots.policies import DIGEST
from games.gin.actions import Action
from games.models import HandReport, TableMatch
from games.services import agreement_of, conduct
from games.services.conduct import LEAST_FORMER, MOST_FORMER
from games.tables.agreement import Agreement
from tests.games.member_tables import member
from tests.games.test_reports_on_hands import BLUNDER, played, reported

KING, SEVEN = Action.parse("discard KH"), Action.parse("discard 7S")


def choice(cost: float = 0.0, *, points: tuple[float, ...] = (3.0, 0.0)) -> Appraisal:
    """A discard among options that are worth these points; where it costs nothing, nothing was better."""
    options = tuple([Option(KING, one, 10) for one in points])
    return Appraisal(ChoiceKind.DISCARD, SEVEN, KING if cost else None, cost, 0.1, options)


def test_only_choices_at_which_something_was_at_stake_count() -> None:
    """Not where nothing was to choose, one option came into question, or the options are worth the same."""
    found = Agreement.of(
        [None, choice(points=()), choice(points=(2.0,)), choice(points=(2.0, 1.2)), choice(), choice(2.0)]
    )
    assert (found.choices, found.agreed, found.share, found.mean_cost) == (2, 1, 0.5, 1.0)


def test_choices_in_other_games_are_not_weighed_by_expert_and_do_not_count() -> None:
    assert Agreement.of([choice(2.0)._replace(game="jersey"), choice(2.0)]).choices == 1


def test_a_choice_of_exactly_one_point_counts() -> None:
    assert Agreement.of([choice(points=(1.0, 0.0))]).choices == 1


def test_the_errors_are_those_of_the_mean_and_of_the_share_after_adding_four() -> None:
    """Costs of 0, 0, 2, 6: the mean 2, its error √((4 + 4 + 0 + 16) / 3 / 4). 2 of 4 agree, with 4 more ½."""
    found = Agreement.of([choice(), choice(), choice(2.0), choice(6.0)])
    assert found.mean_cost == 2
    assert found.cost_error == pytest.approx(sqrt(24 / 3 / 4))
    assert found.share_error == pytest.approx(sqrt(0.25 / 8))


def test_few_choices_that_all_agree_are_not_without_error() -> None:
    """Of 4 that agree 6 of 8 after adding: √(¾ · ¼ / 8). One choice has no error of its cost."""
    assert Agreement.of([choice()] * 4).share_error == pytest.approx(sqrt(0.75 * 0.25 / 8))
    assert Agreement.of([choice(2.0)]).cost_error is None


def test_two_halves_are_the_whole() -> None:
    choices = [choice(), choice(1.5), choice(-0.25), choice(4.0)]
    assert Agreement.of(choices[:1]) + Agreement.of(choices[1:]) == Agreement.of(choices)


# -- of members ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_director_is_told_sums_only_when_play_is_over() -> None:
    match = played(member(), member(), hands=2)
    reported(match, deal=1)
    reported(match, deal=2, appraisal=BLUNDER._replace(better=None, cost=0.0))
    first, second = conduct(match)
    assert (first.agreement, first.unweighed, second.agreement) == (None, 0, None)
    assert agreement_of(match, 0) is None
    over(match)
    first, second = conduct(match)
    assert first.agreement is not None
    assert (first.agreement.choices, first.agreement.agreed, first.agreement.cost) == (2, 1, 4.25)
    assert (first.unweighed, second.unweighed, second.agreement) == (0, 2, None)


@pytest.mark.django_db
def test_what_a_member_usually_does_is_told_from_five_matches_on() -> None:
    """Those that are over and began before; not those of others, nor what is not among the former."""
    ann, bob = member(), member()
    earlier = [played(ann, bob) for _match in range(LEAST_FORMER)]
    for match in earlier:
        reported(match, seat=0)
        over(match)
    now, later = played(ann, bob), played(ann, bob)
    for match in (now, later):
        reported(match, seat=0, appraisal=BLUNDER._replace(better=None, cost=0.0))
        over(match)
    everything = TableMatch.objects.all()
    first, second = conduct(now, everything)
    assert first.former is not None
    assert (first.former.matches, first.former.agreement.choices, first.former.agreement.agreed) == (5, 5, 0)
    assert second.former is None
    assert conduct(now)[0].former is None
    for fewer in (everything.exclude(pk=earlier[0].pk), everything.filter(pk__gte=now.pk)):
        assert conduct(now, fewer)[0].former is None
    TableMatch.objects.filter(pk=earlier[0].pk).update(is_live=True)
    assert conduct(now, everything)[0].former is None


@pytest.mark.django_db
def test_former_matches_are_counted_in_whichever_seat_and_the_latest_alone() -> None:
    ann = member()
    for number in range(MOST_FORMER + 1):
        seats = [ann, house_bot("simple")]
        match = played(*(seats if number % 2 else reversed(seats)))
        reported(match, seat=0 if number % 2 else 1)
        over(match)
    now = played(ann, member())
    over(now)
    former = conduct(now, TableMatch.objects.all())[0].former
    assert former is not None
    assert (former.matches, former.agreement.choices) == (MOST_FORMER, MOST_FORMER)


@pytest.mark.django_db
def test_of_who_is_erased_nothing_is_told() -> None:
    match = played(member(), member())
    reported(match)
    HandReport.objects.update(choices=[])
    over(match)
    assert conduct(match)[0].agreement is None


def over(match: TableMatch) -> None:
    TableMatch.objects.filter(pk=match.pk).update(is_live=False)
    match.refresh_from_db()


# -- of bots ------------------------------------------------------------------------------------------------


@pytest.mark.dear("loads the compiled kernel")
def test_figures_of_a_bot_come_from_the_seed_and_are_read_as_they_were_written() -> None:
    found = usual_choices(house_bot("novice"), 1, 5)
    assert found == usual_choices(house_bot("novice"), 1, 5)
    assert found.agreement.choices > 0
    here = Circumstances("1.2.3", "2026-11-27", 1, "3.11.2", is_compiled=True, policies="a")
    written = ShippedChoices(here, 5, 1, (found,))
    assert ShippedChoices.from_document(json.loads(json.dumps(written.to_document()))) == written


def test_the_program_comes_with_figures_of_every_style_in_the_order_of_their_strength() -> None:
    """Each at its usual level, from enough choices for a share to be known to three in a hundred."""
    found = shipped_choices()
    assert found.circumstances.policies == DIGEST
    usual = {one.name: one for one in found.bots}
    assert {(one.strategy, one.level) for one in found.bots} == {
        (name, HouseBot.of(strategy).level) for name, strategy in STRATEGIES.items()
    }
    assert all(one.agreement.share_error < 0.03 for one in found.bots)
    strongest_first = [one.name for one in shipped().bots if one.name in usual]
    by_cost = sorted(usual, key=lambda name: usual[name].agreement.mean_cost)
    assert by_cost == strongest_first
