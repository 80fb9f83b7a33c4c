"""The demo is removed in one act, with all that is in it and nothing else."""

from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.demo import load_demo
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.models import AuditEntry, Club, Player, Role, WriteCount
from league.people.players import create_player
from league.people.removing_demo import remove_demo
from league.policy import actor_of
from tests.factories import OPERATOR, ClubFactory, MatchFactory, UserFactory, play

pytestmark = pytest.mark.django_db

# What is left on purpose: who removed it, that its matches are gone, for those who follow, and how often
# anything was written.
LEFT = {"league.AuditEntry", "league.Deletion", "league.WriteCount"}


def rows() -> dict[str, set[str]]:
    """All rows of all tables."""
    return {
        model._meta.label: set(map(str, model._base_manager.values_list()))
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and model._meta.label not in LEFT
    }


@pytest.mark.dear("loads the demo")
@pytest.mark.postgresql
def test_all_of_the_demo_goes_and_nothing_else() -> None:
    empty = rows()
    demo = load_demo(progress=False)
    assert demo is not None
    event = demo.events.earliest("pk").pk
    loaded = rows()
    assert len(loaded["scoring.DealVersion"]) > 1000
    play(MatchFactory.create(), 30)
    both = rows()
    beside = {label: both[label] - loaded[label] for label in both}
    assert all(beside[label] for label in ("league.Club", "league.Match", "scoring.DealVersion"))
    entries = set(AuditEntry.objects.exclude(club=demo).values_list("pk", flat=True))
    remove_demo(actor=OPERATOR, club=demo, reason="Seen enough.")
    left = rows()
    assert left == {label: empty[label] | beside[label] for label in both}
    assert not WriteCount.objects.filter(club_id=demo.pk).exists()
    new = AuditEntry.objects.exclude(pk__in=entries)
    assert [(row.action, row.object_name, row.club, row.reason) for row in new] == [
        ("club.remove_demo", str(demo), None, "Seen enough.")
    ]
    # What waited in a queue finds nothing to do.
    recalculate(event)
    assert rows() == left


def test_only_the_demo_is_removed_and_only_by_the_administrator_who_says_why() -> None:
    demo, other = ClubFactory.create(is_demo=True), ClubFactory.create()
    owner = actor_of(UserFactory.create(club=demo, role=Role.OWNER))
    for club, actor, reason, code in (
        (demo, owner, "Over.", "not_allowed"),
        (demo, OPERATOR, " ", "reason_missing"),
        (other, OPERATOR, "Over.", "not_demo"),
    ):
        with pytest.raises(LeagueError) as refused:
            remove_demo(actor=actor, club=club, reason=reason)
        assert refused.value.code == code
    assert Club.objects.count() == 2


def test_what_people_have_entered_goes_only_if_that_is_known(admin_client: Client, admin_user: Any) -> None:
    demo = ClubFactory.create(is_demo=True)
    create_player(actor=actor_of(admin_user), club=demo, name="Ann Real")
    page = reverse("admin:league_club_remove_demo", args=[demo.pk])
    assert page in admin_client.get(reverse("club", args=[demo.slug])).text
    assert page not in Client().get(reverse("club", args=[demo.slug])).text
    said = {"reason": "Over."}
    assert admin_client.post(page, said).status_code == 422
    preview = admin_client.post(page, said | {"knows": "on"})
    assert preview.status_code == 200
    assert "will be removed with all that is in it" in preview.text
    assert Player.objects.filter(club=demo).exists()
    done = admin_client.post(page, said | {"knows": "on", "_confirm": "1"})
    assert (done.status_code, done["Location"]) == (302, reverse("home"))
    assert not Club.objects.exists()
    assert not Player.objects.exists()
    assert AuditEntry.objects.get().action == "club.remove_demo"
