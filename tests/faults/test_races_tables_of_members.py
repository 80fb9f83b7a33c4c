"""Several at once with one table: one acts on a version, one action is carried out once, one begins."""

from collections.abc import Callable
from functools import partial

import pytest

from games.bots import house_bot
from games.errors import GameError
from games.models import TableAct, TableMatch
from games.services import ActionAnswer, act, open_table, table_state
from league.draws.online import play_online
from league.draws.packs import draw_packs
from league.draws.round_life import complete_round
from league.matches.member_tables import begin_table
from league.models import Exhibition, Match, PlayedWhere, Role, Round, RoundPacks, persons_of
from league.policy import actor_of
from scoring.services import open_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    house_rules,
)
from tests.faults.threads import at_once
from tests.games.bot_matches import ANN_AND_BOB, blank_sheet
from tests.games.member_tables import member
from tests.games.test_tables_of_teams import Teams
from tests.league.table_players import by
from tests.league.table_players import member as club_member
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 6


def test_one_of_many_acts_on_a_version_and_the_same_key_is_carried_out_once() -> None:
    ann = member()
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")})

    def sent(version: int, action: str, key: str) -> ActionAnswer | str:
        try:
            return act(actor=ann, match=match, seat=0, version=version, action=action, key=key)
        except GameError as refusal:
            return refusal.code

    for _ in range(5):
        told = table_state(actor=ann, match=match, seat=0)
        version, action = told["version"], told["hand"]["legal"][0]
        keys = [f"{version} {number}" for number in range(MANY)]
        answers = at_once([partial(sent, version, action, key) for key in keys])
        assert sorted(map(str, answers)) == sorted(
            [str(ActionAnswer(version + 1)), *["stale_version"] * (MANY - 1)]
        )

        told = table_state(actor=ann, match=match, seat=0)
        version, action = told["version"], told["hand"]["legal"][0]
        answers = at_once([partial(sent, version, action, f"{version}")] * MANY)
        repeated = [one.repeated for one in answers if isinstance(one, ActionAnswer)]
        assert sorted(repeated) == [False, *[True] * (MANY - 1)]
        assert {one.version for one in answers if isinstance(one, ActionAnswer)} == {version + 1}
    assert TableAct.objects.filter(match=match).count() == 10
    assert TableMatch.objects.get().version == 11


def test_hands_of_teams_that_are_acted_in_at_once_do_not_refuse_each_other() -> None:
    """All who are to move send at once, on the version that all have read; each is carried out."""
    teams = Teams()
    for number in range(3):
        version = TableMatch.objects.get().version
        turns = [teams.turn(hand) for hand in teams.live()]
        actions = [teams.told(seat)["hand"]["legal"][0] for seat in turns]

        def sent(seat: int, action: str, *, version: int = version, key: str = f"{number}") -> ActionAnswer:
            actor = teams.members[seat]
            return act(
                actor=actor, match=teams.match, seat=seat, version=version, action=action, key=f"{key} {seat}"
            )

        answers = at_once([partial(sent, *each) for each in zip(turns, actions, strict=True)])
        versions = [one.version for one in answers if isinstance(one, ActionAnswer)]
        assert sorted(versions) == [version + 1, version + 2]
    assert TableAct.objects.count() == 6


def test_one_of_many_begins_a_table_on_a_sheet() -> None:
    sheet, ann, simple = blank_sheet(), member(), house_bot("simple")

    def begin() -> str:
        try:
            return open_table(sheet=sheet, seats={0: ann, 1: simple}).code
        except GameError as refusal:
            return refusal.code

    codes = at_once([begin] * MANY)
    match = TableMatch.objects.get()
    assert sorted(codes) == sorted([match.code, *["already_planned"] * (MANY - 1)])
    assert match.hands.count() == 1


def test_one_key_sent_by_many_at_once_begins_one_table_for_all() -> None:
    club = ClubFactory.create()
    user = UserFactory.create(club=club, role=Role.MEMBER)
    ann = PlayerFactory.create(club=club, name="Ann", user=user)
    sheet = open_sheet(
        actor=OPERATOR, rules=house_rules(columns=1), sides=ANN_AND_BOB, persons=persons_of([ann])
    )
    Exhibition.objects.create(sheet=sheet, club=club)

    def begin() -> str:
        return begin_table(actor=actor_of(user), sheet=sheet, bot="simple", key="once").code

    codes = at_once([begin] * MANY)
    assert set(codes) == {TableMatch.objects.get().code}
    assert TableAct.objects.get().version == 0


def duplicate_round(tables: int) -> tuple[Round, list[Callable[[], object]]]:
    """A round of duplicate on this site, and what opens each of its tables."""
    rules = house_rules(columns=1, deals=4)
    event = EventFactory.create(is_duplicate=True, played=PlayedWhere.ONLINE, rules=rules)
    round_ = RoundFactory.create(event=event)
    opening: list[Callable[[], object]] = []
    for number in range(tables):
        pair = [club_member(event.club, f"{event.pk} {number}{side}") for side in "ab"]
        sides = [EntryFactory.create(event=event, name=one.name, players=[one]) for one in pair]
        match: Match = MatchFactory.create(event=event, round=round_, entry_a=sides[0], entry_b=sides[1])
        opening.append(partial(play_online, actor=by(pair[0]), match=match))
    return round_, opening


def test_tables_of_a_round_that_open_while_packs_are_drawn_have_the_same_packs() -> None:
    """The first draws them unless the director has; after it nobody does."""
    round_, opening = duplicate_round(MANY // 2)
    drawing = partial(draw_packs, actor=OPERATOR, round_=round_)
    calls: list[Callable[[], object]] = [drawing, *opening]
    said = at_once([partial(code_of, call) for call in calls])
    assert said[1:] == ["done"] * (MANY // 2)
    assert said[0] in ("done", "has_begun")
    dealt = TableMatch.objects.values_list("hands__sealed_pack__pack", flat=True)
    assert list(dealt) == [RoundPacks.objects.get().packs[0]] * (MANY // 2)


def test_no_table_opens_in_a_round_that_is_closed_at_that_moment() -> None:
    """Its packs are told then; or the table was first, and the round stays open."""
    for _ in range(3):
        round_, (opening,) = duplicate_round(1)
        draw_packs(actor=OPERATOR, round_=round_)
        closing = partial(complete_round, actor=OPERATOR, round_=round_, reason="late")
        said = at_once([partial(code_of, closing), partial(code_of, opening)])
        assert said in (["done", "wrong_state"], ["packs_in_play", "done"])
