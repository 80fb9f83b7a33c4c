"""Who has won a knockout is held back with its round: on the event's page, elsewhere, and in a season."""

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.brackets import draw_bracket
from league.draws.group_rounds import draw_groups
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.round_life import publish_round
from league.events.entries import withdraw_entry
from league.events.event_life import finish_event
from league.models import Club, Event, Role, Round, Tie, TieDecision
from league.tables.season_tables import create_season_table, season_ranking
from tests.factories import OPERATOR, UserFactory
from tests.league.bracket_play import cup, drawn, match_of, next_round, win
from tests.league.test_group_rounds import play_groups
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club: Club) -> Event:
    """Two groups of two, both go on; the groups are out, and the semifinals are to be played."""
    event = cup(club, 4, format="groups", group_count=2, qualifiers=2, holds_results=True)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    let_out(event)
    publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    return event


def let_out(event: Event) -> None:
    """Every round there is by now is released."""
    for round_ in event.rounds.filter(released_at=None):
        release_round(actor=OPERATOR, round_=round_)
    recalculate(event.pk)


def won_by_first(event: Event, tie: int) -> str:
    """The first side of a tie wins it: its name."""
    name = match_of(event, tie).entry_a.name
    win(event, tie, name)
    return name


def played_out(event: Event) -> str:
    """The semifinals are played and released, the final is played and held back: who has won it."""
    won_by_first(event, 1)
    won_by_first(event, 2)
    let_out(event)
    next_round(event)
    return won_by_first(event, 3)


def page_of(event: Event, name: str, query: str = "", *, role: Role | None = None) -> str:
    """All words of a page of the event, as anybody reads it or somebody with this office."""
    client = Client()
    if role is not None:
        client.force_login(UserFactory.create(club=event.club, role=role))
    answer = client.get(reverse(name, args=[event.club.slug, event.slug]) + query)
    assert answer.status_code == 200
    return " ".join(texts(answer.content)) if name.endswith("pdf") else answer.content.decode()


PAGES = ["event", "event_embed", "event_standings_pdf"]


@pytest.mark.dear("plays a bracket to its end and draws every page")
def test_winner_is_named_once_the_final_is_released(event: Event) -> None:
    winner = played_out(event)
    for page in PAGES:
        for role in (None, Role.MEMBER, Role.DIRECTOR):
            assert "won by" not in page_of(event, page, role=role), (page, role)
    let_out(event)
    for page in PAGES:
        assert f"won by {winner}" in page_of(event, page), page


def test_page_and_print_offer_no_table_of_a_round_that_is_held_back(event: Event) -> None:
    played_out(event)
    address = [event.club.slug, event.slug]
    last = event.rounds.count()
    for name in ("event", "event_standings_pdf"):
        asked = reverse(name, args=address)
        assert Client().get(f"{asked}?round={last}").status_code == 404
        assert "won by" not in page_of(event, name, f"?round={last - 1}")
    choice = f'<option value="{last}"'
    assert choice not in page_of(event, "event")
    let_out(event)
    assert choice in page_of(event, "event")
    for name in ("event", "event_standings_pdf"):
        assert "won by" in page_of(event, name, f"?round={last}")


def test_final_given_away_tells_nothing_of_semifinals_held_back(event: Event) -> None:
    won_by_first(event, 1)
    withdraw_entry(actor=OPERATOR, entry=match_of(event, 1).entry_a, reason="moved away")
    winner = won_by_first(event, 2)
    final = Tie.objects.select_related("winner").get(event=event, part="final")
    assert (str(final.winner), final.decided_by, final.round) == (winner, TieDecision.WALKOVER, None)
    assert not [page for page in PAGES if "won by" in page_of(event, page)]
    let_out(event)
    assert not [page for page in PAGES if f"won by {winner}" not in page_of(event, page)]


def test_season_pays_for_places_that_are_out(event: Event) -> None:
    winner = played_out(event)
    final = match_of(event, 3)
    assert final.entry_b is not None
    loser = final.entry_b.name
    finish_event(actor=OPERATOR, event=event, despite_unfinished=True)
    table = create_season_table(
        actor=OPERATOR, club=event.club, name="Year", slug="year", place_points=[10, 6, 1, 0], events=[event]
    )

    def paid() -> dict[str, object]:
        names = {player.pk: entry.name for entry in event.entries.all() for player in entry.players.all()}
        return {names[line.player.pk]: line.points for line in season_ranking(table).lines}

    # Who plays the final is known: both share what its places are worth.
    assert (paid()[winner], paid()[loser]) == (8, 8)
    release_round(actor=OPERATOR, round_=Round.objects.get(event=event, released_at=None))
    assert (paid()[winner], paid()[loser]) == (10, 6)


def test_table_of_a_plain_knockout_has_no_winner_before_the_final_is_released(club: Club) -> None:
    event = cup(club, 2, holds_results=True)
    drawn(event)
    winner = won_by_first(event, 1)
    assert len({row.metrics["place"] for row in event.standings.all()}) == 1
    let_out(event)
    assert event.standings.get(rank=1).entry.name == winner
