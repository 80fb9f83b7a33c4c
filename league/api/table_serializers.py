"""Tables at which members play as JSON: what is said at one, and what its reader is told."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.models import MOST_SEATS, Phrase
from games.services.conduct import LEAST_FORMER
from games.tables.pace import BAND_ENDS
from league.api.sheet_serializers import Body, Member, ReasonText, Switch, Text
from scoring.documents.shapes import integer


@extend_schema_field({"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1})
class SeatNumber(Member):
    """The number of a seat; whether it is one's own is asked by the service."""

    def to_internal_value(self, data: Any) -> int:
        name = str(self.field_name)
        return integer({name: data}, name, None)


class BeginningSaid(Body):
    """A table to begin: on which sheet, in which seat of one's own, and against which bot."""

    sheet = Text(help_text="The code of an open sheet on which you sit.")
    seat = SeatNumber(required=False, help_text="Your own, counted through all sides; it may be left out.")
    bot = Text(
        required=False, help_text="The strategy that plays for guests; left out, whoever sits there plays."
    )


class ActionSaid(Body):
    """An action, as the state lists it in `legal`; a knock may name its melds."""

    seat = SeatNumber(required=False, help_text="Your own seat; it may be left out.")
    action = Text(
        help_text=(
            "One of `legal`, such as `pass`, `take`, `draw`, `discard 7H`, `knock KD`, `gin KD`, `big_gin`; "
            "a knock may name its melds, `knock KD: 4C 5C 6C / 7D 7H 7S`, and a `lay_off` its own."
        )
    )


class PhraseSaid(Body):
    """A phrase for the other seats."""

    phrase = Text(help_text=f"One of {', '.join(f'`{value}`' for value in Phrase.values)}.")


class HearingSaid(Body):
    """Whether one wants to be shown what others say."""

    is_muted = Switch(help_text="Whether you are to be shown none of it.")


class ChairTold(serializers.Serializer[Any]):
    """Who plays in a seat; the names stand on the sheet."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    bot = serializers.CharField(allow_null=True, help_text="Its strategy; null where a member plays.")


class MoveTold(serializers.Serializer[Any]):
    """A move as it is seen at the table."""

    seat = serializers.IntegerField()
    move = serializers.CharField(help_text="With the card, if it moved openly.")


class MeldTold(serializers.Serializer[Any]):
    """A meld on the table in rummy."""

    seat = serializers.IntegerField(help_text="Who laid it down.")
    cards = serializers.CharField()


class ArrangementTold(serializers.Serializer[Any]):
    """The cards of who has knocked, as he has laid them down."""

    melds = serializers.ListField(child=serializers.CharField())
    deadwood = serializers.IntegerField()
    unmatched = serializers.CharField()


class BesideTold(serializers.Serializer[Any]):
    """The other of two games from one pack, as everybody at the table may know it."""

    phase = serializers.CharField()
    pile = serializers.CharField(help_text="From the bottom to the top.")
    moves = MoveTold(many=True)
    laid = ArrangementTold(allow_null=True)
    shown = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="Its hands, once they lie open."
    )


class SeenHandTold(serializers.Serializer[Any]):
    """A hand in play as one seat sees it; cards separated by spaces.

    Inside a hand its players are called 0 and 1 and so on, in the order of its `seats` in `tables`.
    """

    dealer = serializers.IntegerField()
    phase = serializers.CharField(help_text="What is expected of whose turn it is.")
    turn = serializers.IntegerField()
    hand = serializers.CharField(help_text="Your own cards.")
    upcard = serializers.CharField(allow_null=True)
    pile = serializers.CharField(help_text="From the bottom to the top.")
    stock = serializers.IntegerField(help_text="How many cards are left.")
    known = serializers.CharField(help_text="Cards that the others took openly and still hold.")
    known_by = serializers.ListField(
        child=serializers.CharField(), help_text="The same by player; nothing for yourself."
    )
    counts = serializers.ListField(
        child=serializers.IntegerField(), help_text="How many cards each player holds."
    )
    limit = serializers.IntegerField(
        allow_null=True, help_text="The most a knock may leave; null in rummy, as nobody knocks there."
    )
    moves = MoveTold(many=True)
    legal = serializers.ListField(
        child=serializers.CharField(), help_text="Your actions, if it is your turn."
    )
    laid = ArrangementTold(allow_null=True, help_text="From a knock on, how the knocker's cards lie.")
    offered = serializers.CharField(
        allow_null=True, help_text="While you lay off, the action that leaves you least."
    )
    beside = BesideTold(allow_null=True, help_text="Of two games from one pack the other one.")
    melds = MeldTold(many=True, allow_null=True, help_text="In rummy those on the table, from 0 on.")
    open_stock = serializers.CharField(
        allow_null=True, help_text="In rummy the cards of a pile that was turned over, the next one first."
    )


class HandTold(serializers.Serializer[Any]):
    """A hand that is over, with all that it takes to check it."""

    deal = serializers.IntegerField()
    table = serializers.IntegerField(help_text="Of teams which hand of the deal, from 1.")
    seats = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Who played it; in the hand they are called 0 and 1 and so on.",
    )
    dealer = serializers.IntegerField()
    actions = serializers.ListField(child=serializers.CharField())
    commitment = serializers.CharField(
        help_text="The SHA-256, in hexadecimal, of pack, a space and nonce; told before the first action."
    )
    pack = serializers.CharField(
        help_text=(
            "All cards, from the first one dealt; where a stock may be shuffled again, after a slash each "
            "time the order in which its cards come."
        )
    )
    nonce = serializers.CharField()


class TableHandTold(serializers.Serializer[Any]):
    """A hand of the deal in play, as everybody may know it."""

    table = serializers.IntegerField(help_text="From 1.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Who play it.")
    commitment = serializers.CharField(help_text="To its pack.")
    turn = serializers.IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    move_count = serializers.IntegerField()
    is_over = serializers.BooleanField(help_text="Whether it waits for the others of the deal.")


class SeatClockTold(serializers.Serializer[Any]):
    """The clock of a seat."""

    bank_left = serializers.FloatField(help_text="Seconds left of the time for the match.")
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="When its time is over; null while it does not run."
    )
    time_outs = serializers.IntegerField()


class ClockTold(serializers.Serializer[Any]):
    """The clock of a table as it is now."""

    turn_seconds = serializers.IntegerField()
    bank_seconds = serializers.IntegerField()
    time_out = serializers.CharField(
        help_text="`default_action` plays the turn, `lose_hand` and `forfeit_match` lose the hand or match."
    )
    now = serializers.DateTimeField(help_text="By the clock of the site.")
    turn_since = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    pause_asked_by = serializers.IntegerField(allow_null=True, help_text="The seat that asks for a pause.")
    seats = SeatClockTold(many=True)


class SaidTold(serializers.Serializer[Any]):
    """A phrase that was sent."""

    seat = serializers.IntegerField()
    phrase = serializers.ChoiceField(choices=Phrase.choices)
    said_at = serializers.DateTimeField()


class PhrasesTold(serializers.Serializer[Any]):
    """What is said at a table, as one seat is told it."""

    is_muted = serializers.BooleanField(help_text="Whether you are shown none of others.")
    latest = SaidTold(many=True)


class WarningTold(serializers.Serializer[Any]):
    """A director's warning to a member."""

    reason = serializers.CharField()
    warned_at = serializers.DateTimeField()


class TableTold(serializers.Serializer[Any]):
    """A table as its reader may see it. What is null of the hand in play is not known, or none is played."""

    code = serializers.CharField()
    sheet = serializers.CharField()
    is_live = serializers.BooleanField(help_text="Whether a hand is in play.")
    seats = ChairTold(many=True)
    version = serializers.IntegerField(help_text="Of the last action; send it in If-Match.")
    seat = serializers.IntegerField(allow_null=True, help_text="Your own; null if you look on.")
    deal = serializers.IntegerField(allow_null=True, help_text="The number of the deal in play.")
    tables = TableHandTold(
        many=True, help_text="The hands of the deal in play: one, or one for each table of teams."
    )
    commitment = serializers.CharField(
        allow_null=True, help_text="To the pack of your own hand, or of the only one; so are the next two."
    )
    turn = serializers.IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    move_count = serializers.IntegerField(allow_null=True, help_text="How many moves were made in it.")
    hand = SeenHandTold(
        allow_null=True, help_text="What you see of your own; null if you look on, or it is over."
    )
    last_hand = HandTold(
        allow_null=True,
        help_text="Your last hand that is over, or the last of all; null while others play the same packs.",
    )
    clock = ClockTold(allow_null=True)
    forfeited_by = serializers.IntegerField(
        allow_null=True, help_text="The side that lost by a clock, or gave up."
    )
    adjourned_at = serializers.DateTimeField(
        allow_null=True,
        help_text="Since when a director, or a bot that failed, has stopped play.",
    )
    adjourned_why = serializers.CharField(allow_null=True, help_text="Told to those who play.")
    phrases = PhrasesTold(
        allow_null=True, help_text="Null where the club has not switched them on, and if you look on."
    )
    warnings = WarningTold(many=True, help_text="Those to you.")
    stream = serializers.CharField(
        allow_null=True,
        help_text="Of server-sent events: `look`, when it has changed; null if it is over or there are none.",
    )


class ActTold(serializers.Serializer[Any]):
    """An action that was carried out, now or before, and the table as it is by now."""

    answered = serializers.IntegerField(help_text="The version that the action led to.")
    table = TableTold()


class Nothing(Body):
    """A request that says nothing."""


class WarningSaid(Body):
    """A director's warning to a member."""

    seat = SeatNumber(help_text="Whom you warn.")
    reason = ReasonText(help_text="Only the player warned is shown this, at the table.")


class PaceTold(serializers.Serializer[Any]):
    """How long moves took, in seconds."""

    count = serializers.IntegerField()
    quickest = serializers.FloatField()
    lower = serializers.FloatField(help_text="A quarter took less than this.")
    median = serializers.FloatField()
    upper = serializers.FloatField(help_text="A quarter took more than this.")
    slowest = serializers.FloatField()
    bands = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=(
            f"How many took less than {', '.join([str(end) for end in BAND_ENDS])} seconds, each without "
            "those before, and at last how many took longer."
        ),
    )


class AgreementTold(serializers.Serializer[Any]):
    """How far choices agree with those of `expert`."""

    choices = serializers.IntegerField(help_text="At which something was at stake.")
    agreed = serializers.IntegerField()
    share = serializers.FloatField(help_text="Of those that agree, 0 to 1.")
    share_error = serializers.FloatField(help_text="The standard error of the share.")
    mean_cost = serializers.FloatField(help_text="The points of a hand that a choice cost on average.")
    cost_error = serializers.FloatField(
        allow_null=True, help_text="The standard error of that; null for a single choice."
    )


class FormerTold(serializers.Serializer[Any]):
    """The same of a member's matches of the club before this one, the latest of them."""

    matches = serializers.IntegerField()
    agreement = AgreementTold()


class NotedTold(serializers.Serializer[Any]):
    """What is noted of the member in a seat; it accuses nobody."""

    seat = serializers.IntegerField()
    drawing = PaceTold(allow_null=True, help_text="Of taking, drawing and passing.")
    putting_down = PaceTold(allow_null=True, help_text="Of discards, knocks and laying off.")
    time_outs = serializers.IntegerField()
    phrases = serializers.IntegerField(help_text="How many he sent.")
    warnings = WarningTold(many=True)
    agreement = AgreementTold(
        allow_null=True,
        help_text="Null while the match is played or its hands are withheld, and where nothing is weighed.",
    )
    former = FormerTold(
        allow_null=True, help_text=f"Of his matches before; null for fewer than {LEAST_FORMER}, and as above."
    )
    unweighed = serializers.IntegerField(help_text="So many of his hands are still to be weighed.")


class UsualTold(serializers.Serializer[Any]):
    """A bot by the same measure."""

    strategy = serializers.CharField()
    level = serializers.IntegerField(allow_null=True)
    agreement = AgreementTold()


class ConductTold(serializers.Serializer[Any]):
    """What is noted of the members at the table of a match, and bots to compare with."""

    match = serializers.CharField(help_text="The code of the match.")
    is_live = serializers.BooleanField()
    adjourned_at = serializers.DateTimeField(allow_null=True)
    adjourned_why = serializers.CharField(allow_null=True)
    seats = NotedTold(many=True)
    bots = UsualTold(many=True)
