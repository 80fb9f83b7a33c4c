"""What directors and members see of annulled results: the form, its preview, the table and its footnote."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.events.annulling import restore_results
from league.events.entries import withdraw_entry
from league.models import Club, Entry, Event, StandingsRequest
from league.pages.printing.standings import standings_pdf
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from tests.factories import OPERATOR
from tests.league.admin_pages import page, text
from tests.league.bracket_play import cup
from tests.league.test_annulling import annul, between, called, league_of, wins
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db

FOOTNOTE = "Ann has withdrawn: all results are annulled and count for nobody."


@pytest.fixture
def five(club: Club) -> Event:
    """Ann has beaten Bob, one of her four matches; Bob has beaten Cid."""
    event = league_of(club, 5)
    wins(event, "Ann", "Bob", 60)
    wins(event, "Bob", "Cid", 30)
    recalculate(event.pk)
    return event


def public(client: Client, event: Event, name: str = "event") -> str:
    return text(client.get(reverse(name, args=[event.club.slug, event.slug])))


def test_director_withdraws_and_annuls_as_the_rule_has_it(owner: Client, five: Event) -> None:
    ann = called(five, "Ann")
    form = text(owner.get(page("entry", ann, "withdraw")))
    said = "1 of its 4 matches is played, less than half: by the usual rule its results are annulled."
    assert said.replace("is played", "are played") in form
    assert re.search(r'<input type="checkbox" name="annul"[^>]* checked', form)
    asked = {"reason": "moved away", "annul": "on"}
    preview = text(owner.post(page("entry", ann, "withdraw"), asked))
    assert "4 matches will count for nobody, whoever won them: " in preview
    assert "Ann v Bob, stopped" in preview or "Bob v Ann, stopped" in preview
    assert "Sheets will stay as they are, open to read, and what was played will stay rated." in preview
    # Bob was fourth with a net of -30, and is first without the match that he lost.
    assert "<td>Bob</td><td>4</td><td>1</td><td>2</td><td>2</td><td>−30</td><td>+55</td>" in preview
    assert "<td>Ann</td><td>1</td><td>–</td><td>2</td><td>–</td><td>+85</td><td>–</td>" in preview
    assert called(five, "Ann").withdrawn_at is None
    done = owner.post(page("entry", ann, "withdraw"), asked | {"_confirm": "1"}, follow=True)
    assert "Ann has withdrawn." in text(done)
    assert called(five, "Ann").annulled_at is not None
    assert "results annulled" in text(owner.get(reverse("admin:league_entry_changelist")))


def test_who_has_withdrawn_is_annulled_and_counts_again(owner: Client, five: Event) -> None:
    withdraw_entry(actor=OPERATOR, entry=called(five, "Ann"), reason="moved away")
    ann = called(five, "Ann")
    offered = text(owner.get(page("entry", ann)))
    assert "Annul all results" in offered
    assert "Let the results count again" not in offered
    data = {"reason": "the rule"}
    assert "by the usual rule its results are annulled" in text(owner.post(page("entry", ann, "annul"), data))
    owner.post(page("entry", ann, "annul"), data | {"_confirm": "1"})
    offered = text(owner.get(page("entry", ann)))
    assert "Annul all results" not in offered
    assert "Take the withdrawal back" not in offered
    back = text(owner.post(page("entry", ann, "restore"), {"reason": "misread"}))
    assert "4 matches will count again: " in back
    assert "<td>Ann</td><td>–</td><td>1</td><td>–</td><td>2</td><td>–</td><td>+85</td>" in back
    done = owner.post(page("entry", ann, "restore"), {"reason": "misread", "_confirm": "1"}, follow=True)
    assert "The results of Ann count again." in text(done)
    assert called(five, "Ann").annulled_at is None


def test_a_knockout_does_not_ask(owner: Client, club: Club) -> None:
    entry = cup(club, 4).entries.all()[0]
    assert "Annul" not in text(owner.get(page("entry", entry, "withdraw")))
    withdraw_entry(actor=OPERATOR, entry=Entry.objects.get(pk=entry.pk), reason="ill")
    assert "Annul" not in text(owner.get(page("entry", entry)))


def test_table_says_who_is_annulled_at_once_and_after(client: Client, five: Event) -> None:
    address = reverse("event", args=[five.club.slug, five.slug])
    before = client.get(address)
    annul(five, "Ann")
    for waits in (True, False):
        assert StandingsRequest.objects.filter(event=five).exists() is waits
        shown = client.get(address, headers={"If-None-Match": before["ETag"]})
        assert shown.status_code == 200
        assert FOOTNOTE in text(shown)
        assert '<span class="chip">withdrawn</span> <span class="chip">annulled</span>' in text(shown)
        recalculate(five.pk)
    assert client.get(address, headers={"If-None-Match": shown["ETag"]}).status_code in (200, 304)
    printed = texts(standings_pdf(five, event_table(five, AS_WRITTEN), AS_WRITTEN, recalculating=False))
    assert FOOTNOTE in printed
    restore_results(actor=OPERATOR, entry=called(five, "Ann"), reason="misread")
    recalculate(five.pk)
    assert "annulled" not in public(client, five)


def test_matches_say_that_they_are_annulled(client: Client, five: Event) -> None:
    match = between(five, "Ann", "Bob")
    annul(five, "Ann")
    recalculate(five.pk)
    address = reverse("match", args=[five.club.slug, five.slug, match.code])
    assert "Annulled, as a side has withdrawn" in text(client.get(address))
    lists = reverse("round", args=[five.club.slug, five.slug, match.round.number])
    assert '<span class="chip">annulled</span>' in text(client.get(lists))
    square = public(client, five, "event_crosstable")
    assert "In brackets: annulled, as a side has withdrawn." in square
    assert "(+85)" in square
    printed = client.get(reverse("crosstable_pdf", args=[five.club.slug, five.slug])).content
    assert "In brackets: annulled, as a side has withdrawn." in " ".join(texts(printed))
    player = called(five, "Ann").players.get()
    shown = text(client.get(reverse("player", args=[five.club.slug, player.code])))
    assert '<span class="chip">annulled</span>' in shown
