"""When a match counts: at once, signed by one side or both, confirmed by the director; not while disputed."""

import datetime
from typing import Any

import pytest
from django.utils import timezone

from league.core.secrets import new_secret
from league.draws.confirming import confirm_result
from league.errors import LeagueError
from league.events.events import change_event
from league.matches.counting import in_words, waits_for
from league.models import (
    AuditEntry,
    Club,
    CountsWhen,
    Event,
    Match,
    Role,
    StandingsRequest,
    TableLink,
)
from league.policy import actor_at, actor_of
from league.upkeep.rebuilding import check_matches
from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.models import Claim, Signature, SignatureMethod
from scoring.services import (
    accept_difference,
    correct_deals,
    dispute_sheet,
    settle_dispute,
    sign_sheet,
    stop_sheet,
)
from scoring.services.claims import record_at_table, settle_claim, withdraw_claim
from scoring.typing.paper_figures import Paper
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
    sheet_of,
    won,
)
from tests.kept import assert_derived, refused
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def match_in(event: Event) -> Match:
    """Ann against Bob."""
    sides = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob")]
    return MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])


def ended(club: Club, counts_when: CountsWhen, **fields: Any) -> Match:
    """Ann has won by 65 when time was called; nobody has said anything yet."""
    event = EventFactory.create(club=club, counts_when=counts_when, **fields)
    return play(match_in(event), 40, stopped=True)


def at(match: Match, side: int) -> Actor:
    """Whoever holds the link of a side."""
    link = TableLink.objects.create(
        sheet=sheet_of(match),
        side=side,
        digest=new_secret()[1],
        expires_at=timezone.now() + datetime.timedelta(days=1),
        **TableLink.actor_fields(OPERATOR),
    )
    return actor_at(link, match.side_name(side))


def held(match: Match) -> tuple[bool, str]:
    """Whether it is held back, and why."""
    assert_derived(sheet_of(match))
    found = Match.objects.select_related("event", "sheet", "entry_a", "entry_b").get(pk=match.pk)
    return found.held, in_words(waits_for(found, found.sheet))


def sign(match: Match, side: int) -> list[Signature]:
    return sign_sheet(actor=at(match, side), sheet=sheet_of(match))


def test_match_counts_at_once(club: Club) -> None:
    assert held(ended(club, CountsWhen.AT_ONCE)) == (False, "")


def test_match_counts_when_one_side_has_signed(club: Club) -> None:
    match = ended(club, CountsWhen.ONE_SIGNATURE)
    assert held(match) == (True, "it waits for a signature")
    StandingsRequest.objects.all().delete()
    sign(match, 1)
    assert held(match) == (False, "")
    assert StandingsRequest.objects.get().event == match.event


def test_match_counts_when_both_sides_have_signed(club: Club) -> None:
    match = ended(club, CountsWhen.BOTH_SIGNATURES)
    assert held(match) == (True, "it waits for both signatures")
    (signature,) = sign(match, 0)
    assert (signature.side, signature.method, signature.actor_name) == (0, SignatureMethod.OWN, "Ann")
    assert held(match) == (True, "it waits for a signature")
    assert sign(match, 0) == [], "one side cannot countersign itself"
    sign(match, 1)
    assert held(match) == (False, "")


def test_signatures_lapse_with_a_correction(club: Club) -> None:
    match = ended(club, CountsWhen.BOTH_SIGNATURES)
    sign_sheet(actor=OPERATOR, sheet=sheet_of(match))
    assert held(match)[0] is False
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes={1: won("Bob", "Ann", 40)}, reason="Bob's")
    assert held(match) == (True, "it waits for both signatures")


def test_side_signs_for_itself_only(club: Club) -> None:
    match = ended(club, CountsWhen.BOTH_SIGNATURES)
    ann = at(match, 0)
    with refused("not_your_side", field="side"):
        sign_sheet(actor=ann, sheet=sheet_of(match), sides=[0, 1])
    with refused("not_your_side", field="side"):
        dispute_sheet(actor=ann, sheet=sheet_of(match), sentence="Bob says no.", side=1)
    (own,) = sign_sheet(actor=ann, sheet=sheet_of(match), method=SignatureMethod.PAPER)
    assert own.method == SignatureMethod.OWN


def test_player_with_an_account_signs_his_side(club: Club) -> None:
    match = ended(club, CountsWhen.ONE_SIGNATURE)
    bob = match.entry_b.players.get()  # type: ignore[union-attr]
    bob.user = UserFactory.create()
    bob.save()
    (signature,) = sign_sheet(actor=actor_of(bob.user), sheet=sheet_of(match))
    assert (signature.side, signature.method) == (1, SignatureMethod.OWN)
    with refuses(RecordingError, "not_allowed"):
        sign_sheet(actor=actor_of(UserFactory.create()), sheet=sheet_of(match))


def test_scorekeeper_who_plays_signs_his_side_and_attests_the_paper_for_both(club: Club) -> None:
    match = ended(club, CountsWhen.BOTH_SIGNATURES)
    ann = match.entry_a.players.get()
    ann.user = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    ann.save()
    actor = actor_of(ann.user)
    with refused("not_your_side", field="side"):
        sign_sheet(actor=actor, sheet=sheet_of(match), sides=[0, 1])
    (own,) = sign_sheet(actor=actor, sheet=sheet_of(match))
    assert (own.side, own.method) == (0, SignatureMethod.OWN)
    assert held(match) == (True, "it waits for a signature")
    (other,) = sign_sheet(actor=actor, sheet=sheet_of(match), method=SignatureMethod.PAPER)
    assert (other.side, other.method) == (1, SignatureMethod.PAPER)
    assert held(match) == (False, "")


@pytest.mark.parametrize("take", [True, False])
def test_match_of_two_entries_counts_when_the_director_has_decided(
    club: Club, director: Actor, take: bool
) -> None:
    match = ended(club, CountsWhen.AT_ONCE)
    other = won("Bob", "Ann", 40)
    StandingsRequest.objects.all().delete()
    record_at_table(actor=at(match, 1), sheet=sheet_of(match), number=1, deal=other, key="other")
    assert held(match) == (True, "a deal was entered in two ways")
    assert StandingsRequest.objects.get().event == match.event
    assert not list(check_matches(match.event, {}))
    with refuses(LeagueError, "claimed"):
        confirm_result(actor=director, match=match, reason="Nevertheless")
    StandingsRequest.objects.all().delete()
    settle_claim(actor=director, claim=Claim.objects.get(), take=take, reason="Both say so.")
    assert held(match) == (False, "")
    match.refresh_from_db()
    assert (match.winner_side, match.net > 0) == ((1, False) if take else (0, True))
    assert StandingsRequest.objects.get().event == match.event
    assert not list(check_matches(match.event, {}))


def test_match_counts_when_the_other_entry_is_taken_back(club: Club, director: Actor) -> None:
    match = ended(club, CountsWhen.AT_ONCE)
    bob, other = at(match, 1), won("Bob", "Ann", 40)
    record_at_table(actor=bob, sheet=sheet_of(match), number=1, deal=other, key="other")
    assert held(match) == (True, "a deal was entered in two ways")
    StandingsRequest.objects.all().delete()
    withdraw_claim(actor=bob, claim=Claim.objects.get())
    assert held(match) == (False, "")
    assert StandingsRequest.objects.get().event == match.event


def test_entry_that_came_before_the_end_holds_the_match_back(club: Club, director: Actor) -> None:
    match = play(match_in(EventFactory.create(club=club, counts_when=CountsWhen.AT_ONCE)), 40)
    other = won("Bob", "Ann", 40)
    record_at_table(actor=at(match, 1), sheet=sheet_of(match), number=1, deal=other, key="other")
    assert held(match) == (False, "")
    stop_sheet(actor=director, sheet=sheet_of(match))
    assert held(match) == (True, "a deal was entered in two ways")


def test_disputed_match_counts_when_that_is_settled(club: Club, director: Actor) -> None:
    match = ended(club, CountsWhen.AT_ONCE)
    dispute = dispute_sheet(actor=at(match, 1), sheet=sheet_of(match), sentence="I won the last hand.")
    assert (dispute.side, held(match)) == (1, (True, "it is disputed"))
    with refuses(RecordingError, "not_allowed"):
        settle_dispute(actor=at(match, 0), dispute=dispute, reason="He did not.")
    settle_dispute(actor=director, dispute=dispute, reason="The cards say he did not.")
    assert held(match) == (False, "")


def test_side_takes_its_own_dispute_back(club: Club) -> None:
    match = ended(club, CountsWhen.AT_ONCE)
    bob = at(match, 1)
    dispute = dispute_sheet(actor=bob, sheet=sheet_of(match), sentence="I won the last hand.")
    settle_dispute(actor=bob, dispute=dispute, reason="I did not.")
    assert held(match) == (False, "")


def test_bots_need_not_sign(club: Club) -> None:
    event = EventFactory.create(club=club, counts_when=CountsWhen.BOTH_SIGNATURES)
    bot = PlayerFactory.create(club=club, name="Basil", strategy="expert")
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann"),
        entry_b=EntryFactory.create(event=event, name="Basil", players=[bot]),
    )
    play(match, 40, stopped=True)
    assert held(match) == (True, "it waits for a signature")
    sign(match, 0)
    assert held(match) == (False, "")


def test_side_of_a_person_and_a_bot_signs(club: Club) -> None:
    event = EventFactory.create(
        club=club, format="rotation", team_size=2, counts_when=CountsWhen.BOTH_SIGNATURES
    )
    bot = PlayerFactory.create(club=club, name="Basil", strategy="expert")
    basil = EntryFactory.create(event=event, name="Basil", players=[bot])
    ann, bob, cid = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid"))
    match = MatchFactory.create(event=event, entry_a=ann, partner_a=bob, entry_b=cid, partner_b=basil)
    play(match, 40, stopped=True)
    assert held(match) == (True, "it waits for both signatures")
    sign(match, 0)
    assert held(match) == (True, "it waits for a signature")
    sign(match, 1)
    assert held(match) == (False, "")


def test_director_confirms(club: Club, director: Actor) -> None:
    match = ended(club, CountsWhen.DIRECTOR)
    sign_sheet(actor=OPERATOR, sheet=sheet_of(match))
    assert held(match) == (True, "it waits for the director")
    StandingsRequest.objects.all().delete()
    confirm_result(actor=director, match=match)
    assert held(match) == (False, "")
    assert StandingsRequest.objects.get().event == match.event
    note = AuditEntry.objects.get(action="match.confirm")
    assert (note.before, note.after, note.reason) == (
        {"held": True, "waits": ["it waits for the director"]},
        {"held": False, "version": 1},
        "",
    )
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes={1: won("Bob", "Ann", 40)}, reason="Bob's")
    assert held(match) == (True, "it waits for the director"), "what was confirmed was another version"


def test_director_overrides_missing_signatures_with_a_reason(club: Club, director: Actor) -> None:
    match = ended(club, CountsWhen.BOTH_SIGNATURES)
    with refuses(LeagueError, "reason_missing", field="reason"):
        confirm_result(actor=director, match=match)
    confirm_result(actor=director, match=match, reason="They have gone home.")
    assert held(match) == (False, "")
    note = AuditEntry.objects.get(action="match.confirm")
    assert (note.reason, note.before) == (
        "They have gone home.",
        {"held": True, "waits": ["it waits for both signatures"]},
    )


def test_confirmation_is_refused(club: Club, director: Actor) -> None:
    match = ended(club, CountsWhen.DIRECTOR)

    def code(actor: Actor = director) -> str:
        with pytest.raises(LeagueError) as refusal:
            confirm_result(actor=actor, match=match, reason="why not")
        return refusal.value.code

    assert code(actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))) == "not_allowed"
    correct_deals(
        actor=OPERATOR, sheet=sheet_of(match), changes={}, paper=Paper(net=60), reason="60 on paper"
    )
    assert code() == "paper_differs"
    accept_difference(actor=OPERATOR, sheet=sheet_of(match), reason="added wrongly")
    dispute = dispute_sheet(actor=OPERATOR, sheet=sheet_of(match), sentence="Not so.", side=0)
    assert code() == "disputed"
    settle_dispute(actor=director, dispute=dispute, reason="It is so.")
    confirm_result(actor=director, match=match, reason="")
    assert code() == "nothing_changed"
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes={}, stopped=False, reason="they play on")
    assert code() == "sheet_open"


def test_matches_are_asked_again_when_the_setting_changes(club: Club, director: Actor) -> None:
    match = ended(club, CountsWhen.AT_ONCE)
    cid, dan = (EntryFactory.create(event=match.event, name=name) for name in ("Cid", "Dan"))
    still = play(MatchFactory.create(event=match.event, entry_a=cid, entry_b=dan), 5)
    event = change_event(actor=director, event=match.event, counts_when=CountsWhen.BOTH_SIGNATURES)
    assert held(match) == (True, "it waits for both signatures")
    sign(match, 0)
    change_event(actor=director, event=event, counts_when=CountsWhen.ONE_SIGNATURE)
    assert held(match) == (False, "")
    assert held(still) == (False, "")
