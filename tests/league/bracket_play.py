"""What the tests of brackets share: a cup whose sheets end with one deal, played and corrected by name."""

from league.draws.brackets import draw_bracket
from league.draws.group_rounds import draw_groups
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.models import Club, Entry, Event, Match, Round
from league.tables.placings import placings
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services import correct_deals, stop_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, EntryFactory, EventFactory, house_rules, play, sheet_of, won
from tests.league.simulation import SHORT


def cup(club: Club, count: int, *, format: str = "single", **values: object) -> Event:
    """A running event with entries E1, E2 …, seeded in that order."""
    event: Event = EventFactory.create(
        club=club, name="Harbour Cup", format=format, rules=house_rules(**SHORT), **values
    )
    for number in range(1, count + 1):
        EntryFactory.create(event=event, name=f"E{number}", seed=number)
    return event


def drawn(event: Event) -> Round:
    """The bracket is drawn and its first round published."""
    return publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))


def next_round(event: Event, *, despite_missing: bool = False) -> Round:
    """The next round, paired and published."""
    round_ = draft_round(actor=OPERATOR, event=event, despite_missing=despite_missing)
    return publish_round(actor=OPERATOR, round_=round_)


def after_first_round(event: Event, *winners: str) -> Event:
    """The event, once its bracket is drawn, its first ties are won by these, and the next round is paired."""
    drawn(event)
    for tie, name in enumerate(winners, start=1):
        win(event, tie, name)
    next_round(event)
    return event


def match_of(event: Event, tie: int, leg: int = 1) -> Match:
    """A sheet of a tie, by their numbers."""
    match: Match = Match.objects.select_related("sheet", "event").get(event=event, tie__number=tie, leg=leg)
    return match


def win(event: Event, tie: int, name: str, leg: int = 1) -> None:
    """The sheet of a tie is won by this entry, and the table made anew."""
    match = match_of(event, tie, leg)
    play(match, 5 if match.entry_a.name == name else -5)
    recalculate(event.pk)


def draw_it(event: Event, tie: int, leg: int = 1) -> None:
    """The sheet of a tie ends without a winner."""
    sheet = match_of(event, tie, leg).sheet
    assert sheet is not None
    stop_sheet(actor=OPERATOR, sheet=sheet)
    recalculate(event.pk)


def correct(event: Event, tie: int, name: str, by: Actor = OPERATOR) -> None:
    """The first sheet of a tie is corrected so that this entry has won it, and the table made anew."""
    correct_first_deal(match_of(event, tie), name, by)
    recalculate(event.pk)


def correct_first_deal(match: Match, winner: str, by: Actor = OPERATOR) -> None:
    """The first deal of a match is corrected: this side, by its name on the sheet, has won 7 points."""
    sheet = Scoresheet.objects.get(pk=sheet_of(match).pk)
    first, second = (side.name for side in kept_sheet(sheet).sides)
    correct_deals(
        actor=by,
        sheet=sheet,
        changes={1: won(winner, second if winner == first else first, 7)},
        reason="misread",
        expected_version=sheet.version,
    )


def ties(event: Event) -> dict[int, str]:
    """Who stands where and who has won, as stored."""
    return {
        tie.number: f"{tie.entry_a or '?'}-{tie.entry_b or '?'}"
        + (f" {tie.winner or 'nobody'} by {tie.decided_by}" if tie.decided_by else "")
        for tie in event.ties.select_related("entry_a", "entry_b", "winner")
    }


def places(event: Event) -> dict[str, int]:
    """The places by name."""
    named = dict(Entry.objects.filter(event=event).values_list("pk", "name"))
    return {named[pk]: place for pk, place in placings(event).items()}


def pairs(round_: Round) -> list[str]:
    """Who meets whom in a round, in order of tables."""
    return [str(match) for match in round_.matches.exclude(entry_b=None).order_by("table")]


def drawn_from_groups(club: Club) -> Event:
    """Eight in two groups, two of each go on; the bracket's first round is published."""
    event = cup(club, 8, format="groups", group_count=2, qualifiers=2)
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event", "entry_a", "entry_b"):
        assert match.entry_b is not None
        play(match, seed_of(match.entry_b) - seed_of(match.entry_a))
    recalculate(event.pk)
    publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    event.refresh_from_db()
    return event


def seed_of(entry: Entry) -> int:
    return int(entry.name.removeprefix("E"))


def turn_over(event: Event, group: int, by: Actor = OPERATOR) -> None:
    """The last two of a group have won all they played, as is found out later."""
    best = list(event.entries.filter(group=group).order_by("-seed"))[:2]
    for match in event.matches.filter(tie=None, entry_a__group=group).exclude(entry_b=None):
        assert match.sheet is not None
        assert match.entry_b is not None
        winner, loser = match.entry_a.name, match.entry_b.name
        if (match.entry_b in best, seed_of(match.entry_b)) > (match.entry_a in best, seed_of(match.entry_a)):
            winner, loser = loser, winner
        correct_deals(
            actor=by,
            sheet=match.sheet,
            changes={1: won(winner, loser, 7)},
            reason="misread",
            expected_version=match.sheet.version,
        )
    recalculate(event.pk)
