"""What an event's page offers: the next step first, nothing that is only refused, labels to tell apart."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.draws.brackets import draw_bracket
from league.draws.forfeits import award_forfeit
from league.draws.movements import draw_movement
from league.draws.round_life import draft_round, publish_round
from league.models import (
    Club,
    Event,
    EventState,
)
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    SeasonFactory,
    count_table,
    play,
)
from tests.league.admin_pages import page, record, text
from tests.league.bracket_play import cup
from tests.league.ladder_cases import challenge, ladder

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_movements")]


def offered(client: Client, name: str, row: object) -> tuple[str, list[str]]:
    """What is marked as next, and the other acts, by their titles."""
    context = client.get(page(name, row)).context
    first = context["next_link"]
    return "" if first is None else str(first.title), [str(link.title) for link in context["acts"]]


def running(club: Club, format: str, count: int = 4, **values: object) -> Event:
    event: Event = EventFactory.create(club=club, format=format, **values)
    for seed in range(1, count + 1):
        EntryFactory.create(event=event, name=f"Entry {seed}", seed=seed)
    return event


@pytest.mark.parametrize(
    ("format", "first"),
    [
        ("round_robin", "Draw a round robin"),
        ("swiss", "Pair the next round"),
        ("single", "Draw the bracket"),
        ("double", "Draw the bracket"),
        ("groups", "Draw the groups"),
        ("rotation", "Draw the movement"),
    ],
)
def test_first_of_all_an_event_is_drawn(owner: Client, club: Club, format: str, first: str) -> None:
    size = {"team_size": 2} if format == "rotation" else {}
    event = running(club, format, group_count=2, qualifiers=1, **size)
    marked, others = offered(owner, "event", event)
    assert marked == first
    assert first not in others


@pytest.mark.parametrize(
    ("state", "first"),
    [
        (EventState.DRAFT, "Open the entries"),
        (EventState.OPEN, "Start the event"),
        (EventState.FINISHED, "Put it in the archive"),
        (EventState.ARCHIVED, ""),
    ],
)
def test_next_step_of_a_state(owner: Client, club: Club, state: EventState, first: str) -> None:
    event = running(club, "swiss")
    Event.objects.filter(pk=event.pk).update(state=state)
    assert offered(owner, "event", event)[0] == first


def test_next_step_of_a_swiss_from_round_to_round(owner: Client, club: Club) -> None:
    event = cup(club, 4, format="swiss", rounds_planned=1)
    round_ = draft_round(actor=OPERATOR, event=event)
    marked, others = offered(owner, "event", event)
    assert marked == "Round 1"
    assert "Pair the next round" not in others
    assert offered(owner, "round", round_)[0] == "Publish it"
    publish_round(actor=OPERATOR, round_=round_)
    assert offered(owner, "event", event)[0] == "The tray of round 1"
    for match in round_.matches.all():
        play(match, 5)
    marked, others = offered(owner, "event", event)
    assert marked == "Finish the event"
    # All rounds that were planned are paired; seeds have done what they were for.
    assert "Pair the next round" not in others
    assert "Seed the entries" not in others
    assert "Delete the draw" not in others


def test_drawn_bracket_is_drawn_again_and_says_so(owner: Client, club: Club) -> None:
    event = running(club, "single")
    draw_bracket(actor=OPERATOR, event=event)
    marked, others = offered(owner, "event", event)
    assert "Draw the bracket" not in (marked, *others)
    assert "Draw the bracket again" in others
    assert "Draw the bracket again" in text(owner.get(page("event", event, "draw_bracket")))


def test_ladder_is_seeded_until_its_first_challenge_and_counts_no_rounds(owner: Client, club: Club) -> None:
    event = ladder(4, club=club)
    assert "Seed the entries" in offered(owner, "event", event)[1]
    challenge(event, "C", "B")
    assert "Seed the entries" not in offered(owner, "event", event)[1]
    lists = text(owner.get(reverse("admin:league_match_changelist")))
    assert "Harbour Ladder: a challenge" in lists
    assert "round 1" not in lists


def test_archived_event_has_no_acts_on_its_matches(owner: Client, club: Club) -> None:
    event = running(club, "round_robin")
    match = MatchFactory.create(event=event)
    record(match)
    assert offered(owner, "match", match)[1]
    Event.objects.filter(pk=event.pk).update(state=EventState.ARCHIVED)
    assert offered(owner, "match", match)[1] == []


def test_settings_that_need_no_attention_are_folded(owner: Client, club: Club) -> None:
    def folded(address: str) -> list[str]:
        found = re.findall(r"<summary>\s*<h2[^>]*>\s*(.*?)\s*</h2>", text(owner.get(address)))
        return [title for title in found if title]

    usual = ["Play on this site", "Announcement and entries", "The table", "Results"]
    usual += ["Byes, forfeits and absences", "Points"]
    assert folded(reverse("admin:league_event_add")) == usual
    event = running(club, "swiss")
    assert folded(page("event", event)) == usual
    draft_round(actor=OPERATOR, event=event)
    assert folded(page("event", event)) == ["Name and rules", "Format", *usual]


def test_who_has_left_a_movement_stands_in_order_of_the_alphabet(owner: Client, club: Club) -> None:
    event = running(club, "rotation", 8, team_size=2)
    draw_movement(actor=OPERATOR, event=event)
    for seed, name in ((2, "zoe"), (3, "Émile"), (5, "Finn")):
        event.entries.filter(seed=seed).update(name=name, withdrawn_at=timezone.now())
    said = owner.get(page("event", event)).context["next_step"]
    assert "Émile, Finn, zoe have withdrawn and still sit in" in said


def test_who_has_left_a_movement_is_told_with_what_to_do(owner: Client, club: Club) -> None:
    event = running(club, "rotation", 8, team_size=2)
    draw_movement(actor=OPERATOR, event=event)
    gone = event.entries.get(name="Entry 3")
    asked = {"reason": "ill"}
    shown = text(owner.post(page("entry", gone, "withdraw"), asked))
    labels = [match.label for match in event.matches.of_entry(gone).order_by("round__number")]
    assert "redraw the rest of the event" in shown
    assert ", ".join(labels) in shown
    done = owner.post(page("entry", gone, "withdraw"), asked | {"_confirm": "1"}, follow=True)
    assert "Entry 3 has withdrawn." in text(done)
    assert "went to the other side" not in text(done)
    answer = owner.get(page("event", event))
    said = answer.context["next_step"]
    assert f"Entry 3 has withdrawn and still sits in {', '.join(labels)}" in said
    assert offered(owner, "event", event)[0] == "Redraw the rest"
    assert "Pair the next round" not in offered(owner, "event", event)[1]
    # A stray sheet in the last round: the rest is not drawn anew, and nobody comes in.
    last = event.rounds.order_by("-number")[0].matches.exclude(entry_b=None)
    stray = next(match for match in last if gone not in (match.entry_a, match.entry_b, match.partner_a))
    award_forfeit(actor=OPERATOR, match=stray, winner_side=0, reason="left")
    said = owner.get(page("event", event)).context["next_step"]
    assert "name substitutes in the line-ups" in said
    assert "Enter players" not in offered(owner, "event", event)[1]


def test_walkovers_of_who_withdraws_are_counted_in_words(owner: Client, club: Club) -> None:
    event = running(club, "round_robin")
    match = MatchFactory.create(event=event)
    entry = match.entry_a
    data = {"reason": "ill", "give_matches": "on", "_confirm": "1"}
    done = owner.post(page("entry", entry, "withdraw"), data, follow=True)
    assert "has withdrawn; 1 match went to the other side." in text(done)


def test_substitute_on_an_untyped_sheet_is_sent_to_the_line_ups(owner: Client, event: Event) -> None:
    match = MatchFactory.create(event=event)
    where = page("match", match, "substitute")
    assert 'name="from_deal" value="1"' not in text(owner.get(where))
    answer = owner.post(where, {"from_deal": "2"})
    assert answer.status_code == 422
    assert "No deal of this match is recorded yet: set the line-ups instead." in text(answer)


def test_events_of_two_seasons_can_be_told_apart(owner: Client, club: Club) -> None:
    spring = SeasonFactory.create(club=club, name="Spring")
    event = running(club, "swiss", season=spring, name="First Division")
    later = running(club, "swiss", 0, name="Again")
    EntryFactory.create(event=later)
    count_table(event.pk)
    assert "First Division (Spring)" in text(owner.get(page("event", later, "seed")))
    table = club.season_tables.create(name="Year", slug="year", place_points=[3, 1])
    assert "First Division (Spring)" in text(owner.get(page("seasontable", table, "make")))


def test_next_season_is_one_that_comes_after(owner: Client, club: Club) -> None:
    days = {name: datetime.date(2026, month, 1) for name, month in (("A", 1), ("B", 4), ("C", 7))}
    first, second, third = (
        SeasonFactory.create(club=club, name=f"Season {name}", starts_on=day) for name, day in days.items()
    )
    divisions = club.pyramids.create(name="Divisions", slug="divisions")
    event = running(club, "swiss", 0, season=second)
    Event.objects.filter(pk=event.pk).update(pyramid=divisions, level=1)
    offered_seasons = owner.get(page("pyramid", divisions, "next_season")).context["form"].fields["season_to"]
    assert list(offered_seasons.queryset) == [third]
    Event.objects.filter(pk=event.pk).update(season=first)
    other = running(club, "swiss", 0, season=third)
    Event.objects.filter(pk=other.pk).update(pyramid=divisions, level=1)
    data = {"season_from": third.pk, "season_to": second.pk}
    answer = owner.post(page("pyramid", divisions, "next_season"), data)
    assert answer.status_code == 422
    assert "does not come after" in text(answer)
