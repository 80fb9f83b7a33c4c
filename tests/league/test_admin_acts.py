"""Every act of the admin: all of it is done or nothing is, and who is refused is answered 422."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import RequestFactory

from games.gin.hand import shuffled
from games.models import TableMatch
from games.tables.pack_lists import write_pack_list
from league.acts import Act
from league.admin.acts import ActingAdmin
from league.draws.forfeits import award_forfeit
from league.draws.hall import show_in_hall
from league.draws.matches_by_hand import add_match
from league.draws.releasing import release_round
from league.draws.round_clock import start_clock
from league.draws.round_life import complete_round, draft_round, publish_round
from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.events.entries import enter_players, withdraw_entry
from league.events.evenings import begin_evening, pause_evening, set_evening
from league.matches.line_ups import set_line_up
from league.matches.member_tables import adjourn_for
from league.matches.substitutes import seat_substitute
from league.models import (
    AbsentAt,
    Club,
    CountsWhen,
    Entry,
    EntryRequest,
    Event,
    EventState,
    Exhibition,
    Match,
    PlayedWhere,
    Player,
    RequestState,
    Role,
    Round,
    RoundState,
)
from league.people.erasing import erase_person
from league.people.friendlies import play_bot
from scoring.services import dispute_sheet, stop_sheet, void_sheet
from scoring.services.claims import record_at_table
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    house_rules,
    play,
    sheet_of,
    won,
)
from tests.kept import contents
from tests.league import bot_cases, bracket_cases, ladder_cases, rotation_cases
from tests.league.admin_pages import knobs, page, record
from tests.league.hand_files import HOLLYWOOD, batch_of
from tests.league.table_players import by, member, playing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]

Case = Callable[[], tuple[Model, dict[str, Any]]]


def club_row() -> tuple[Model, dict[str, Any]]:
    return ClubFactory.create(), {
        "username": "new",
        "role": "scorekeeper",
        "make_account": "on",
        "name": "Eve",
    }


def player() -> tuple[Model, dict[str, Any]]:
    drop = EntryFactory.create().players.get()
    return drop, {"keep": PlayerFactory.create(club=drop.club).pk, "reason": "one person"}


def person() -> Player:
    """A player who has played."""
    won_by = MatchFactory.create()
    play(won_by, 40, stopped=True)
    seated: Player = won_by.entry_a.players.get()
    return seated


def erased() -> Player:
    """A player whose person was erased, and is named in a text."""
    player = person()
    MatchFactory.create(event=player.entries.get().event, reasons=[{"said": f"{player.name} had a bye."}])
    erase_person(actor=OPERATOR, player=player)
    player.refresh_from_db()
    return player


def entered() -> Event:
    event: Event = EventFactory.create()
    enter_players(actor=OPERATOR, event=event, players=PlayerFactory.create_batch(3, club=event.club))
    return event


def enter() -> tuple[Model, dict[str, Any]]:
    event = entered()
    return event, {"players": [one.pk for one in PlayerFactory.create_batch(2, club=event.club)]}


def draw() -> tuple[Model, dict[str, Any]]:
    return entered(), {"format": "single", "first_date": "2026-09-03", "days_between": "7"}


def in_state(state: EventState) -> tuple[Model, dict[str, Any]]:
    event = entered()
    Event.objects.filter(pk=event.pk).update(state=state)
    return event, {}


def drawn() -> Event:
    event = entered()
    draw_round_robin(actor=OPERATOR, event=event)
    return event


def swiss() -> Event:
    event = entered()
    Event.objects.filter(pk=event.pk).update(format="swiss")
    event.refresh_from_db()
    return event


def two_of(event: Event) -> dict[str, Any]:
    one, other = event.entries.order_by("pk")[:2]
    return {"one": one.pk, "other": other.pk}


def apart() -> tuple[Model, dict[str, Any]]:
    event = swiss()
    return event, {**two_of(event), "reason": "one car"}


def round_in(state: RoundState, **data: Any) -> tuple[Model, dict[str, Any]]:
    """The first round of a Swiss, brought to a state."""
    round_ = draft_round(actor=OPERATOR, event=swiss())
    if state != RoundState.DRAFTED:
        publish_round(actor=OPERATOR, round_=round_)
    if state == RoundState.COMPLETE:
        complete_round(actor=OPERATOR, round_=round_, reason="x")
    return round_, data


def swap() -> tuple[Model, dict[str, Any]]:
    round_ = draft_round(actor=OPERATOR, event=swiss())
    return round_, two_of(round_.event)


def request(state: RequestState) -> EntryRequest:
    """Who stands second on the list of an event whose director approves entries."""
    event = entered()
    Event.objects.filter(pk=event.pk).update(state=EventState.OPEN, approves_entries=True)
    players = PlayerFactory.create_batch(2, club=event.club)
    rows = [
        EntryRequest.objects.create(event=event, player=one, state=state, position=number)
        for number, one in enumerate(players, start=1)
    ]
    return rows[1]


def points() -> tuple[Model, dict[str, Any]]:
    event = entered()
    return event, {"entry": event.entries.all()[0].pk, "points": "-1", "reason": "late"}


def entry() -> Entry:
    return drawn().entries.all()[0]


def withdrawn(*, annul: bool = False) -> tuple[Model, dict[str, Any]]:
    gone = entry()
    withdraw_entry(actor=OPERATOR, entry=gone, reason="ill", annul=annul)
    return gone, {"reason": "well again"}


def as_written() -> tuple[Model, dict[str, Any]]:
    written = EntryFactory.create(event=EventFactory.create(state=EventState.FINISHED, taken_over=True))
    written.members.all().delete()
    return written, {"player": PlayerFactory.create(club=written.event.club).pk}


def new_match() -> tuple[Model, dict[str, Any]]:
    round_: Round = RoundFactory.create()
    pair = [EntryFactory.create(event=round_.event) for _ in range(2)]
    return round_, {"entry_a": pair[0].pk, "entry_b": pair[1].pk}


def team_match() -> tuple[Match, dict[str, Any]]:
    event = EventFactory.create(team_size=2)
    round_ = RoundFactory.create(event=event)
    sides = []
    for _ in range(2):
        players = PlayerFactory.create_batch(3, club=event.club)
        sides.append(EntryFactory.create(event=event, players=players))
    match = add_match(actor=OPERATOR, round_=round_, entry_a=sides[0], entry_b=sides[1])
    seats = {
        f"seat_{side}_{seat}": member.player_id
        for side, one in enumerate(sides)
        for seat, member in enumerate(one.members.order_by("position")[:2])
    }
    return match, seats


def absent() -> tuple[Match, dict[str, Any]]:
    match, seats = team_match()
    for side in (0, 1):
        players = [Player.objects.get(pk=seats[f"seat_{side}_{seat}"]) for seat in (0, 1)]
        match = set_line_up(actor=OPERATOR, match=match, side=side, players=players)
    stand_in = PlayerFactory.create(club=match.event.club)
    return match, {"absent": seats["seat_0_1"], "substitute": stand_in.pk, **REASON}


def sit_in() -> tuple[Match, dict[str, Any]]:
    event = EventFactory.create(rules=house_rules("online"), played=PlayedWhere.ONLINE)
    Event.objects.update(sits_in=PlayerFactory.create(club=event.club, strategy="simple"))
    match: Match = MatchFactory.create(event=Event.objects.get())
    return match, {"absent": match.entry_a.players.get().pk, **REASON}


def bye_instead() -> tuple[Match, dict[str, Any]]:
    event = entered()
    bot = PlayerFactory.create(club=event.club, strategy="simple")
    Event.objects.update(sits_in=bot, played=PlayedWhere.ONLINE, rules=house_rules("online"))
    draw_round_robin(actor=OPERATOR, event=Event.objects.get())
    match = Match.objects.filter(entry_b=None).order_by("pk")[0]
    return match, REASON


def substitute() -> tuple[Match, dict[str, Any]]:
    made = played()
    stand_in = PlayerFactory.create(club=made.event.club)
    return made, {
        "replaces": made.entry_a.players.get().pk,
        "player": stand_in.pk,
        "from_deal": "3",
        "reason": "",
    }


def unseat() -> tuple[Match, dict[str, Any]]:
    made, data = substitute()
    stand_in = Player.objects.get(pk=data["player"])
    seat_substitute(
        actor=OPERATOR,
        match=made,
        replaces=Player.objects.get(pk=data["replaces"]),
        player=stand_in,
        from_deal=3,
    )
    return made, {"player": stand_in.pk, **REASON}


def listed() -> tuple[Model, dict[str, Any]]:
    event = entered()
    event.club.house_rules.create(rules=event.rules)
    return event, {}


def season_table() -> tuple[Model, dict[str, Any]]:
    club = ClubFactory.create()
    table = club.season_tables.create(name="Year", slug="year", place_points=[3, 1])
    return table, {"place_points": "6 4", "best": "2"}


def pyramid() -> tuple[Model, dict[str, Any]]:
    event = EventFactory.create(state=EventState.FINISHED)
    over, next_one = SeasonFactory.create_batch(2, club=event.club)
    divisions = event.club.pyramids.create(name="Divisions", slug="divisions")
    Event.objects.filter(pk=event.pk).update(pyramid=divisions, level=1, season=over)
    event.club.house_rules.create(rules=event.rules)
    return divisions, {"season_from": over.pk, "season_to": next_one.pk}


def match() -> Match:
    made: Match = MatchFactory.create()
    return made


def forfeited() -> Match:
    return award_forfeit(actor=OPERATOR, match=match(), winner_side=0, reason="left")


def played() -> Match:
    made = match()
    record(made)
    return made


def voided() -> Match:
    made = played()
    void_sheet(actor=OPERATOR, sheet=sheet_of(made), reason="wrong table")
    return made


def online() -> Event:
    """An event of two members that can run itself."""
    event: Event = EventFactory.create(format="swiss", played=PlayedWhere.ONLINE, rounds_planned=1)
    for seed, name in enumerate(("Ann", "Bob"), start=1):
        player = PlayerFactory.create(club=event.club, name=name, user=UserFactory.create(club=event.club))
        EntryFactory.create(event=event, name=name, seed=seed, players=[player])
    return event


def evening(*, begun: bool = False) -> Event:
    event = online()
    set_evening(actor=OPERATOR, event=event, break_minutes=5, wait_minutes=10, absent=AbsentAt.FORFEIT)
    if begun:
        begin_evening(actor=OPERATOR, event=event)
    return event


def paused_evening() -> Event:
    event = evening(begun=True)
    pause_evening(actor=OPERATOR, event=event)
    return event


def timed() -> Round:
    return start_clock(actor=OPERATOR, round_=match().round, minutes=45)


def duplicate_round() -> Round:
    rules = house_rules("online", columns=1, deals=4)
    made: Match = MatchFactory.create(event=EventFactory.create(is_duplicate=True, rules=rules))
    return made.round


def held_night() -> Round:
    made: Match = MatchFactory.create(event=EventFactory.create(holds_results=True))
    return made.round


def ended(**settings: Any) -> Match:
    made: Match = MatchFactory.create(event=EventFactory.create(**settings))
    record(made)
    stop_sheet(actor=OPERATOR, sheet=sheet_of(made))
    made.refresh_from_db()
    return made


def unsigned() -> Match:
    return ended(counts_when=CountsWhen.BOTH_SIGNATURES)


def several() -> tuple[Round, dict[str, Any]]:
    match = unsigned()
    return match.round, {"matches": [f"{match.pk}-{sheet_of(match).version}"], **REASON}


def disputed() -> tuple[Match, dict[str, Any]]:
    made = ended()
    dispute = dispute_sheet(actor=OPERATOR, sheet=sheet_of(made), sentence="Not so.", side=1)
    return made, {"dispute": dispute.pk, **REASON}


def shown_in_hall() -> tuple[Match, dict[str, Any]]:
    match = playing()
    show_in_hall(actor=OPERATOR, match=match)
    return Match.objects.get(pk=match.pk), {}


def adjourned() -> Match:
    match = playing()
    adjourn_for(actor=OPERATOR, match=TableMatch.objects.get(sheet=match.sheet), reason="Tea.")
    return Match.objects.get(pk=match.pk)


def friendly() -> Exhibition:
    """A friendly game of a member against a bot."""
    club = ClubFactory.create()
    ann = member(club, "Ann")
    rules = club.house_rules.create(rules=house_rules()).rules
    table = play_bot(actor=by(ann), club=club, bot="simple", rules=rules)
    return Exhibition.objects.get(sheet=table.sheet_id)


def claimed() -> tuple[Match, dict[str, Any]]:
    made = played()
    assert made.sheet is not None
    first, second = kept_sheet(made.sheet).sides
    other = won(second.name, first.name, 77)
    receipt = record_at_table(actor=OPERATOR, sheet=made.sheet, number=1, deal=other, key="k")
    return made, {"claim": receipt.claim, "take": "1", **REASON}


def clubrules() -> tuple[Model, dict[str, Any]]:
    own = ClubFactory.create().house_rules.create(rules=house_rules())
    return own, {"name": "Newer", **knobs(game_bonus=150)}


def batch() -> tuple[Model, dict[str, Any]]:
    made = batch_of(ClubFactory.create(), HOLLYWOOD)
    return made, {}


def read_by_one(club: Club) -> Club:
    UserFactory.create(club=club, role=Role.MEMBER, email="ann@example.test")
    return club


def read_in_event() -> Event:
    entry = EntryFactory.create()
    reader = UserFactory.create(email="ann@example.test")
    Player.objects.filter(memberships_in_entries__entry=entry).update(user=reader)
    return entry.event


REASON = {"reason": "so it is"}
LETTER = {"subject": "Doors", "text": "They open at seven."}
WON = {"winner": "0", **REASON}

CASES: dict[tuple[str, str], Case] = {
    ("club", "add-member"): club_row,
    ("club", "remove-demo"): lambda: (ClubFactory.create(is_demo=True), REASON),
    ("club", "write"): lambda: (read_by_one(ClubFactory.create()), LETTER),
    ("event", "write"): lambda: (read_in_event(), LETTER),
    ("player", "merge"): player,
    ("player", "shown-as"): lambda: (person(), {"shown_as": "nickname", "nickname": "Captain"}),
    ("player", "erase"): lambda: (person(), {}),
    ("player", "strike"): lambda: (erased(), {}),
    ("clubrules", "next-version"): clubrules,
    ("event", "open"): lambda: in_state(EventState.DRAFT),
    ("event", "to-draft"): lambda: in_state(EventState.OPEN),
    ("event", "start"): lambda: in_state(EventState.OPEN),
    ("event", "finish"): lambda: in_state(EventState.RUNNING),
    ("event", "archive"): lambda: in_state(EventState.FINISHED),
    ("event", "reopen"): lambda: in_state(EventState.FINISHED),
    ("event", "unarchive"): lambda: in_state(EventState.ARCHIVED),
    ("event", "enter"): enter,
    ("event", "seed"): lambda: (entered(), {"by": "lot"}),
    ("event", "draft-again"): listed,
    ("pyramid", "next-season"): pyramid,
    ("seasontable", "make"): season_table,
    ("event", "draw"): draw,
    ("event", "delete-draw"): lambda: (drawn(), {}),
    ("event", "arrange"): lambda: (match().event, {"days": "14"}),
    ("event", "points"): points,
    ("event", "recalculate"): lambda: (drawn(), {}),
    ("entryrequest", "approve"): lambda: (request(RequestState.ASKED), {}),
    ("entryrequest", "decline"): lambda: (request(RequestState.WAITING), REASON),
    ("entryrequest", "move"): lambda: (request(RequestState.WAITING), {"place": "1"}),
    ("entry", "withdraw"): lambda: (entry(), {**REASON, "give_matches": "on"}),
    ("entry", "reinstate"): withdrawn,
    ("entry", "annul"): withdrawn,
    ("entry", "restore"): lambda: withdrawn(annul=True),
    ("entry", "link"): as_written,
    ("event", "pair"): lambda: (swiss(), {"number": "1"}),
    ("event", "keep-apart"): apart,
    ("event", "set-evening"): lambda: (
        online(),
        {"break_minutes": "5", "wait_minutes": "10", "absent": "forfeit"},
    ),
    ("event", "begin-evening"): lambda: (evening(), {}),
    ("event", "pause-evening"): lambda: (evening(begun=True), {}),
    ("event", "resume-evening"): lambda: (paused_evening(), {}),
    ("event", "drop-evening"): lambda: (evening(), {}),
    ("round", "publish"): lambda: round_in(RoundState.DRAFTED),
    ("round", "swap"): swap,
    ("round", "repair"): lambda: round_in(RoundState.PUBLISHED),
    ("round", "complete"): lambda: round_in(RoundState.PUBLISHED, **REASON),
    ("round", "unpublish"): lambda: round_in(RoundState.PUBLISHED),
    ("round", "reopen"): lambda: round_in(RoundState.COMPLETE),
    ("round", "discard"): lambda: round_in(RoundState.PUBLISHED),
    ("round", "add-match"): new_match,
    ("round", "deadline"): lambda: (match().round, {"deadline": "2026-09-30", **REASON}),
    ("match", "line-ups"): team_match,
    ("match", "absent"): absent,
    ("match", "sit-in"): sit_in,
    ("match", "bye-instead"): bye_instead,
    ("match", "substitute"): substitute,
    ("match", "unseat"): unseat,
    ("match", "postpone"): lambda: (match(), {"planned_on": "2026-09-05", "deadline": "", **REASON}),
    ("match", "forfeit"): lambda: (match(), WON),
    ("match", "walkover"): lambda: (match(), WON),
    ("match", "clear"): lambda: (forfeited(), REASON),
    ("match", "void-sheet"): lambda: (played(), REASON),
    ("match", "end-table"): lambda: (playing(), REASON),
    ("match", "show-in-hall"): lambda: (playing(), {}),
    ("match", "hide-in-hall"): shown_in_hall,
    ("match", "warn"): lambda: (playing(), {"seat": "1", **REASON}),
    ("match", "adjourn"): lambda: (playing(), REASON),
    ("match", "let-go-on"): lambda: (adjourned(), {}),
    ("match", "deal-anew"): lambda: (adjourned(), REASON),
    ("match", "new-sheet"): lambda: (voided(), {}),
    ("importbatch", "undo"): batch,
    ("round", "call-time"): lambda: (played().round, {}),
    ("round", "draw-packs"): lambda: (duplicate_round(), {}),
    ("round", "take-packs"): lambda: (
        duplicate_round(),
        {"packs": write_pack_list([shuffled(1), shuffled(2)])},
    ),
    ("round", "start-clock"): lambda: (match().round, {"minutes": "45"}),
    ("round", "change-clock"): lambda: (timed(), {"way": "more", "minutes": "5"}),
    ("round", "stop-clock"): lambda: (timed(), {}),
    ("round", "confirm"): several,
    ("round", "release"): lambda: (held_night(), {}),
    ("round", "withhold"): lambda: (release_round(actor=OPERATOR, round_=held_night()), {}),
    ("match", "decide-claim"): claimed,
    ("match", "settle"): disputed,
    ("match", "confirm"): lambda: (unsigned(), REASON),
    ("event", "draw-bracket"): bracket_cases.bracket,
    ("event", "draw-groups"): bracket_cases.groups,
    ("event", "keep-bracket"): bracket_cases.keep,
    ("event", "decide-level"): bracket_cases.level,
    ("cutdecision", "take-back"): bracket_cases.take_back,
    ("event", "challenge"): ladder_cases.to_challenge,
    ("event", "call-off"): ladder_cases.to_call_off,
    ("event", "away"): ladder_cases.to_note,
    ("event", "end-absence"): ladder_cases.to_end,
    ("event", "draw-movement"): rotation_cases.undrawn,
    ("event", "draw-rest"): rotation_cases.drawn,
    ("match", "let-bots-play"): lambda: (bot_cases.bot_match(), {}),
    ("match", "cancel-bots"): lambda: (bot_cases.planted(), REASON),
    ("round", "let-bots-play"): bot_cases.round_of_bots,
    ("round", "cancel-bots"): lambda: bot_cases.round_of_bots(planted=True),
    ("botschedule", "plant-now"): lambda: (bot_cases.pair_schedule(), {}),
    ("exhibition", "cancel-bots"): bot_cases.exhibition,
    ("exhibition", "end-play"): lambda: (friendly(), REASON),
    ("botmatch", "cancel-bots"): lambda: (bot_cases.of(bot_cases.planted()), REASON),
    ("botmatch", "try-again"): lambda: (bot_cases.left_alone(), {}),
    ("tie", "decide"): bracket_cases.decide,
    ("tie", "clear"): bracket_cases.clear,
    ("tie", "confirm-change"): bracket_cases.change,
}


@dataclass
class Registered:
    admin: ActingAdmin[Any]
    act: Act[Any]


def registered() -> dict[tuple[str, str], Registered]:
    return {
        (model._meta.model_name or "", act.slug): Registered(of, act)
        for model, of in admin.site._registry.items()
        if isinstance(of, ActingAdmin)
        for act in of.acts
    }


def test_every_act_is_tried() -> None:
    assert set(CASES) == set(registered())


@pytest.mark.dear("tries every act that can be refused")
@pytest.mark.parametrize(("name", "slug"), CASES)
def test_refused_act_writes_nothing(name: str, slug: str) -> None:
    """Refused after all it does: nothing of what it did is kept. Then the same is done."""
    row, data = CASES[name, slug]()
    found = registered()[name, slug]

    def run_then_refuse(*args: Any) -> str:
        done.append(str(found.act.run(*args)))
        raise LeagueError("refused", "Refused at the very end.")

    done: list[str] = []
    request = RequestFactory().post("/", {**data, "_confirm": "1"})
    request.user = User.objects.create_superuser("root")
    before = contents()
    answer = found.admin.act_view(request, str(row.pk), replace(found.act, run=run_then_refuse))
    assert answer.status_code == 422
    assert "Refused at the very end." in answer.render().content.decode()  # type: ignore[attr-defined]
    assert len(done) == 1, "it was done before it was refused"
    assert contents() == before

    client = logged_in(User.objects.get(username="root"))
    assert client.post(page(name, row, slug.replace("-", "_")), {**data, "_confirm": "1"}).status_code == 302
    assert slug == "recalculate" or contents() != before
