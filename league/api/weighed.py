"""Hints, and what one's own choices cost, at a table and over time: told to who made them, as on the pages.

The services are those of the pages, and so are their refusals. Whoever is not told what choices cost, or not
yet, gets a 404.
"""

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.bots.appraising import ChoiceKind
from games.models import TableMatch
from games.services import hint
from games.services.hands import hands_over, of_seat
from games.services.reports import MOST_MATCHES, MatchCosts, costs_of
from games.services.seen_tables import SeenTable
from games.services.shown_hands import dear_choices, own_report, tells_reports
from league.api import table_examples
from league.api.answers import READING, answers
from league.api.asking import actor_for, who_of
from league.api.at_table import AskedTable, AtTable
from league.api.games import OfOneClub
from league.api.versions import etag_of
from league.core.pictures.cost_line import WINDOW, Costs, running_means, together
from league.people.friendlies import tables_in
from league.policy import plays_as


class EstimateTold(serializers.Serializer[Any]):
    """An action that was weighed for a hint."""

    action = serializers.CharField()
    value = serializers.FloatField(help_text="A chance to win the game, 0 to 1, or points of the hand.")
    samples = serializers.IntegerField(help_text="The number of deals in which it was played out.")
    is_chance = serializers.BooleanField(help_text="Whether the value is a chance.")


class HintTold(serializers.Serializer[Any]):
    """What is best on a version of the table, by what the seat sees."""

    version = serializers.IntegerField(help_text="Of the table.")
    action = serializers.CharField(source="advice.action", help_text="As `legal` has it.")
    weighed = EstimateTold(
        many=True,
        source="advice.estimates",
        help_text="The best first; none if there was no other sensible choice.",
    )
    error = serializers.FloatField(
        source="advice.error",
        help_text=(
            "By how much the difference of the first two is off, one standard error: in percent where they "
            "are chances, else in points."
        ),
    )


class OptionTold(serializers.Serializer[Any]):
    """An option of a choice, and what speaks for it or against it; null where that is no question."""

    action = serializers.CharField()
    points = serializers.FloatField(help_text="The points of the hand that it is worth.")
    deadwood = serializers.IntegerField(help_text="What it leaves at best.")
    risk = serializers.FloatField(
        allow_null=True,
        help_text="The chance, 0 to 1, that the next player melds the card, or that the knock is undercut.",
    )
    knocking = serializers.IntegerField(
        allow_null=True, help_text="The unseen cards with which the player could knock next."
    )


class WeighedTold(serializers.Serializer[Any]):
    """A choice that was weighed."""

    move = serializers.IntegerField(help_text="Which action of the hand it was, from 1.")
    kind = serializers.ChoiceField(
        choices=[(kind.value, kind.name) for kind in ChoiceKind],
        source="appraisal.kind",
        help_text="What it was about.",
    )
    chosen = serializers.CharField(source="appraisal.chosen")
    better = serializers.CharField(
        source="appraisal.better", allow_null=True, help_text="Null where nothing else was better."
    )
    cost = serializers.FloatField(
        source="appraisal.cost",
        help_text="In points of the hand. In rummy and partners a large cost is overstated (RULES §11).",
    )
    error = serializers.FloatField(source="appraisal.error", help_text="The standard error of the cost.")
    is_clear = serializers.BooleanField(
        source="appraisal.is_clear", help_text="Whether the cost is more than chance would make it."
    )
    options = OptionTold(
        many=True,
        source="appraisal.options",
        help_text="The best first; none if there was no other sensible choice.",
    )


class DearTold(WeighedTold):
    """A choice that cost clearly something."""

    deal = serializers.IntegerField()


class HandReportTold(serializers.Serializer[Any]):
    """What one's choices in a hand cost."""

    deal = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="Your own.")
    is_weighed = serializers.BooleanField(help_text="False until the hand is weighed, soon after its end.")
    choices = WeighedTold(many=True, help_text="In their order; none of a hand that could not be weighed.")


class ReportTold(serializers.Serializer[Any]):
    """What cost one most at a table."""

    seat = serializers.IntegerField(help_text="Your own.")
    dearest = DearTold(
        many=True, help_text="Up to three choices of the hands that are over, the dearest first."
    )


class CostTold(serializers.Serializer[Any]):
    """What choices of a kind cost."""

    choices = serializers.IntegerField(help_text="How many there were.")
    points = serializers.FloatField(help_text="What they cost together, in points of the hands.")
    mean = serializers.FloatField(help_text="What a choice cost; 0 where there was none.")


class MatchCostTold(CostTold):
    """A match on a curve."""

    table = serializers.CharField()
    begun_at = serializers.DateTimeField()
    latest = serializers.FloatField(
        help_text=f"The mean of the latest {WINDOW} matches up to this one, all choices counting alike."
    )


class CurveTold(CostTold):
    """What choices of a kind cost over time."""

    kind = serializers.ChoiceField(choices=[(kind.value, kind.name) for kind in ChoiceKind])
    matches = MatchCostTold(many=True, help_text="In the order played; a match may have no such choice.")


class OwnPlayTold(serializers.Serializer[Any]):
    """How one plays."""

    curves = CurveTold(many=True, help_text="Discards, takes and knocks.")


class WeighedHints(AtTable):
    """What is weighed for who sits at a table."""

    @extend_schema(
        operation_id="table_hint",
        tags=["tables"],
        summary="A hint",
        description=(
            "What is best in your seat by what it sees, in a friendly game of yours alone among bots, the "
            "same however often you ask. There is none while you play a member, or a game that "
            "counts, anywhere on the site."
        ),
        parameters=[table_examples.ETAG],
        responses=answers(
            {200: OpenApiResponse(HintTold, description="The hint.")},
            (*READING, 403, 409),
            s403="You have no seat at this table.",
            s409="What is stored of the hand in play cannot be read; a director says how it goes on.",
            s422="No hints are given here or to you now, it is not your turn, or there is nothing to choose.",
        ),
        examples=[OpenApiExample("A hint", value=table_examples.HINT, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def hint(self, request: Request, code: str) -> Response:
        """Return what is best for the reader's seat."""
        asked = AskedTable.of(code)
        self.seat_or_404(asked)
        actor = actor_for(request)
        return _told(HintTold(hint(actor=actor, match=_loaded(asked), seat=self.own_seat(asked))))

    @extend_schema(
        operation_id="table_hand_report",
        tags=["tables"],
        summary="What your choices in a hand cost",
        description=(
            "Of a hand that you have played and that is over. Against a member it is a 404 until play at the "
            "table is over, where every table of a round plays the same packs until that is closed, and to "
            "everybody else always."
        ),
        parameters=[table_examples.ETAG],
        responses=answers({200: OpenApiResponse(HandReportTold, description="Your choices.")}, READING),
        examples=[OpenApiExample("A hand", value=table_examples.HAND_REPORT, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def hand_report(self, request: Request, code: str, deal: int) -> Response:
        """Return what the reader's choices in a hand that is over cost."""
        seen = self._seen(request, code)
        rows = of_seat(hands_over(seen.match), seen.seat).filter(deal=deal)
        hand = next((one for one in rows if seen.seat in one.seats), None)
        report = None if hand is None else own_report(seen, hand)
        if report is None:
            raise Http404
        choices = [
            {"move": move, "appraisal": one}
            for move, one in enumerate(report.choices, start=1)
            if one is not None
        ]
        weighed = {"is_weighed": not report.is_waited_for, "choices": choices}
        return _told(HandReportTold({"deal": deal, "seat": seen.seat, **weighed}))

    @extend_schema(
        operation_id="table_report",
        tags=["tables"],
        summary="What cost you most at a table",
        description="The choices that clearly cost most in the hands that are over; a 404 as for one hand.",
        parameters=[table_examples.ETAG],
        responses=answers({200: OpenApiResponse(ReportTold, description="What cost you most.")}, READING),
        examples=[OpenApiExample("A table", value=table_examples.REPORT, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def report(self, request: Request, code: str) -> Response:
        """Return the reader's choices at the table that cost most."""
        seen = self._seen(request, code)
        return _told(ReportTold({"seat": seen.seat, "dearest": dear_choices(seen)}))

    def _seen(self, request: Request, code: str) -> SeenTable:
        """The table for who is told what his choices there cost; 404 for everybody else."""
        asked = AskedTable.of(code)
        seat = self.seat_or_404(asked)
        if seat is None:
            raise Http404
        seen = SeenTable(_loaded(asked), actor_for(request), seat)
        if not tells_reports(seen):
            raise Http404
        return seen


class OwnPlay(OfOneClub):
    """What the reader's choices cost over time."""

    @extend_schema(
        operation_id="own_play",
        tags=["games"],
        summary="What your choices cost over time",
        description=(
            f"Your discards, takes and knocks at the club's tables, match by match, the latest "
            f"{MOST_MATCHES} in which choices were weighed. A match is told as its reports are. To a token "
            "that does not record it is a 404."
        ),
        parameters=[table_examples.ETAG],
        responses=answers({200: OpenApiResponse(OwnPlayTold, description="How you play.")}, READING),
        examples=[OpenApiExample("Discards", value=table_examples.OWN_PLAY, response_only=True)],
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        account = plays_as(who_of(request), club=self.club.pk)
        if account is None:
            raise Http404
        matches = costs_of(account, tables_in(self.club))
        return _told(OwnPlayTold({"curves": [_curve(kind, matches) for kind in ChoiceKind]}))


def _curve(kind: ChoiceKind, matches: Sequence[MatchCosts]) -> dict[str, Any]:
    costs = [Costs(each.counts[kind], each.costs[kind]) for each in matches]
    told = [
        {**_cost(cost), "table": each.match.code, "begun_at": each.match.created_at, "latest": _rounded(mean)}
        for each, cost, mean in zip(matches, costs, running_means(costs), strict=True)
    ]
    return {"kind": kind, **_cost(together(costs)), "matches": told}


def _cost(cost: Costs) -> dict[str, Any]:
    return {"choices": cost.choices, "points": _rounded(cost.points), "mean": _rounded(cost.mean)}


def _rounded(points: float) -> float:
    return round(points, 2)


def _loaded(asked: AskedTable) -> TableMatch:
    return TableMatch.objects.select_related("sheet__rules").get(pk=asked.match.pk)


def _told(body: serializers.Serializer[Any]) -> Response:
    return Response(body.data, headers={"ETag": etag_of(body.data)})
