"""Who may do what while bots play a sheet, what the bots may, and who sees exhibitions."""

from typing import Any

import pytest

from games.bots import house_bot
from games.models import BotMatch
from games.services import cancel_bot_match, plan_bot_match
from league.models import Club, Event, EventState, Exhibition, Match, Role
from league.policy import ClubPolicy, Permission, actor_of, can
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.policy import SheetAction
from scoring.services import correct_deals, open_sheet, record_deals, stop_sheet, void_sheet
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, UserFactory, house_rules, won

pytestmark = pytest.mark.django_db

PAIR = (SheetSide("One", ("One",)), SheetSide("Two", ("Two",)))
IMPORTER = Actor(ActorKind.IMPORT, "1", "An import")


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(is_public=False)


@pytest.fixture
def match(club: Club) -> Match:
    return MatchFactory.create(event=EventFactory.create(club=club))


@pytest.fixture
def bots(match: Match) -> BotMatch:
    assert match.sheet is not None
    return planned(match.sheet)


@pytest.fixture
def exhibition(club: Club) -> BotMatch:
    sheet = open_sheet(actor=OPERATOR, rules=house_rules(), sides=PAIR)
    Exhibition.objects.create(sheet=sheet, club=club)
    return planned(sheet)


def planned(sheet: Scoresheet) -> BotMatch:
    return plan_bot_match(sheet=sheet, bots={number: house_bot("simple") for number in (0, 1)})


def player_of(match: BotMatch) -> Actor:
    return Actor(ActorKind.BOT, match.code, "Bots")


def deal(sheet: Scoresheet) -> dict[str, Any]:
    one, two = sheet.seats.order_by("number").values_list("name", flat=True)
    return {"sheet": sheet, "deals": [won(one, two, 20)]}


def refusal(actor: Actor, sheet: Scoresheet) -> tuple[str, str]:
    with pytest.raises(RecordingError) as refused:
        record_deals(actor=actor, **deal(sheet))
    return refused.value.code, str(refused.value.message)


@pytest.fixture
def people(club: Club) -> dict[str, Actor]:
    users = {role.value: UserFactory.create(club=club, role=role) for role in Role}
    users["administrator"] = UserFactory.create(is_superuser=True)
    return {who: actor_of(user) for who, user in users.items()} | {"operator": OPERATOR, "import": IMPORTER}


@pytest.mark.parametrize("who", ["owner", "director", "scorekeeper", "administrator", "operator", "import"])
def test_nobody_records_while_bots_play(people: dict[str, Actor], bots: BotMatch, who: str) -> None:
    sentence = f"Bots play sheet {bots.sheet.label}; cancel the bot match first."
    assert refusal(people[who], bots.sheet) == ("bots_play", sentence)
    cancel_bot_match(actor=OPERATOR, match=bots, reason="enough")
    assert record_deals(actor=people[who], **deal(bots.sheet)).version == 1


def test_who_may_not_anyway_is_told_that(people: dict[str, Actor], bots: BotMatch) -> None:
    assert refusal(people["member"], bots.sheet)[0] == "not_allowed"
    assert refusal(actor_of(UserFactory.create()), bots.sheet)[0] == "not_allowed"
    Event.objects.update(state=EventState.FINISHED)
    assert refusal(people["director"], bots.sheet)[0] == "not_allowed"


def test_directors_correct_stop_and_void_meanwhile(people: dict[str, Actor], bots: BotMatch) -> None:
    record_deals(actor=player_of(bots), **deal(bots.sheet))
    director = people["director"]
    one, two = bots.sheet.seats.order_by("number").values_list("name", flat=True)
    correct_deals(actor=director, sheet=bots.sheet, changes={1: won(two, one, 20)}, reason="misread")
    stop_sheet(actor=director, sheet=bots.sheet)
    void_sheet(actor=director, sheet=bots.sheet, reason="wrong rules")


def test_bots_record_on_their_own_sheet_and_do_nothing_else(match: Match, bots: BotMatch) -> None:
    other = MatchFactory.create(event=match.event).sheet
    bot = player_of(bots)
    assert ClubPolicy().allows(bot, SheetAction.RECORD, match.sheet)
    assert not ClubPolicy().allows(bot, SheetAction.RECORD, other)
    assert not ClubPolicy().allows(bot, SheetAction.RECORD, None)
    for action in set(SheetAction) - {SheetAction.RECORD}:
        assert not ClubPolicy().allows(bot, action, match.sheet), action
    assert not can(bot, Permission.DIRECT, match.event.club)
    assert not ClubPolicy().visible(bot, Scoresheet.objects.all()).exists()


def test_bots_of_another_match_are_refused(match: Match, bots: BotMatch, exhibition: BotMatch) -> None:
    other = MatchFactory.create(event=match.event)
    assert other.sheet is not None
    planned(other.sheet)
    for sheet in (other.sheet, exhibition.sheet):
        assert refusal(player_of(bots), sheet)[0] == "not_allowed"
    assert refusal(player_of(exhibition), bots.sheet)[0] == "not_allowed"


@pytest.mark.parametrize("state", EventState)
def test_bots_record_where_the_event_takes_deals(match: Match, bots: BotMatch, state: EventState) -> None:
    Event.objects.filter(pk=match.event_id).update(state=state)
    allowed = ClubPolicy().allows(player_of(bots), SheetAction.RECORD, match.sheet)
    assert allowed is (state == EventState.RUNNING)


def test_bots_record_on_exhibitions(exhibition: BotMatch) -> None:
    assert record_deals(actor=player_of(exhibition), **deal(exhibition.sheet)).version == 1


@pytest.mark.parametrize(
    ("who", "may"), [("owner", True), ("director", True), ("scorekeeper", False), ("member", False)]
)
def test_exhibition_is_ended_by_who_directs_its_club(
    people: dict[str, Actor], exhibition: BotMatch, who: str, may: bool
) -> None:
    assert ClubPolicy().allows(people[who], SheetAction.VOID, exhibition.sheet) is may
    elsewhere = actor_of(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    assert not ClubPolicy().allows(elsewhere, SheetAction.VOID, exhibition.sheet)


def test_exhibition_is_seen_by_who_sees_its_club(
    club: Club, people: dict[str, Actor], exhibition: BotMatch
) -> None:
    everything = Scoresheet.objects.all()
    seen = {
        who for who, actor in people.items() if exhibition.sheet in ClubPolicy().visible(actor, everything)
    }
    assert seen == set(people)
    stranger = actor_of(UserFactory.create())
    nobody = Actor(ActorKind.TABLE_LINK, "0", "Nobody")
    assert not ClubPolicy().visible(stranger, everything).exists()
    club.is_public = True
    club.save()
    assert exhibition.sheet in ClubPolicy().visible(stranger, everything)
    assert exhibition.sheet in ClubPolicy().visible(nobody, everything)
