"""The bracket of an event for pages and print: each tie with its sides and its result."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.core.bracket_layout import Node
from league.draws.formats import bracket_format_of
from league.models import (
    PLAYED,
    BracketPart,
    Entry,
    Event,
    Match,
    MatchState,
    Round,
    Tie,
    TieDecision,
    marked,
)
from league.policy.naming import Names
from league.policy.withholding import hide_withheld, without_results
from league.tables.drawn_brackets import played_ties
from scoring.templatetags.figures import signed


@dataclass(frozen=True, slots=True)
class TieSide:
    """One side of a tie. `name` is empty while nobody stands there; `waits` then says for whom."""

    name: str
    seed: int | None
    waits: str
    is_winner: bool
    score: str
    is_bot: bool = False

    def __str__(self) -> str:
        return marked(self.name, is_bot=self.is_bot)


@dataclass(frozen=True, slots=True)
class TieView:
    """A tie with its sheets, except those of drafted rounds.

    The score is sheets won if a tie has several, otherwise the net, on the winner's side. `note` adds how it
    was decided or where it stands. A bye has one side; a tie `if_needed` may not be played.
    """

    tie: Tie
    sides: tuple[TieSide, TieSide]
    matches: Sequence[Match]
    note: str
    is_bye: bool
    if_needed: bool
    is_playing: bool

    @property
    def match(self) -> Match | None:
        """The sheet to link to: the one in play, otherwise the last."""
        playing = [match for match in self.matches if match.state == MatchState.PLAYING]
        return next(iter([*playing, *reversed(self.matches)]), None)

    @property
    def is_decided(self) -> bool:
        """True if the tie has been decided."""
        return bool(self.tie.decided_by)


@dataclass(frozen=True, slots=True)
class Stage:
    """The ties of one level of a part, with their heading."""

    heading: str
    anchor: str
    ties: Sequence[TieView]


@dataclass(frozen=True, slots=True)
class BracketView:
    """A whole bracket; `stages` are in order of play and leave out ties that are not needed.

    `second_prize` is the name of a part with a winner of its own, and that winner.
    """

    stages: Sequence[Stage]
    champion: Entry | None
    second_prize: tuple[str, Entry] | None = None

    @property
    def ties(self) -> Mapping[int, TieView]:
        """Every tie by its number."""
        return {view.tie.number: view for stage in self.stages for view in stage.ties}

    @property
    def nodes(self) -> Sequence[Node]:
        """The ties as the layout takes them."""
        numbers = {view.tie.pk: number for number, view in self.ties.items()}
        return [_node(view, numbers) for view in self.ties.values()]

    @property
    def headings(self) -> Mapping[tuple[str, int], str]:
        """The heading of each part and level."""
        return {(stage.ties[0].tie.part, stage.ties[0].tie.level): stage.heading for stage in self.stages}


def event_bracket(
    event: Event, names: Names, *, seen: QuerySet[Round], withheld_too: bool = False
) -> BracketView | None:
    """Return the bracket, in three queries, four with a plate; None if none of its rounds are `seen`.

    Results of rounds that are not released are left out unless `withheld_too`.
    """
    ties = list(
        Tie.objects.filter(event=event).select_related("entry_a", "entry_b", "round").order_by("number")
    )
    rounds = set(seen.filter(event=event).values_list("pk", flat=True))
    if not any(tie.round_id in rounds for tie in ties):
        return None
    sheets: dict[int, list[Match]] = {}
    matches = (
        Match.objects.filter(event=event, tie__isnull=False, round__in=rounds)
        .with_sides("sheet", "round")
        .defer("sheet__derived", "sheet__paper")
        .order_by("leg", "id")
    )
    if not withheld_too:
        hide_withheld(event, ties, rounds)
    for match in matches if withheld_too else without_results(matches, event):
        if match.tie_id is not None:
            sheets.setdefault(match.tie_id, []).append(match)
    has_plate = any(tie.part == BracketPart.PLATE for tie in ties)
    reader = _ViewBuilder(event, names, ties, played_ties(event) if has_plate else frozenset())
    views = [reader.view(tie, sheets.get(tie.pk, [])) for tie in ties]
    return BracketView(_stages(event, views), champion_of(ties), _second_prize(event, ties))


class _ViewBuilder:
    """Looks up the seeds and origins of entries among the ties."""

    def __init__(self, event: Event, names: Names, ties: Sequence[Tie], played: frozenset[int]) -> None:
        self.event = event
        self.names = names
        self.played = played
        self.seeds = {
            entry: seed
            for tie in ties
            for entry, seed in ((tie.entry_a_id, tie.seed_a), (tie.entry_b_id, tie.seed_b))
            if entry is not None and seed is not None
        }
        self.by_id = {tie.pk: tie for tie in ties}
        self.comes_from: dict[tuple[int, int], str] = {}
        for tie in ties:
            if tie.winner_to_id is not None and tie.winner_to_side is not None:
                words = _("winner of %(number)s") % {"number": tie.number}
                self.comes_from[tie.winner_to_id, tie.winner_to_side] = words
            if tie.loser_to_id is not None and tie.loser_to_side is not None:
                lost_at = self._deciding_loss(tie)
                words = _("bye") if lost_at is None else _("loser of %(number)s") % {"number": lost_at.number}
                self.comes_from[tie.loser_to_id, tie.loser_to_side] = words

    def _deciding_loss(self, tie: Tie) -> Tie | None:
        """Return the tie whose loser is awaited, None if nobody comes any more.

        A place in a plate may be filled from a later tie than the one it belongs to.
        """
        if tie.loser_to_id is None or self.by_id[tie.loser_to_id].part != BracketPart.PLATE:
            return tie
        while tie.decided_by and tie.number not in self.played and tie.winner_to_id is not None:
            tie = self.by_id[tie.winner_to_id]
        return None if tie.decided_by else tie

    def view(self, tie: Tie, sheets: Sequence[Match]) -> TieView:
        entries = (tie.entry_a, tie.entry_b)
        scores = _scores(self.event, tie, sheets)
        sides = [self._side(tie, side, entries[side], scores[side]) for side in (0, 1)]
        empty = [
            tie.entry_b_id is None and tie.seed_b is None and (tie.pk, 1) not in self.comes_from,
            tie.entry_a_id is None and tie.seed_a is None and (tie.pk, 0) not in self.comes_from,
        ]
        playing = any(match.state == MatchState.PLAYING for match in sheets)
        return TieView(
            tie,
            (sides[0], sides[1]),
            sheets,
            _note(tie, sheets),
            tie.decided_by == TieDecision.BYE or any(empty),
            tie.part == BracketPart.RESET and not tie.decided_by,
            playing and not tie.decided_by,
        )

    def _side(self, tie: Tie, side: int, entry: Entry | None, score: str) -> TieSide:
        if entry is None:
            return TieSide("", None, self.comes_from.get((tie.pk, side), _("bye")), False, "")
        won = tie.winner_id == entry.pk
        return TieSide(self.names.entry(entry), self.seeds.get(entry.pk), "", won, score, entry.is_bot)


def _scores(event: Event, tie: Tie, sheets: Sequence[Match]) -> tuple[str, str]:
    """Return the score of each side: sheets won if a tie has several, otherwise the net at the winner's."""
    counted = [match for match in sheets if match.is_counted]
    if not counted:
        return "", ""
    # An entry may change sides from sheet to sheet.
    won_by = [
        (match.entry_a_id if match.winner_side == 0 else match.entry_b_id)
        for match in counted
        if match.winner_side is not None
    ]
    if event.best_of > 1:
        return str(won_by.count(tie.entry_a_id)), str(won_by.count(tie.entry_b_id))
    last = counted[-1]
    if last.state not in PLAYED or last.winner_side is None:
        return "", ""
    words = signed(abs(last.net))
    return (words, "") if won_by[-1] == tie.entry_a_id else ("", words)


def _note(tie: Tie, sheets: Sequence[Match]) -> str:
    """Return how a tie was decided if not by its sheets, or where an undecided one stands."""
    said = (
        {
            TieDecision.BYE: _("bye"),
            TieDecision.WALKOVER: _("walkover"),
            TieDecision.HIGHER_SEED: _("by higher seed"),
            TieDecision.LOT: _("by lot"),
            TieDecision.DIRECTOR: _("by the director"),
            TieDecision.NOT_NEEDED: _("not needed"),
        }.get(TieDecision(tie.decided_by))
        if tie.decided_by
        else None
    )
    if said or tie.decided_by:
        return said or ""
    if any(match.held for match in sheets):
        return _("pending")
    if any(match.state == MatchState.PLAYING for match in sheets):
        return _("playing")
    if tie.part == BracketPart.RESET:
        return _("if needed")
    return ""


def champion_of(ties: Iterable[Tie]) -> Entry | None:
    """Return the winner of the last final that was needed."""
    finals = [tie for tie in ties if tie.part in (BracketPart.FINAL, BracketPart.RESET)]
    last = next((tie for tie in reversed(finals) if tie.decided_by != TieDecision.NOT_NEEDED), None)
    return None if last is None else last.winning_entry


def _second_prize(event: Event, ties: Iterable[Tie]) -> tuple[str, Entry] | None:
    """Return the part with a winner of its own and that winner, once its last tie is decided."""
    part = bracket_format_of(event).second_prize
    last = next((tie for tie in ties if tie.part == part and tie.winner_to_id is None), None)
    if last is None or last.winning_entry is None:
        return None
    return last.get_part_display(), last.winning_entry


def _stages(event: Event, views: Iterable[TieView]) -> Sequence[Stage]:
    grouped: dict[tuple[str, int], list[TieView]] = {}
    for view in views:
        if view.tie.decided_by != TieDecision.NOT_NEEDED:
            grouped.setdefault((view.tie.part, view.tie.level), []).append(view)
    own = bracket_format_of(event)
    losers = max((level for part, level in grouped if part == BracketPart.LOSERS), default=0)
    ordered = sorted(grouped.items(), key=lambda item: (item[1][0].tie.stage, item[1][0].tie.number))
    return [
        Stage(own.stage_heading(part, level, len(ties), losers), f"{part}-{level}", ties)
        for (part, level), ties in ordered
    ]


def _node(view: TieView, numbers: Mapping[int, int]) -> Node:
    tie = view.tie
    goal = None
    if tie.winner_to_id is not None and tie.winner_to_side is not None and tie.winner_to_id in numbers:
        goal = (numbers[tie.winner_to_id], tie.winner_to_side)
    return Node(tie.number, tie.part, tie.level, goal, drawn=not view.is_bye)
