"""The tray of a night, and the way to it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.entry.tray import TrayState, tray_of
from league.models import Match
from tests.entry_drafts import FINISHED, draft_of, echo, save
from tests.factories import MatchFactory

pytestmark = pytest.mark.django_db


def test_tray_shows_where_each_sheet_stands(signed_in: Client, match: Match, keeper: User) -> None:
    event, round_ = match.event, match.round
    others = [MatchFactory.create(event=event, round=round_) for _ in range(5)]
    MatchFactory.create(event=event, round=round_, entry_b=None)
    save(signed_in, match, draft_of(*FINISHED))
    save(signed_in, others[0], draft_of(*FINISHED, signed=True))
    save(signed_in, others[1], draft_of(*FINISHED, paper={"net": "b 3"}))
    save(signed_in, others[2], draft_of("a5"))
    echo(signed_in, others[3], draft_of("a5", "b6"))
    found = tray_of(round_)
    states = [row.state for row in found.rows]
    assert states == [
        TrayState.COMPLETE,
        TrayState.SIGNED,
        TrayState.DIFFERS,
        TrayState.BEGUN,
        TrayState.TYPING,
        TrayState.MISSING,
        TrayState.AWARDED,
    ]
    assert (found.done, len(found.expected), found.position(others[0])) == (2, 6, 2)
    following = found.next_after(match)
    assert following is not None
    assert following.match == others[2]
    page = signed_in.get(reverse("entry:tray", args=[round_.code])).content.decode()
    assert ("bye", 1) in found.counts
    for text in ("2 of 6", "bea", "2 rows", "1 bye", "signed on paper", "differs from the paper"):
        assert text in page


def test_tray_goes_on_at_the_top_after_the_last(signed_in: Client, match: Match) -> None:
    last = MatchFactory.create(event=match.event, round=match.round)
    following = tray_of(match.round).next_after(last)
    assert following is not None
    assert following.match == match
    save(signed_in, match, draft_of(*FINISHED))
    assert tray_of(match.round).next_after(last) is None


def test_tray_when_a_match_has_no_sheet_links_to_its_line_up(signed_in: Client, match: Match) -> None:
    Match.objects.update(sheet=None)
    page = signed_in.get(reverse("entry:tray", args=[match.round.code])).content.decode()
    assert "no line-up yet" in page
    assert signed_in.get(reverse("entry:sheet", args=[match.code])).status_code == 302


def test_tray_costs_the_same_for_more_matches(
    signed_in: Client, match: Match, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for _ in range(12):
        MatchFactory.create(event=match.event, round=match.round)
    with django_assert_max_num_queries(14):
        signed_in.get(reverse("entry:tray", args=[match.round.code]))


def test_note_of_who_types_goes_with_the_save(signed_in: Client, match: Match) -> None:
    echo(signed_in, match, draft_of("a5"))
    assert tray_of(match.round).rows[0].state is TrayState.TYPING
    save(signed_in, match, draft_of("a5"))
    echo(signed_in, match, draft_of("a5"))
    assert tray_of(match.round).rows[0].state is TrayState.BEGUN
