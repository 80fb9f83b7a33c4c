"""What pages show of events of every kind: groups, guests, earlier rounds, drafts, partners, seasons."""

import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import (
    Club,
    Entry,
    Event,
    EventState,
    Match,
    MatchState,
    Pyramid,
    Role,
    Round,
    RoundState,
    SeasonTable,
    Standing,
)
from league.pages.printing.standings import standings_pdf
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from scoring.models import SheetAct
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    big_event,
    count_table,
    play,
)
from tests.league.test_pages import read
from tests.markup import together
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club: Club) -> Event:
    return EventFactory.create(club=club, slug="open", name="Open")


def refresh(event: Event) -> None:
    count_table(event.pk)
    event.refresh_from_db()


def entries(event: Event, *names: str) -> list[Entry]:
    return [EntryFactory.create(event=event, name=name) for name in names]


def three_rounds(event: Event) -> list[Entry]:
    """Ann leads after the first round with +85, Bob after the second; the third is to come."""
    ann, bob, cid, dee = made = entries(event, "Ann", "Bob", "Cid", "Dee")
    for number, pairs in enumerate((((ann, cid), (bob, dee)), ((bob, cid), (dee, ann)), ()), start=1):
        round_ = RoundFactory.create(event=event, number=number)
        for a, b in pairs:
            points = 60 if a is ann else 40
            play(MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b), points, stopped=True)
    refresh(event)
    return list(made)


def test_arrows_say_who_has_gained_and_lost_places(client: Client, event: Event) -> None:
    three_rounds(event)
    # With 85 for 60 points and its box, 65 for 40: Ann 2 +20, Bob 4 +130, Dee 2 0, Cid 0 −150.
    text = read(client, "event", "harbour", "open")
    assert "▲ up 1 1 Bob 2 2–0–0" in text
    assert "▼ down 1 2 Ann" in text
    assert "▲" not in text[text.index("Dee") : text.index("Cid", text.index("Dee"))]


def test_the_table_as_of_an_earlier_round(client: Client, event: Event) -> None:
    three_rounds(event)
    response = client.get(reverse("event", args=["harbour", "open"]), {"round": "1"})
    content = response.content.decode()
    assert "as of round 1" in content
    assert '<option value="1" selected>1</option>' in content
    assert '<option value="3"' not in content
    table = event_table(event, AS_WRITTEN, as_of=1)
    assert [(row.named.name, row.standing.net, row.moved) for row in table.rows] == [
        *(("Ann", 85, None), ("Bob", 65, None)),
        *(("Dee", -65, None), ("Cid", -85, None)),
    ]
    assert "as of round 1" in " ".join(
        texts(standings_pdf(event, table, AS_WRITTEN, recalculating=False, as_of=1))
    )


@pytest.mark.parametrize("with_dates", [True, False])
def test_who_left_later_is_not_withdrawn_as_of_an_earlier_round(event: Event, with_dates: bool) -> None:
    three_rounds(event)
    if not with_dates:
        event.rounds.update(date=None)
    second_night = min(
        [
            *SheetAct.objects.filter(sheet__match__round__number=2).values_list("at", flat=True),
            *([datetime.datetime(2026, 1, 14, tzinfo=datetime.UTC)] if with_dates else []),
        ]
    )
    soon = datetime.timedelta(hours=1)
    for left, gone in ((second_night + soon, {1: False, 2: True}), (second_night - soon, {1: True, 2: True})):
        Entry.objects.filter(event=event, name="Cid").update(withdrawn_at=left)
        for as_of, expected in gone.items():
            rows = {row.named.name: row for row in event_table(event, AS_WRITTEN, as_of=as_of).rows}
            assert rows["Cid"].withdrawn == expected, (left, as_of)
        assert {row.named.name for row in event_table(event, AS_WRITTEN).rows if row.withdrawn} == {"Cid"}


def test_points_of_a_late_entry_have_a_footnote(client: Client, event: Event) -> None:
    three_rounds(event)
    Event.objects.filter(pk=event.pk).update(late_points=1)
    EntryFactory.create(event=event, name="Eve", first_round=3)
    EntryFactory.create(event=event, name="Fay", first_round=3, is_guest=True)
    refresh(event)
    text = read(client, "event", "harbour", "open")
    assert "† Eve: 2 points added: entered late: rounds 1 to 2 missed" in text
    assert "Fay: 2 points" not in text


@pytest.mark.parametrize("asked", ["3", "9", "0", "-1", "x", "１", "999999"])
def test_there_is_no_table_of_a_round_that_was_not_begun(client: Client, event: Event, asked: str) -> None:
    three_rounds(event)
    response = client.get(reverse("event", args=["harbour", "open"]), {"round": asked})
    assert response.status_code == 404


def test_every_criterion_has_its_figures_and_its_help(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(criteria=["match_points", "buchholz", "net"])
    event.refresh_from_db()
    three_rounds(event)
    text = read(client, "event", "harbour", "open")
    # Bob beat Dee (2) and Cid (0), Ann met Cid (0) and Dee (2): 2 each.
    assert "Points Pts Buchholz" in text
    assert "1 Bob 2 2–0–0 +130 4 2 Buchholz 2" in text
    assert "What they mean Match points Points for sheets won" in text
    assert "Buchholz The match points of all opponents met" in text


def test_tie_breaks_stand_in_every_row_on_a_phone_and_on_paper(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(criteria=["match_points", "buchholz", "net"])
    event.refresh_from_db()
    three_rounds(event)
    # Dee met Bob (4 points) and Ann (2), Ann met Cid (0) and Dee (2); both have 2 points.
    rows = {row.named.name: row for row in event_table(event, AS_WRITTEN).rows}
    assert (rows["Dee"].above_next_by, rows["Dee"].ahead) == ("buchholz", ("6", "2"))
    assert rows["Bob"].ahead is None
    content = client.get(reverse("event", args=["harbour", "open"])).content.decode()
    assert content.count('<tr class="narrow-only tie-breaks') == 4
    assert "by Buchholz, 6 to 2" in together(content)
    said = texts(standings_pdf(event, event_table(event, AS_WRITTEN), AS_WRITTEN, recalculating=False))
    assert "Buchholz" in said[: said.index("Bob")]
    assert said[said.index("Dee") :][:7] == ["Dee", "2", "1–0–1", "0", "2", "6", "by Buchholz"]


def test_criteria_without_room_for_columns_stand_in_a_second_line_on_paper(event: Event) -> None:
    names = ["buchholz", "buchholz_cut1", "median_buchholz", "sonneborn_berger", "opponents_net"]
    Event.objects.filter(pk=event.pk).update(criteria=["match_points", *names, "hands_won", "gins", "net"])
    event.refresh_from_db()
    three_rounds(event)
    said = texts(standings_pdf(event, event_table(event, AS_WRITTEN), AS_WRITTEN, recalculating=False))
    line = next(words for words in said[said.index("Bob") :] if words.startswith("Buchholz"))
    assert line.startswith("Buchholz 2 · Buchholz cut 1 ")
    assert line.endswith(" · Hands won 2 · Gins 0")


def test_a_knockout_says_that_the_bracket_decides(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="single")
    event.refresh_from_db()
    entries(event, "Ann", "Bob")
    refresh(event)
    text = read(client, "event", "harbour", "open")
    assert "How ties are decided Place Match points" in text
    # Nobody has played, so nothing puts anybody above another yet.
    assert "by lot" not in text[: text.index("How ties are decided")]


def test_groups_have_tables_of_their_own(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="groups", group_count=2, qualifiers=1)
    event.refresh_from_db()
    ann, bob, cid, dee = entries(event, "Ann", "Bob", "Cid", "Dee")
    for group, (a, b) in enumerate(((ann, bob), (cid, dee)), start=1):
        Entry.objects.filter(pk__in=[a.pk, b.pk]).update(group=group)
        round_ = Round.objects.filter(event=event).first() or RoundFactory.create(event=event)
        play(MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b), 40, stopped=True)
    refresh(event)
    sections = event_table(event, AS_WRITTEN).sections
    assert [(each.group, [row.named.name for row in each.rows]) for each in sections] == [
        (1, ["Ann", "Bob"]),
        (2, ["Cid", "Dee"]),
    ]
    assert [row.leading for each in sections for row in each.rows] == [True, False, True, False]
    text = read(client, "event", "harbour", "open")
    tables = text[text.index("Group 1") :]
    assert tables.index("Ann") < tables.index("Group 2") < tables.index("Cid")
    assert {"Group 1", "Group 2"} <= set(
        texts(standings_pdf(event, event_table(event, AS_WRITTEN), AS_WRITTEN, recalculating=False))
    )
    square = read(client, "event_crosstable", "harbour", "open")
    assert "Group 1 Player 1 2 1 Ann +65 2 Bob −65 Group 2" in square


def test_guests_stand_under_the_table_without_a_place(client: Client, event: Event) -> None:
    three_rounds(event)
    guest = EntryFactory.create(event=event, name="Gus")
    Entry.objects.filter(pk=guest.pk).update(is_guest=True)
    text = read(client, "event", "harbour", "open")
    assert "– Gus guest" in text
    assert "Guests play and have no place." in text


def test_a_draft_is_seen_by_directors_alone(client: Client, club: Club, event: Event) -> None:
    season = SeasonFactory.create(club=club, slug="winter")
    Event.objects.filter(pk=event.pk).update(state=EventState.DRAFT, season=season)
    pages: dict[str, list[str]] = {
        "club": ["harbour"],
        "season": ["harbour", "winter"],
        "players": ["harbour"],
    }
    for name, arguments in pages.items():
        assert "Open" not in read(client, name, *arguments), name
    for name in ("event", "event_rounds", "event_crosstable", "event_standings_pdf", "crosstable_pdf"):
        assert client.get(reverse(name, args=["harbour", "open"])).status_code == 404, name
    client.force_login(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    assert client.get(reverse("event", args=["harbour", "open"])).status_code == 404
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert "Open draft" in read(client, "club", "harbour")
    assert "Only directors see this event." in read(client, "event", "harbour", "open")


def test_a_director_of_another_club_sees_no_draft(client: Client, event: Event) -> None:
    Event.objects.update(state=EventState.DRAFT)
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    assert client.get(reverse("event", args=["harbour", "open"])).status_code == 404


def test_a_drafted_round_is_on_no_page_but_a_directors(client: Client, club: Club, event: Event) -> None:
    match = MatchFactory.create(event=event, entry_a=EntryFactory.create(event=event, name="Ann"))
    Round.objects.update(state=RoundState.DRAFTED)
    hidden = [
        reverse("round", args=["harbour", "open", 1]),
        reverse("match", args=["harbour", "open", match.code]),
        reverse("blank_sheets_pdf", args=["harbour", "open", 1]),
    ]
    ann = match.entry_a.players.get()
    assert [client.get(address).status_code for address in hidden] == [404, 404, 404]
    assert "No round yet." in read(client, "event_rounds", "harbour", "open")
    assert (
        match.code not in client.get(reverse("event_crosstable", args=["harbour", "open"])).content.decode()
    )
    assert "No match yet." in read(client, "player", "harbour", ann.code)
    assert "not begun" not in read(client, "club", "harbour")
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert [client.get(address).status_code for address in hidden] == [200, 200, 200]
    assert "draft only directors see this round" in read(client, "round", "harbour", "open", 1)
    assert "0 of 1 draft" in read(client, "event_rounds", "harbour", "open")


def test_partners_stand_together_everywhere(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="rotation", team_size=2)
    event.refresh_from_db()
    made = [
        EntryFactory.create(
            event=event, name=name, players=[PlayerFactory.create(club=event.club, name=name)]
        )
        for name in ("Ann", "Bob", "Cid", "Dee")
    ]
    ann, bob, cid, dee = made
    match = MatchFactory.create(
        event=event,
        entry_a=ann,
        entry_b=bob,
        lineup_a=[ann.players.get(), cid.players.get()],
        lineup_b=[bob.players.get(), dee.players.get()],
    )
    Match.objects.filter(pk=match.pk).update(
        partner_a=cid, partner_b=dee, state=MatchState.FINISHED, net=-70, winner_side=1, columns_b=2
    )
    for entry in (cid, dee):
        match.appearances.filter(player=entry.players.get()).update(entry=entry)
    assert "Ann + Cid 0 – 2 Ann + Cid v Bob + Dee Bob + Dee +70" in read(
        client, "round", "harbour", "open", 1
    )
    assert "Bob + Dee with Ann" in read(client, "player", "harbour", cid.players.get().code)
    by_rounds = read(client, "event_crosstable", "harbour", "open")
    assert "1 Ann with 3 v 2, 4 −70 2 Bob with 4 v 1, 3 +70" in by_rounds


def test_a_round_says_why_its_pairs_meet_and_when_they_play(client: Client, event: Event) -> None:
    first, second, third = (
        MatchFactory.create(
            event=event,
            round=Round.objects.filter(event=event).first() or RoundFactory.create(event=event),
            entry_a=a,
            entry_b=b,
        )
        for a, b in zip(entries(event, "Ann", "Bob", "Cid"), entries(event, "Dee", "Eve", "Fay"), strict=True)
    )
    Match.objects.filter(pk=first.pk).update(reasons=["same score", "floated down: odd group"])
    Match.objects.filter(pk=second.pk).update(deadline=datetime.date(2026, 1, 12))
    Match.objects.filter(pk=third.pk).update(
        deadline=datetime.date(9999, 1, 1), planned_on=datetime.date(2026, 1, 20)
    )
    text = read(client, "round", "harbour", "open", 1)
    assert "Why these pairs Ann v Dee same score; floated down: odd group" in text
    assert "Bob v Bob v Eve Eve due by 12 Jan" in text
    assert "Cid v Cid v Fay Fay on 20 Jan" in text
    late, moved = (read(client, "match", "harbour", "open", match.code) for match in (second, third))
    assert "due by 12 January 2026" in late
    assert "To be played on Tuesday 20 January 2026. Due by 1 January 9999." in moved


def test_a_round_sat_out_is_told_from_a_bye(client: Client, event: Event) -> None:
    bye, absent = (
        MatchFactory.create(event=event, entry_a=entry, entry_b=None)
        for entry in entries(event, "Ann", "Bob")
    )
    Match.objects.filter(pk=absent.pk).update(state=MatchState.ABSENT)
    round_ = Round.objects.filter(matches=absent).get()
    assert "Bob sits out" in read(client, "round", "harbour", "open", round_.number)
    assert "Bob has asked to sit this round out." in read(client, "match", "harbour", "open", absent.code)
    player = absent.entry_a.players.get()
    assert "sat out, points: 1" in read(client, "player", "harbour", player.code)
    assert "Ann has a bye in this round." in read(client, "match", "harbour", "open", bye.code)


def test_the_players_of_a_team_event_have_a_table(client: Client, club: Club) -> None:
    event = EventFactory.create(club=club, slug="teams", team_size=2)
    a, b = entries(event, "Lights", "Anchors")
    play(MatchFactory.create(event=event, entry_a=a, entry_b=b), 40, stopped=True)
    refresh(event)
    text = read(client, "event_players", "harbour", "teams")
    assert "1 = Lights 1 1 1–0–0" in text
    assert "−65" in text
    assert client.get(reverse("event_players", args=["harbour", "teams"])).status_code == 200
    single = EventFactory.create(club=club, slug="single")
    assert client.get(reverse("event_players", args=["harbour", single.slug])).status_code == 404


def test_a_season_table_adds_places_up(client: Client, club: Club) -> None:
    table = SeasonTable.objects.create(
        club=club, name="Best of the Year", slug="year", place_points=[5, 3, 1], best=1
    )
    ann, bob = (PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob"))
    for slug, order in (("first", (ann, bob)), ("second", (bob, ann)), ("third", (ann, bob))):
        event = EventFactory.create(club=club, slug=slug, name=slug.title(), state=EventState.FINISHED)
        for rank, player in enumerate(order, start=1):
            entry = EntryFactory.create(event=event, name=player.name, players=[player])
            Standing.objects.create(
                event=event,
                entry=entry,
                position=rank,
                rank=rank,
                played=1,
                wins=0,
                draws=0,
                losses=0,
                points=0,
                net=0,
                columns_won=0,
                boxes=0,
            )
        table.events.add(event)
    table.events.add(EventFactory.create(club=club, name="Secret", state=EventState.DRAFT))
    table.events.add(EventFactory.create(club=club, name="Still on"))
    text = read(client, "season_table", "harbour", "year")
    assert "3 events count, the best 1 of each player" in text
    assert "1 Ann 5 1. 5 2. 3 does not count 1. 5 does not count" in text
    assert "From the first place on: 5 · 3 · 1." in text
    assert "Not finished yet: Still on ." in text
    assert "Secret" not in text
    assert "Best of the Year" in read(client, "club", "harbour")


def test_divisions_stand_from_the_top_season_by_season(client: Client, club: Club) -> None:
    pyramid = Pyramid.objects.create(club=club, name="Harbour Divisions", slug="harbour", moving=1)
    season = SeasonFactory.create(club=club, name="Winter")
    for level, name in ((2, "Second"), (1, "First")):
        event = EventFactory.create(club=club, name=name, season=season)
        Event.objects.filter(pk=event.pk).update(pyramid=pyramid, level=level)
        entries(event, f"{name} A", f"{name} B", f"{name} C")
    text = read(client, "divisions", "harbour", "harbour")
    assert "Winter First 3 entries · 1 goes down Second 3 entries · 1 goes up" in text
    assert "Harbour Divisions" in read(client, "club", "harbour")
    Event.objects.filter(name="Second").update(state=EventState.DRAFT)
    assert "Second" not in read(client, "divisions", "harbour", "harbour")


def test_a_crosstable_has_the_net_seen_from_its_row(client: Client, event: Event) -> None:
    three_rounds(event)
    text = read(client, "event_crosstable", "harbour", "open")
    assert "1 Bob +65 +65 2 Ann −65 +85 3 Dee −65 +65 4 Cid −65 −85" in text
    response = client.get(reverse("event_crosstable", args=["harbour", "open"]), {"by": "rounds"})
    assert "<small>4</small>+85" in together(response.content.decode())


@pytest.mark.dear("needs a table of many entries")
def test_a_long_crosstable_comes_in_pages(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="swiss")
    event.refresh_from_db()
    big_event(entries=512, matches=256 * 9, event=event, sheets=False)
    address = reverse("event_crosstable", args=["harbour", "open"])
    with CaptureQueriesContext(connection) as queries:
        first = client.get(address).content.decode()
    assert len(queries) < 10
    assert len(first) < 500_000
    last = client.get(address, {"page": "2"}).content.decode()
    rows = [content.count('<th scope="row"') for content in (first, last)]
    assert sum(rows) == 512
    assert client.get(address, {"page": "٣"}).status_code == 200
    assert client.get(address, {"page": "99"}).content.decode().count('<th scope="row"') == rows[1]


def test_a_crosstable_of_more_columns_than_fit_is_printed_on_several_sheets(
    client: Client, event: Event
) -> None:
    big_event(entries=30, matches=435, event=event, sheets=False)
    pdf = client.get(reverse("crosstable_pdf", args=["harbour", "open"])).content
    said = texts(pdf)
    # 24 columns and then 6, each with all names.
    assert said.count("open 0000") == 2
    assert said.count("Crosstable") == 2


@pytest.mark.parametrize("format", ["ladder", "consolation", "swiss"])
def test_event_without_entries_has_no_empty_tables(client: Client, format: str) -> None:
    event = EventFactory.create(format=format, club__is_public=True)
    for name in ("event", "event_crosstable"):
        shown = client.get(reverse(name, args=[event.club.slug, event.slug])).content.decode()
        assert "Nobody has entered yet." in shown
        assert "<thead>" not in shown
    EntryFactory.create(event=event, name="Ann")
    standings = client.get(reverse("event", args=[event.club.slug, event.slug])).content.decode()
    assert "Nobody has entered yet." not in standings
