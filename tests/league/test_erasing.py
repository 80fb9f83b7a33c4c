"""Erasing a person: no name is left anywhere in the database, and every figure stays."""

import datetime
import json
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.models import CharField, JSONField, TextField
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import BotMatch, kept_note
from league.core.secrets import new_secret
from league.draws.challenges import call_off_challenge
from league.draws.ladders import add_absence
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.events.entries import enter_players
from league.events.linking import link_entry
from league.files.drafts import keep_taking
from league.files.taking_over import TakingOptions
from league.matches.club_sheets import open_club_sheet
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    ClubRules,
    ImportDraft,
    Invitation,
    Match,
    NamingText,
    Player,
    Role,
    TokenScope,
)
from league.people.erasing import erase_person, planned_erasure
from league.people.free_texts import places_in, strike_out
from league.people.invitations import invite
from league.people.players import add_alias, change_player, merge_players, remove_alias
from league.people.tokens import issue_token
from league.policy import actor_of
from league.record.audit import record_audit
from league.tables.ratings import recalculate as recalculate_ratings
from league.upkeep.audit_lists import AuditFilters, audit_page
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import mark
from scoring.core.origin import origin
from scoring.core.sheets import SheetSide
from scoring.models import DealVersion, Scoresheet, Seat, SheetAct, Side
from scoring.services import correct_deals, record_deals, sign_sheet
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    count_table,
    house_rules,
    play,
    won,
)
from tests.league.ladder_cases import challenge, entry, ladder
from tests.league.trf_files import changed
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

# Whatever the person is called; no other text of these tests has it.
WRITTEN = (
    "Ann Archer",
    "Archer A",
    "Annie A.",
    "Nan Archer",
    "Anna Archerson",
    "annarcher",
    "ann@archer.test",
)
HOME = "203.0.113.7"

# Tables whose texts are nobody's name: titles of things, codes, states, figures, and what Django keeps.
NAMELESS = {
    "league.apitoken",
    "league.calendaraddress",
    "league.club",
    "league.clubrules",
    "league.dailyhand",
    "league.dailytry",
    "league.deletion",
    "league.expectedweights",
    "league.gameoffer",
    "league.offerseat",
    "league.mailbounce",
    "league.membership",
    "league.namingtext",
    "league.roundpacks",
    "league.notice",
    "league.partnerinvitation",
    "league.noticechoices",
    "league.player",
    "league.playeralias",
    "league.presence",
    "league.pushdevice",
    "league.pyramid",
    "league.removedmember",
    "league.season",
    "league.seasontable",
    "league.selfcheckin",
    "league.standing",
    "league.individualstanding",
    "league.tie",
    "league.webhook",
    "league.webhookdelivery",
    "scoring.dealversion",
    "scoring.tableanswer",
    "scoring.openingkey",
    "games.bothand",
    "games.botmeeting",
    "games.botrating",
    "games.handreport",
    "games.sealedpack",
    "games.siteheartbeat",
    "games.tableact",
    "games.tablehand",
    "games.tablephrase",
    "games.tableseat",
}


@pytest.fixture
def director(club: Club) -> Actor:
    """An owner, since Ann holds an office."""
    return actor_of(UserFactory.create(club=club, role=Role.OWNER))


@pytest.fixture
def ann(club: Club, director: Actor) -> Player:
    """A player with an account, a name from before, somebody merged into her, and traces everywhere."""
    user = UserFactory.create(
        username="annarcher",
        first_name="Anna",
        last_name="Archerson",
        email="ann@archer.test",
        club=club,
        role=Role.SCOREKEEPER,
    )
    ann = PlayerFactory.create(club=club, name="Archer A", user=user, nickname="Annie A.", external_id="X-77")
    bob = PlayerFactory.create(club=club, name="Bob Baker")
    league = EventFactory.create(club=club, slug="league")
    entries = [EntryFactory.create(event=league, name=player.name, players=[player]) for player in (ann, bob)]
    match = MatchFactory.create(
        event=league,
        entry_a=entries[0],
        entry_b=entries[1],
        reasons=[{"said": "Archer A has not met Bob Baker."}],
    )
    assert match.sheet is not None
    with origin("page", HOME):
        deals = [won("Archer A", "Bob Baker", 300), won("Bob Baker", "Archer A", 250)]
        record_deals(actor=actor_of(user), sheet=match.sheet, deals=deals, key="one")
        change = {2: won("Archer A", "Bob Baker", 250)}
        correct_deals(actor=actor_of(user), sheet=match.sheet, changes=change, reason="archer a says so")
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[], stopped=True)
    sign_sheet(actor=actor_of(user), sheet=match.sheet)
    change_player(actor=director, player=ann, name="Ann Archer")
    merge_players(
        actor=director,
        keep=ann,
        drop=PlayerFactory.create(club=club, name="Nan Archer"),
        reason="Nan Archer is she",
    )
    teams = EventFactory.create(club=club, slug="teams", team_size=2)
    for name, players in (("Ann Archer + Bob Baker", [ann, bob]), ("The Others", None)):
        EntryFactory.create(event=teams, name=name, players=players)
    first, second = teams.entries.order_by("pk")
    play(MatchFactory.create(event=teams, entry_a=first, entry_b=second), 300, -40, 20)
    issue_token(user=user, name="annarcher's laptop", scope=TokenScope.READ, days=5)
    Invitation.objects.create(
        club=club,
        email="ann@archer.test",
        player=ann,
        digest=new_secret()[1],
        expires_at="2030-01-01T00:00Z",
        **Invitation.actor_fields(director),
    )
    ImportDraft.objects.create(
        club=club,
        user=user,
        file_name="Ann Archer.csv",
        content="Ann Archer+Bob Baker,12\n",
        options={"who": "Ann Archer"},
    )
    LogEntry.objects.create(
        user=user,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(ann.pk),
        object_repr="Ann Archer",
        action_flag=CHANGE,
        change_message="Ann Archer's number",
    )
    for event in (league, teams):
        count_table(event.pk)
    recalculate_ratings(club.pk)
    ann.refresh_from_db()
    return ann


def _mentions() -> list[str]:
    """Every field of every row of the database in which the person is named."""
    found = []
    for model in apps.get_models():
        texts = [f for f in model._meta.concrete_fields if isinstance(f, (CharField, TextField, JSONField))]
        for row in model._base_manager.all():
            for field in texts:
                value = getattr(row, field.attname)
                written = json.dumps(value, ensure_ascii=False).casefold() if value else ""
                if any(name.casefold() in written for name in WRITTEN):
                    found.append(f"{model._meta.label}.{field.name}: {value}")
    return found


def _strike_all(player: Player, director: Actor) -> None:
    """Strikes out of every listed text the words that are found to name the person."""
    for listed in NamingText.objects.filter(player=player, settled_at=None):
        strike_out(actor=director, listed=listed, words=listed.words)


def _figures(club: Club) -> list[Any]:
    """All that was played and what came of it, without a name."""
    return [
        list(DealVersion.objects.order_by("pk").values_list("number", "version", "body")),
        list(Scoresheet.objects.order_by("pk").values_list("code", "nets", "places", "status", "derived")),
        list(Match.objects.order_by("pk").values_list("code", "net", "state", "winner_side", "boxes_a")),
        [list(event.standings.order_by("pk").values("rank", "points", "net")) for event in club.events.all()],
        list(SheetAct.objects.order_by("pk").values_list("kind", "version", "at", "key", "digest")),
        list(Appearance.objects.order_by("pk").values_list("match", "player", "side")),
    ]


def test_no_name_of_an_erased_person_is_left_and_every_figure_is(
    club: Club, ann: Player, director: Actor
) -> None:
    assert len(_mentions()) > 20
    before = _figures(club)
    done = erase_person(actor=director, player=ann)
    assert len(_mentions()) < 12
    _strike_all(ann, director)
    assert "\n".join(_mentions()) == ""
    for event in club.events.all():
        recalculate(event.pk)
    recalculate_ratings(club.pk)
    assert _figures(club) == before
    ann.refresh_from_db()
    assert ann.name == done.new_name == f"Erased {ann.code}"
    assert (ann.member_number, ann.external_id, ann.nickname, ann.user_id) == (None, None, "", None)
    match = Match.objects.get(event__slug="league")
    assert match.sheet is not None
    assert [side.name for side in kept_sheet(match.sheet).sides] == [ann.name, "Bob Baker"]
    assert match.reasons == [{"said": "▇▇▇ ▇▇▇ has not met Bob Baker."}]
    act = SheetAct.objects.get(kind="correct")
    assert act.reason == "▇▇▇ ▇▇▇ says so"
    assert str(match.entry_a) == ann.name
    assert Match.objects.get(event__slug="teams").side_name(0) == f"{ann.name} + Bob Baker"
    call_command("rebuild")


def test_audit_calls_challenges_and_absences_by_the_present_name(club: Club, director: Actor) -> None:
    event = ladder(3, club=club)
    ann = Player.objects.get(club=club, name="C")
    change_player(actor=director, player=ann, name="Ann Archer")
    day = datetime.date(2026, 1, 1)
    add_absence(actor=director, entry=entry(event, "Ann Archer"), first_day=day, last_day=day)
    made = challenge(event, "Ann Archer", "A")

    def said() -> dict[str, str]:
        _page, lines = audit_page(club, AuditFilters(), 1)
        return {line.action: line.of for line in lines}

    change_player(actor=director, player=ann, name="Anna Archerson")
    assert said()["challenge.make"] == "Anna Archerson challenges A"
    assert said()["absence.add"] == "Anna Archerson"
    call_off_challenge(actor=director, challenge=made, reason="ill")
    done = erase_person(actor=director, player=ann)
    assert done.texts == ()
    assert _mentions() == []
    assert said()["challenge.call_off"] == f"{done.new_name} challenges A"


def test_audit_has_the_code_for_her_and_nothing_for_what_was_named_after_her(
    ann: Player, club: Club, director: Actor
) -> None:
    invitation, _secret = invite(actor=director, club=club, role=Role.MEMBER, email="ann@archer.test")
    Invitation.objects.filter(pk=invitation.pk).update(player=ann)
    erase_person(actor=director, player=ann)
    about = AuditEntry.objects.filter(object_type="player", object_id=str(ann.pk))
    assert {entry.object_name for entry in about} == {f"Erased {ann.code}"}
    noted = AuditEntry.objects.get(object_type="invitation", object_id=str(invitation.pk))
    assert noted.after is not None
    assert (noted.object_name, noted.after["email"]) == ("–", "–")


def test_places_that_were_drawn_by_lot_stay(club: Club, director: Actor) -> None:
    event = EventFactory.create(club=club, criteria=["match_points", "lot"])
    entries = [EntryFactory.create(event=event, name=f"Player {letter}") for letter in "ABCDEF"]
    MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1])
    places = {}
    for name in ("before", "after"):
        count_table(event.pk)
        places[name] = list(event.standings.order_by("position").values_list("entry", flat=True))
        if name == "before":
            for entry in entries[1:5]:
                erase_person(actor=director, player=entry.players.get())
    assert places["after"] == places["before"]


def test_an_account_of_this_club_alone_is_closed_and_says_nothing(ann: Player, director: Actor) -> None:
    user = ann.user
    assert user is not None
    plan = planned_erasure(ann)
    assert (plan.closes, plan.leaves) == (user, None)
    erase_person(actor=director, player=ann)
    user.refresh_from_db()
    assert not user.is_active
    assert not user.has_usable_password()
    assert (user.username, user.get_full_name(), user.email) == (
        f"erased-{ann.code}",
        f"Erased {ann.code}",
        "",
    )
    assert not user.memberships.exists()


def test_no_address_of_an_erased_person_is_left(ann: Player, director: Actor) -> None:
    acted = SheetAct.objects.filter(actor_kind=ActorKind.USER, actor_id=str(ann.user_id))
    assert list(acted.exclude(address=None).values_list("address", flat=True)) == [HOME, HOME]
    with origin("admin", "198.51.100.1"):
        erase_person(actor=director, player=ann)
    assert not SheetAct.objects.filter(address=HOME).exists()
    entry = AuditEntry.objects.get(action="player.erase")
    assert (entry.address, entry.actor_name) == ("198.51.100.1", director.name)
    assert entry.object_name == f"Erased {ann.code}"


def test_an_account_with_another_club_goes_on_there(ann: Player, director: Actor) -> None:
    user = ann.user
    assert user is not None
    other = ClubFactory.create()
    PlayerFactory.create(club=other, name="Ann Archer", user=user)
    assert planned_erasure(ann).leaves == user
    erase_person(actor=director, player=ann)
    user.refresh_from_db()
    assert user.is_active
    assert user.username == "annarcher"
    assert not user.memberships.filter(club=ann.club).exists()
    assert Player.objects.get(club=other).name == "Ann Archer"


def test_a_name_of_another_club_is_left_alone(ann: Player, director: Actor) -> None:
    namesake = MatchFactory.create(
        event=EventFactory.create(), entry_a__name="Ann Archer", entry_b__name="Cid Cole"
    )
    erase_person(actor=director, player=ann)
    assert Side.objects.filter(sheet=namesake.sheet, name="Ann Archer").exists()
    assert Seat.objects.filter(sheet=namesake.sheet, name="Ann Archer").exists()


@pytest.mark.parametrize("case", ["bot", "merged", "erased", "member", "last owner"])
def test_what_cannot_be_erased_is_refused_and_nothing_changes(club: Club, director: Actor, case: str) -> None:
    player = PlayerFactory.create(club=club, name="Ann Archer")
    actor, code = (
        director,
        {"erased": "erased", "member": "not_allowed", "last owner": "last_owner"}.get(case, "invalid"),
    )
    if case == "bot":
        player = PlayerFactory.create(club=club, name="Deep", strategy="knocker", member_number=None)
    elif case == "merged":
        player = PlayerFactory.create(club=club, name="Nan Archer", merged_into=player)
    elif case == "erased":
        erase_person(actor=director, player=player)
    elif case == "member":
        actor = actor_of(UserFactory.create(club=club, role=Role.MEMBER))
    else:
        club.memberships.all().delete()
        player.user = UserFactory.create(club=club, role=Role.OWNER)
        player.save()
        actor = OPERATOR
    before = Player.objects.values().get(pk=player.pk)
    with refuses(LeagueError, code):
        erase_person(actor=actor, player=player)
    assert Player.objects.values().get(pk=player.pk) == before


def test_who_erases_himself_leaves_no_name_either(ann: Player, club: Club) -> None:
    membership = User.objects.get(players=ann).memberships.get()
    membership.role = Role.DIRECTOR
    membership.save()
    user = ann.user
    assert user is not None
    other = actor_of(UserFactory.create(club=club, role=Role.DIRECTOR))
    erase_person(actor=actor_of(user), player=ann)
    _strike_all(ann, other)
    assert _mentions() == []


def test_every_table_with_texts_is_searched_or_known_to_have_no_names(club: Club) -> None:
    searched = {place.rows.model._meta.label_lower for place in places_in(club)}
    with_texts = {
        model._meta.label_lower
        for model in apps.get_models()
        if model._meta.app_label in ("scoring", "games", "league")
        and any(isinstance(field, (CharField, TextField, JSONField)) for field in model._meta.concrete_fields)
    }
    assert with_texts - searched - NAMELESS == set()


def test_a_text_is_rewritten_by_nobody_but_the_director_and_on_the_record(
    club: Club, ann: Player, director: Actor
) -> None:
    erase_person(actor=director, player=ann)
    act = SheetAct.objects.get(kind="correct")
    assert act.reason == "archer a says so"
    listed = NamingText.objects.get(place="scoring.SheetAct", row=act.pk, field="reason")
    assert (listed.player, listed.words) == (ann, [0, 1])
    with refuses(LeagueError, "not_allowed"):
        strike_out(actor=actor_of(UserFactory.create(club=club, role=Role.MEMBER)), listed=listed, words=[0])
    with refuses(LeagueError, "out_of_range"):
        strike_out(actor=director, listed=listed, words=[4])
    strike_out(actor=director, listed=listed, words=[0])
    act.refresh_from_db()
    assert act.reason == "▇▇▇ a says so"
    note = AuditEntry.objects.get(action="text.strike")
    assert note.actor_name == director.name
    assert note.after == {"text": f"scoring.SheetAct {act.pk} reason", "words": 1}
    with refuses(LeagueError, "settled"):
        strike_out(actor=director, listed=listed, words=[1])


def test_entering_is_noted_under_the_name_and_no_text_of_anybody(club: Club, director: Actor) -> None:
    zoe = PlayerFactory.create(club=club, name="Zoe Quill")
    enter_players(actor=director, event=EventFactory.create(club=club), players=[zoe])
    assert planned_erasure(zoe).texts == ()
    erase_person(actor=director, player=zoe)
    note = AuditEntry.objects.get(action="entry.add")
    zoe.refresh_from_db()
    assert note.after is not None
    assert (note.object_name, note.after["name"]) == (zoe.name, zoe.name)


def test_preview_tells_every_text_with_its_place_and_changes_nothing(
    club: Club, ann: Player, director: Actor, owner: Client
) -> None:
    before = _mentions(), _figures(club)
    plan = planned_erasure(ann)
    assert (_mentions(), _figures(club)) == before
    assert not NamingText.objects.exists()
    assert any(text == "archer a says so" for _where, text in plan.texts)
    page = owner.post(reverse("admin:league_player_erase", args=[ann.pk])).content.decode()
    assert f"{len(plan.texts)} texts that people have written name the person" in page
    assert "archer a says so" in page
    assert erase_person(actor=director, player=ann).texts == plan.texts
    assert NamingText.objects.filter(player=ann).count() == len(plan.texts) > 3


def test_list_of_texts_says_of_each_which_act_it_was_and_takes_no_query_more(
    club: Club, ann: Player, director: Actor
) -> None:
    with CaptureQueriesContext(connection) as few:
        before = planned_erasure(ann).texts
    for number in range(20):
        action, fact = ("club.change", "name") if number % 2 else ("player.change", "nickname")
        record_audit(director, action, club, club=club, after={fact: "Archer A was here"})
    with CaptureQueriesContext(connection) as many:
        texts = planned_erasure(ann).texts
    assert len(many) == len(few)
    added = [place for place, text in texts if (place, text) not in before]
    assert len(added) == 20
    changed = [place for place in added if place.startswith("audit entry, club changed, Harbour, ")]
    assert len(changed) == 10
    assert all(place.endswith(": after, name") for place in changed)


def test_note_of_a_bot_match_is_a_text_but_not_what_it_is_filled_into(
    club: Club, ann: Player, director: Actor
) -> None:
    sheet = Scoresheet.objects.get(match__event__slug="league")
    said = kept_note(mark("Cancelled by %(name)s: %(reason)s", name="Kim", reason="archer a cancelled it"))
    bots = BotMatch.objects.create(sheet=sheet, bots={}, seed=1, said=said)
    erase_person(actor=director, player=ann)
    listed = NamingText.objects.get(place="games.BotMatch")
    strike_out(actor=director, listed=listed, words=listed.words)
    bots.refresh_from_db()
    assert bots.note == "Cancelled by Kim: ▇▇▇ ▇▇▇ cancelled it"


def test_label_of_a_clubs_sheet_is_a_text(club: Club, ann: Player, director: Actor) -> None:
    rules = house_rules()
    ClubRules.objects.create(club=club, rules=rules)
    sides = [SheetSide(name, (name,)) for name in ("Bob Baker", "Zoe")]
    sheet = open_club_sheet(
        actor=director, club=club, rules=rules, sides=sides, label="Birthday of Ann Archer"
    )
    erase_person(actor=director, player=ann)
    listed = NamingText.objects.get(place="scoring.Scoresheet")
    strike_out(actor=director, listed=listed, words=listed.words)
    sheet.refresh_from_db()
    assert sheet.label == "Birthday of ▇▇▇ ▇▇▇"


def test_erasing_one_touches_nobody_of_a_like_name(club: Club, director: Actor) -> None:
    """A team, a sheet and an account that are called as she is stay what they are."""
    ann = PlayerFactory.create(club=club, name="Ann")
    other = PlayerFactory.create(club=club, name="Ann Archer")
    teams = EventFactory.create(club=club, team_size=2)
    EntryFactory.create(event=teams, name="Ann")
    event = EventFactory.create(club=club)
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann Archer", players=[other]),
        entry_b=EntryFactory.create(event=event, name="Bob"),
    )
    namesake = UserFactory.create(username="ann", first_name="Ann", club=club, role=Role.SCOREKEEPER)
    assert match.sheet is not None
    record_deals(actor=actor_of(namesake), sheet=match.sheet, deals=[won("Ann Archer", "Bob", 20)])
    erase_person(actor=director, player=ann)
    assert [side.name for side in match.sheet.sides.all()] == ["Ann Archer", "Bob"]
    assert SheetAct.objects.get().actor_name == "Ann"
    assert teams.entries.get().name == "Ann"
    assert other.name == Player.objects.get(pk=other.pk).name
    listed = {(text.place, text.field) for text in NamingText.objects.filter(player=ann)}
    assert ("league.Entry", "name") in listed


def noted_of(word: str) -> list[str]:
    """The acts of the audit that have the word anywhere."""
    return [
        entry.action
        for entry in AuditEntry.objects.all()
        if word in json.dumps([entry.object_name, entry.before, entry.after])
    ]


def test_another_name_that_was_taken_away_before_is_erased_too(club: Club, director: Actor) -> None:
    """From the audit, and texts with it are listed."""
    player = PlayerFactory.create(club=club, name="Ann Archer")
    remove_alias(actor=director, alias=add_alias(actor=director, player=player, name="Nan Hidden"))
    club.about = "Ask Nan Hidden."
    club.save()
    plan = erase_person(actor=director, player=player)
    assert noted_of("Hidden") == []
    assert [text for _place, text in plan.texts] == ["Ask Nan Hidden."]


def test_name_with_which_an_entry_was_taken_over_is_erased_too(club: Club, director: Actor) -> None:
    event = EventFactory.create(club=club, taken_over=True)
    written = EntryFactory.create(event=event, name="Archer, Ann", players=[])
    player = PlayerFactory.create(club=club, name="Ann Archer")
    link_entry(actor=director, entry=written, player=player)
    assert noted_of("Archer, Ann") == ["entry.link"]
    erase_person(actor=director, player=player)
    assert noted_of("Archer") == []


def test_text_with_the_address_of_the_register_is_listed(club: Club, director: Actor) -> None:
    player = PlayerFactory.create(club=club, name="Ann Archer", email="ann@archer.test")
    club.contact = "Ask ann@archer.test"
    club.save()
    assert [text for _place, text in planned_erasure(player).texts] == ["Ask ann@archer.test"]


def test_file_of_a_tournament_that_waits_to_be_taken_over_is_deleted(club: Club, director: Actor) -> None:
    """It is kept byte for byte, in which no name is searched for; it can be sent again."""
    player = PlayerFactory.create(club=club, name="Ek, Åsa")
    data = changed("Lund, Bob ", "Ek, Åsa   ")
    for of in (club, ClubFactory.create()):
        user = UserFactory.create(club=of)
        keep_taking(user=user, club=of, data=data, file_name="cup.trf", options=TakingOptions())
    planned_erasure(player)
    assert ImportDraft.objects.filter(club=club).exists()
    erase_person(actor=director, player=player)
    assert ImportDraft.objects.get().club != club
