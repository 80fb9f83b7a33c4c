"""Evenings at which partners rotate, through the services: drawn, played, changed on the way."""

import io
from collections import Counter
from decimal import Decimal
from itertools import combinations

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league.admin.pairing_acts import pairing_preview
from league.draws.matches_by_hand import add_match
from league.draws.movements import draw_movement, draw_rest, plan_movement, plan_rest
from league.draws.pairings import round_pairings
from league.draws.planning import plan_next_round
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round, repair_round
from league.events.entries import enter_late, withdraw_entry
from league.files.exporting import export_hands
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    IndividualStanding,
    Match,
    MatchState,
    Presence,
    PresenceState,
    Round,
    RoundState,
    Standing,
)
from league.people.players import change_player
from league.policy.naming import AS_WRITTEN
from scoring.core.actors import Actor
from scoring.core.hands import Gin, Points
from scoring.core.sheets import Deal
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    PlayerFactory,
    RoundFactory,
    house_rules,
    play,
    sheet_of,
)
from tests.kept import contents, refused_service
from tests.league.admin_pages import page, text
from tests.league.hand_files import imported
from tests.league.rotation_cases import NAMES, evening
from tests.pdf_text import texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_movements")]


def tables(event: Event) -> list[Match]:
    rows = event.matches.filter(partner_b__isnull=False)
    return list(
        rows.select_related(
            "entry_a", "partner_a", "entry_b", "partner_b", "round", "sheet", "event"
        ).order_by("round__number", "table")
    )


def seats(match: Match) -> tuple[Entry, Entry, Entry, Entry]:
    """Both of the first side, then both of the second."""
    assert match.partner_a is not None
    assert match.entry_b is not None
    assert match.partner_b is not None
    return match.entry_a, match.partner_a, match.entry_b, match.partner_b


def partners(event: Event) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(entry.name for entry in pair)
        for match in tables(event)
        for pair in (seats(match)[:2], seats(match)[2:])
    )


def sits_out(event: Event) -> Counter[str]:
    return Counter(event.matches.filter(entry_b=None).values_list("entry_a__name", flat=True))


def play_round(event: Event, number: int, points: int = 30) -> None:
    for match in tables(event):
        if match.round.number == number:
            play(match, points, stopped=True)


def test_whole_evening_of_eight_is_played_and_everybody_has_the_nets_of_his_sides(
    director: Actor, club: Club
) -> None:
    event = evening(club, 8, rules=house_rules(columns=1), criteria=["net"])
    rounds = draw_movement(actor=director, event=event)
    assert [round_.number for round_ in rounds] == [1, 2, 3, 4, 5, 6, 7]
    assert partners(event) == {frozenset(pair): 1 for pair in combinations(NAMES[:8], 2)}
    event.refresh_from_db()
    assert event.rounds_planned == 7
    nets: Counter[str] = Counter()
    hands_won: Counter[str] = Counter()
    for at, match in enumerate(tables(event)):
        assert match.sheet is not None
        assert match.sheet.label == match.label
        a, c, b, d = seats(match)
        assert [str(match), match.side_name(0)] == [
            f"{a.name} + {c.name} v {b.name} + {d.name}",
            f"{a.name} + {c.name}",
        ]
        # Both of the first side win in even matches; in odd ones one of each side, the second by more.
        first = Points(a.name, b.name, 20 + at)
        second = Points(c.name, d.name, 5) if at % 2 == 0 else Gin(d.name, c.name, 60 + at)
        record_deals(actor=director, sheet=match.sheet, deals=[Deal((first, second))], stopped=True)
        match.refresh_from_db()
        assert (match.net > 0) == (at % 2 == 0)
        for entry, net in ((a, match.net), (c, match.net), (b, -match.net), (d, -match.net)):
            nets[entry.name] += net
        hands_won.update([a.name, c.name if at % 2 == 0 else d.name])
    recalculate(event.pk)
    for rows, named in (
        (Standing.objects.filter(event=event), "entry__name"),
        (IndividualStanding.objects.filter(event=event), "player__name"),
    ):
        assert dict(rows.values_list(named, "net")) == dict(nets)
        assert set(rows.values_list("played", flat=True)) == {7}
    order = list(Standing.objects.filter(event=event).order_by("position").values_list("entry__name", "net"))
    assert [net for _name, net in order] == sorted(nets.values(), reverse=True)
    individual = IndividualStanding.objects.filter(event=event)
    assert dict(individual.values_list("player__name", "hands_won")) == {
        name: hands_won[name] for name in NAMES[:8]
    }


def test_line_up_has_each_player_for_his_own_entry(director: Actor, club: Club) -> None:
    event = evening(club, 4)
    draw_movement(actor=director, event=event)
    for each in Appearance.objects.filter(match__event=event).select_related("player", "entry"):
        assert each.entry is not None
        assert each.player.name == each.entry.name
    match = tables(event)[0]
    lined_up = match.appearances.order_by("side", "position").values_list("side", "position", "entry_id")
    assert list(lined_up) == [
        (0, 0, match.entry_a_id),
        (0, 1, match.partner_a_id),
        (1, 0, match.entry_b_id),
        (1, 1, match.partner_b_id),
    ]


def test_who_sits_out_has_a_bye(director: Actor, club: Club) -> None:
    event = evening(club, 10)
    draw_movement(actor=director, event=event, rounds=5)
    assert sits_out(event) == dict.fromkeys(NAMES[:10], 1)
    assert set(event.matches.filter(entry_b=None).values_list("state", flat=True)) == {MatchState.BYE}
    assert max(partners(event).values()) == 1


def test_plan_says_how_uneven_it_is_and_stores_nothing(club: Club) -> None:
    event = evening(club, 10)
    before = contents()
    plan = plan_movement(event=event, rounds=5)
    assert contents() == before
    assert plan.notes == (
        "Nobody has the same partner twice.",
        "Nobody has the same opponent twice.",
        "Everybody sits out once.",
    )
    assert (len(plan.rounds), plan.matches, plan.byes) == (5, 10, 10)


def test_round_by_round_it_says_how_uneven_all_of_it_is_and_why_one_sits_out(club: Club) -> None:
    plan = plan_next_round(evening(club, 9, rounds_planned=9))
    # A cycle of nine is a whist tournament.
    assert plan.notes[1:] == (
        "Everybody partners everybody once.",
        "Everybody opposes everybody twice.",
        "Everybody sits out once.",
    )
    assert [bye.reasons for bye in plan.byes] == [("9 players, four at a table: in turn",)]
    preview = pairing_preview(plan)
    assert set(plan.notes) <= set(preview.sentences)
    assert preview.head[-1] == "Why"
    even = pairing_preview(plan_next_round(evening(ClubFactory.create(), 8, rounds_planned=7)))
    assert even.head[-1] != "Why"
    assert {len(row) for row in even.rows} == {3}


def test_drafts_are_published_one_by_one(director: Actor, club: Club) -> None:
    event = evening(club, 4)
    rounds = draw_movement(actor=director, event=event, publish=False)
    assert {round_.state for round_ in rounds} == {RoundState.DRAFTED}
    assert not event.matches.filter(sheet__isnull=False).exists()
    publish_round(actor=director, round_=rounds[0])
    (match,) = rounds[0].matches.all()
    assert [side.name for side in sheet_of(match).sides.order_by("position")] == [
        match.side_name(0),
        match.side_name(1),
    ]


def test_late_entry_plays_in_the_rest_that_is_drawn_anew(director: Actor, club: Club) -> None:
    event = evening(club, 8, late_points=Decimal("0.5"))
    draw_movement(actor=director, event=event)
    play_round(event, 1)
    play_round(event, 2)
    before = [str(match) for match in tables(event) if match.round.number <= 2]
    (late,) = enter_late(actor=director, event=event, players=[PlayerFactory.create(club=club, name="Ida")])
    assert late.first_round == 3
    made = draw_rest(actor=director, event=event)
    assert [round_.number for round_ in made] == [3, 4, 5, 6, 7]
    assert [str(match) for match in tables(event) if match.round.number <= 2] == before
    assert sum("Ida" in pair for pair in partners(event)) == 5
    assert max(partners(event).values()) == 1
    assert sits_out(event)["Ida"] == 0
    assert sum(sits_out(event).values()) == 5
    said = AuditEntry.objects.get(action="event.draw_rest")
    assert said.reason.startswith("Nobody has the same partner twice.")


def test_rest_is_drawn_without_who_has_withdrawn(director: Actor, club: Club) -> None:
    event = evening(club, 9)
    draw_movement(actor=director, event=event, rounds=6)
    play_round(event, 1)
    gone: Entry = event.entries.get(name="Ann")
    withdraw_entry(actor=director, entry=gone, reason="ill")
    draw_rest(actor=director, event=event)
    later = [match for match in tables(event) if match.round.number > 1]
    assert len(later) == 10
    assert not any(gone in seats(match) for match in later)
    assert set(partners(event).values()) == {1}


def test_who_asked_to_sit_out_does_and_who_is_away_is_not_drawn(director: Actor, club: Club) -> None:
    event = evening(club, 9)
    ann, bob = event.entries.get(name="Ann"), event.entries.get(name="Bob")
    Presence.objects.create(event=event, entry=ann, round_number=2, state=PresenceState.BYE)
    Presence.objects.create(event=event, entry=bob, round_number=3, state=PresenceState.AWAY)
    draw_movement(actor=director, event=event, rounds=4)
    of_ann = event.matches.of_entry(ann).get(round__number=2)
    assert (of_ann.state, of_ann.entry_b) == (MatchState.ABSENT, None)
    assert not event.matches.of_entry(bob).filter(round__number=3).exists()
    assert event.matches.filter(round__number__in=[2, 3], partner_b__isnull=False).count() == 4


def test_those_who_have_checked_in_play_all_evening(director: Actor, club: Club) -> None:
    event = evening(club, 9, check_in=True)
    for entry in event.entries.exclude(name="Gus"):
        Presence.objects.create(event=event, entry=entry, round_number=1, state=PresenceState.HERE)
    draw_movement(actor=director, event=event)
    assert "Gus" not in {name for pair in partners(event) for name in pair}
    # Seven rounds, those of eight players.
    assert len(tables(event)) == 14


def test_rounds_paired_one_by_one_are_those_of_the_whole_movement(director: Actor, club: Club) -> None:
    event = evening(club, 8, rounds_planned=7)
    for number in range(1, 8):
        round_ = draft_round(actor=director, event=event)
        publish_round(actor=director, round_=round_)
        play_round(event, number)
    assert partners(event) == {frozenset(pair): 1 for pair in combinations(NAMES[:8], 2)}
    refused_service("no_more_rounds", plan_next_round, event=event)


def test_round_is_paired_anew_for_those_who_are_here(director: Actor, club: Club) -> None:
    event = evening(club, 9, rounds_planned=6)
    publish_round(actor=director, round_=draft_round(actor=director, event=event))
    play_round(event, 1)
    round_ = draft_round(actor=director, event=event)
    Presence.objects.create(
        event=event, entry=event.entries.get(name="Ann"), round_number=2, state=PresenceState.AWAY
    )
    repair_round(actor=director, round_=round_)
    names = {name for pair in partners(event) for name in pair}
    assert names == set(NAMES[:9])
    second = event.matches.filter(round=round_)
    assert second.count() == 2
    assert not second.of_entry(event.entries.get(name="Ann")).exists()


def test_results_are_derived_again_without_a_difference(director: Actor, club: Club) -> None:
    event = evening(club, 5)
    draw_movement(actor=director, event=event)
    for number in range(1, 6):
        play_round(event, number, 40 * (-1) ** number)
    recalculate(event.pk)
    out = io.StringIO()
    call_command("rebuild", stdout=out)
    assert "no difference" in out.getvalue().lower()


@pytest.mark.parametrize("count", [0, 3])
def test_too_few_are_refused(director: Actor, club: Club, count: int) -> None:
    event = evening(club, count)
    refused_service("too_few_entries", draw_movement, actor=director, event=event)
    refused_service("too_few_entries", draft_round, actor=director, event=event)


def test_round_with_too_few_there_is_refused(director: Actor, club: Club) -> None:
    event = evening(club, 5)
    for name in ("Ann", "Bob"):
        entry = event.entries.get(name=name)
        Presence.objects.create(event=event, entry=entry, round_number=2, state=PresenceState.AWAY)
    refused_service("too_few_players", draw_movement, actor=director, event=event)


def test_draw_is_refused_where_there_is_one_or_none_to_draw_anew(director: Actor, club: Club) -> None:
    event = evening(club, 4)
    refused_service("nothing_drawn", draw_rest, actor=director, event=event)
    draw_movement(actor=director, event=event)
    refused_service("already_drawn", draw_movement, actor=director, event=event)
    for number in range(1, 4):
        play_round(event, number)
    refused_service("no_more_rounds", plan_rest, event=event)
    player = PlayerFactory.create(club=club)
    refused_service("already_drawn", enter_late, actor=director, event=event, players=[player])


@pytest.mark.parametrize(
    "values", [{"rounds": 0}, {"rounds": -2}, {"days_between": -1}, {"days_between": 367}]
)
def test_settings_out_of_range_are_refused(director: Actor, club: Club, values: dict[str, int]) -> None:
    refused_service("out_of_range", draw_movement, actor=director, event=evening(club, 4), **values)


def test_other_formats_have_no_movement(director: Actor, event: Event) -> None:
    refused_service("wrong_format", draw_movement, actor=director, event=event)
    RoundFactory.create(event=event)
    refused_service("wrong_format", draw_rest, actor=director, event=event)


def test_director_draws_the_movement_and_the_rest_in_the_admin(owner: Client, club: Club) -> None:
    event = evening(club, 6)
    plan = {"rounds": "4", "first_date": "2026-09-03", "days_between": "0", "publish": "on"}
    shown = text(owner.post(page("event", event, "draw_movement"), plan))
    assert "6 players, 4 rounds, 4 matches." in shown
    assert "Nobody has the same partner twice." in shown
    assert not event.rounds.exists()
    answer = owner.post(page("event", event, "draw_movement"), plan | {"_confirm": "1"}, follow=True)
    assert "4 rounds were drawn." in text(answer)
    assert set(event.rounds.values_list("date", flat=True)) == {Round.objects.first().date}  # type: ignore[union-attr]
    play_round(event, 1)
    shown = text(owner.post(page("event", event, "draw_rest"), {"publish": "on"}))
    assert "What was drawn from round 2 on will go" in shown
    answer = owner.post(page("event", event, "draw_rest"), {"publish": "on", "_confirm": "1"}, follow=True)
    assert "3 rounds were redrawn." in text(answer)


def test_public_pages_and_papers_name_both_partners(client: Client, director: Actor, club: Club) -> None:
    event = evening(club, 5)
    draw_movement(actor=director, event=event)
    match = tables(event)[0]
    play_round(event, 1)
    recalculate(event.pk)
    way = [club.slug, event.slug]
    assert match.partner_a is not None
    names = [match.side_name(0), match.side_name(1)]
    for url in (reverse("round", args=[*way, 1]), reverse("match", args=[*way, match.code])):
        shown = text(client.get(url))
        for name in names:
            assert name in shown, url
    player = match.partner_a.members.get().player
    shown = text(client.get(reverse("player", args=[club.slug, player.code])))
    assert f"{match.partner_a.name} + " in shown or f"+ {match.partner_a.name}" in shown


def test_hands_are_exported_and_fill_the_same_evening_of_another_club(director: Actor, club: Club) -> None:
    event, other = evening(club, 4), evening(ClubFactory.create(), 4)
    draw_movement(actor=director, event=event)
    draw_movement(actor=OPERATOR, event=other)
    for number, match in enumerate(tables(event)):
        a, c, b, d = seats(match)
        deal = Deal((Points(a.name, b.name, 20 + number), Gin(d.name, c.name, 7)))
        record_deals(actor=director, sheet=sheet_of(match), deals=[deal], stopped=True)
    exported = export_hands(event).text
    assert f"{a.name}+{c.name}" in exported
    imported(club, exported.encode(), create=False)
    assert tables(event)[0].sheet.version == 1  # type: ignore[union-attr]
    imported(other.club, exported.encode(), create=False)
    results = [[(str(match), match.net, match.hands_a) for match in tables(each)] for each in (event, other)]
    assert results[0] == results[1]
    assert [net != 0 for _match, net, _hands in results[0]] == [True, True, True]


def test_pages_of_entry_and_lists_name_both_partners(owner: Client, director: Actor, club: Club) -> None:
    event = evening(club, 4)
    draw_movement(actor=director, event=event)
    match = tables(event)[0]
    for url in (
        reverse("entry:tray", args=[match.round.code]),
        reverse("entry:sheet", args=[match.code]),
        reverse("admin:league_match_changelist") + f"?event__id__exact={event.pk}",
        page("match", match),
    ):
        shown = text(owner.get(url))
        for side in (0, 1):
            assert match.side_name(side) in shown, url


def test_match_is_found_by_the_name_of_a_partner(owner: Client, director: Actor, club: Club) -> None:
    event = evening(club, 4)
    draw_movement(actor=director, event=event)
    match = tables(event)[0]
    url = reverse("admin:league_match_changelist")
    assert match.label in text(owner.get(url, {"q": seats(match)[1].name}))


def test_blank_sheets_name_both_partners(client: Client, director: Actor, club: Club) -> None:
    event = evening(club, 4)
    draw_movement(actor=director, event=event)
    answer = client.get(reverse("blank_sheets_pdf", args=[club.slug, event.slug, 1]))
    (match,) = [each for each in tables(event) if each.round.number == 1]
    assert {match.side_name(0), match.side_name(1)} <= set(texts(answer.content))


def test_match_added_by_hand_has_two_on_each_side(owner: Client, director: Actor, club: Club) -> None:
    event = evening(club, 4)
    round_ = RoundFactory.create(event=event)
    ann, bob, cid, dee = event.entries.order_by("name")
    four = {"entry_a": ann, "entry_b": bob, "partner_a": cid}
    alone = refused_service("partners", add_match, actor=director, round_=round_, **four)
    assert alone.field == "partner_b"
    refused_service("same_entry", add_match, actor=director, round_=round_, **four, partner_b=ann)
    refused_service(
        "partners", add_match, actor=director, round_=round_, entry_a=ann, entry_b=None, partner_a=bob
    )
    data = {name: entry.pk for name, entry in four.items()} | {"partner_b": dee.pk, "table": "1"}
    answer = owner.post(page("round", round_, "add_match"), data, follow=True)
    assert "Ann + Cid v Bob + Dee was added" in text(answer)
    (match,) = tables(event)
    assert list(match.appearances.order_by("side", "position").values_list("entry__name", flat=True)) == [
        *("Ann", "Cid", "Bob", "Dee")
    ]
    refused_service("plays_already", add_match, actor=director, round_=round_, entry_a=cid, entry_b=None)


def test_partners_are_refused_where_they_do_not_rotate(director: Actor, event: Event) -> None:
    round_ = RoundFactory.create(event=event)
    a, b, c = (EntryFactory.create(event=event) for _ in range(3))
    refused_service("partners", add_match, actor=director, round_=round_, entry_a=a, entry_b=b, partner_a=c)


def test_table_plan_says_who_ones_partner_is(director: Actor, club: Club) -> None:
    event = evening(club, 4)
    draw_movement(actor=director, event=event)
    found = round_pairings(event.rounds.get(number=1), AS_WRITTEN)
    (match,) = found.matches
    for seat in found.seats:
        side = 0 if seat.name(AS_WRITTEN) in match.side_name(0) else 1
        assert (seat.plays_for, seat.against) == (match.side(side), match.side(1 - side))


def test_renamed_player_is_renamed_on_his_blank_sheets(director: Actor, club: Club) -> None:
    event = evening(club, 4)
    draw_movement(actor=director, event=event)
    player = event.entries.get(name="Ann").members.get().player
    change_player(actor=director, player=player, name="Anna")
    for match in tables(event):
        names = [side.name for side in sheet_of(match).sides.order_by("position")]
        assert names == [match.side_name(0), match.side_name(1)]
        assert "Anna" in " ".join(names)
