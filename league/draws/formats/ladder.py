"""A ladder: places are won by challenging players a few rungs above, all year round."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, cast

from django import forms
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from league.acts import Act, ActForm, Data, Preview, ReasonForm
from league.acts.fields import DayField, NameField, day_words
from league.core.lifecycle import Doing
from league.draws import challenges, ladders
from league.draws.formats import Due, Format, FormatPage, register
from league.errors import LeagueError
from league.models import Challenge, Entry, Event, LadderAbsence, Match
from league.policy.naming import Names
from league.tables.ladder_pages import challenges_page, ladder_page
from league.tables.ladders import deadlines_of, ladder_now, ladder_places
from scoring.core.actors import Actor


class RungField(forms.ModelChoiceField[Entry]):
    """An entry of the ladder, from the top."""

    def __init__(self, label: Any) -> None:
        super().__init__(queryset=Entry.objects.none(), label=label)
        self.places: dict[int, int] = {}

    def label_from_instance(self, obj: Entry) -> str:
        return f"{self.places[obj.pk]}. {obj}"


class ChallengeForm(ActForm):
    """The challenger and the challenged."""

    challenger = RungField(gettext_lazy("Challenger"))
    challenged = RungField(gettext_lazy("Challenged"))

    def prepare(self, row: Event) -> None:
        places = dict(ladder_places(row))
        for name in ("challenger", "challenged"):
            cast("RungField", self.fields[name]).places = places
            self.offer(name, row.entries.filter(pk__in=places).order_by("standing__position"))


class CallOffForm(ReasonForm):
    """The challenge to call off, and the reason."""

    challenge = forms.ModelChoiceField(queryset=Challenge.objects.none(), label=gettext_lazy("Challenge"))
    field_order = ("challenge", "reason")

    def prepare(self, row: Event) -> None:
        self.offer("challenge", _open(row))


class AbsenceForm(ActForm):
    """The absent entry and its first and last day."""

    entry = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Who"))
    first_day = DayField(label=gettext_lazy("First day"))
    last_day = DayField(
        label=gettext_lazy("Last day"), required=False, help_text=gettext_lazy("Empty: until further notice.")
    )

    def prepare(self, row: Event) -> None:
        self.offer("entry", row.entries.filter(withdrawn_at=None))


class AbsenceField(forms.ModelChoiceField[LadderAbsence]):
    """A recorded absence."""

    def label_from_instance(self, obj: LadderAbsence) -> str:
        return f"{obj.entry}: {_span(obj.first_day, obj.last_day)}"


class EndAbsenceForm(ActForm):
    """The absence to end, and its last day."""

    absence = AbsenceField(queryset=LadderAbsence.objects.none(), label=gettext_lazy("Absence"))
    last_day = DayField(
        label=gettext_lazy("Last day"),
        help_text=gettext_lazy("A day before the first takes the absence back."),
    )

    def prepare(self, row: Event) -> None:
        self.offer("absence", _absences(row))


def _open(event: Event) -> Any:
    rows = Challenge.objects.filter(event=event, called_off_at=None, decided_at=None)
    return rows.select_related("challenger", "challenged").order_by("number")


def _absences(event: Event) -> Any:
    return LadderAbsence.objects.filter(entry__event=event).select_related("entry").order_by("-first_day")


def _span(first_day: datetime.date, last_day: datetime.date | None) -> str:
    if last_day is None:
        return _("from %(day)s on") % {"day": day_words(first_day)}
    return f"{day_words(first_day)} – {day_words(last_day)}"


def _preview_challenge(event: Event, data: Data) -> Preview:
    plan = challenges.plan_challenge(event, **data)
    return Preview(
        [
            _("%(challenger)s, place %(from)s, will challenge %(challenged)s, place %(to)s.")
            % {
                "challenger": plan.challenger,
                "from": plan.from_place,
                "challenged": plan.challenged,
                "to": plan.to_place,
            },
            _("To be played by %(day)s; after that the place will be lost.")
            % {"day": day_words(plan.deadline)},
        ]
    )


def _challenge(by: Actor, event: Event, data: Data) -> str:
    made = challenges.make_challenge(actor=by, event=event, **data)
    return _("Challenge made: %(challenge)s.") % {"challenge": made}


def _preview_call_off(event: Event, data: Data) -> Preview:
    return Preview(
        [
            _("%(challenge)s: it will be called off, and its blank sheet deleted.") % data,
            _("Nobody will move. If one of them is to blame, award a walkover in the match instead."),
        ]
    )


def _call_off(by: Actor, event: Event, data: Data) -> str:
    challenges.call_off_challenge(actor=by, **data)
    return _("The challenge is called off.")


def _preview_absence(event: Event, data: Data) -> Preview:
    lines = [
        _("%(entry)s will be away: %(days)s.")
        % {"entry": data["entry"], "days": _span(data["first_day"], data["last_day"])},
        _("Nobody can challenge them then, and these days will not count for a challenge that is open."),
    ]
    if event.absence_days is not None:
        lines.append(_("An absence counts for %(count)d days at most.") % {"count": event.absence_days})
    return Preview(lines)


def _absent(by: Actor, event: Event, data: Data) -> str:
    made = ladders.add_absence(actor=by, **data)
    return _("Noted: %(entry)s is away.") % {"entry": made.entry}


def _end_absence(by: Actor, event: Event, data: Data) -> str:
    left = ladders.end_absence(actor=by, **data)
    if left is None:
        return _("The absence is taken back.")
    return _("%(entry)s is away until %(day)s.") % {"entry": left.entry, "day": day_words(data["last_day"])}


ACTS: Final[tuple[Act[Event], ...]] = (
    Act(
        slug="challenge",
        title=gettext_lazy("Make a challenge"),
        form=ChallengeForm,
        preview=_preview_challenge,
        run=_challenge,
        doing=Doing.PLAY,
    ),
    Act(
        slug="call-off",
        title=gettext_lazy("Call a challenge off"),
        form=CallOffForm,
        preview=_preview_call_off,
        run=_call_off,
        doing=Doing.PLAY,
        offered=lambda event: _open(event).exists(),
    ),
    Act(
        slug="away",
        title=gettext_lazy("Note an absence"),
        form=AbsenceForm,
        preview=_preview_absence,
        run=_absent,
        doing=Doing.WITHDRAW,
        offered=lambda event: event.entries.exists(),
    ),
    Act(
        slug="end-absence",
        title=gettext_lazy("End an absence"),
        form=EndAbsenceForm,
        run=_end_absence,
        doing=Doing.WITHDRAW,
        offered=lambda event: _absences(event).exists(),
    ),
)


def _tell_ladder(event: Event, names: Names, asked: Mapping[str, str]) -> Mapping[str, Any] | None:
    """Return places, open challenges and history; with `on`, as at the end of that day."""
    day = None
    if asked.get("on"):
        try:
            day = parse_date(asked["on"])
        except ValueError:
            day = None
        if day is None:
            return None
    found = ladder_page(event, names, page=_number(asked), day=day)
    past = {} if day is None else {"follows": 0}
    return {"ladder": found, "pages": range(1, found.pages + 1), **past}


def _tell_challenges(event: Event, names: Names, asked: Mapping[str, str]) -> Mapping[str, Any]:
    """Return all challenges, newest first."""
    found = challenges_page(event, names, page=_number(asked))
    return {"challenges": found, "pages": range(1, found.pages + 1)}


def _number(asked: Mapping[str, str]) -> int:
    """Return the page asked for, 1 if it is not a number."""
    number = asked.get("page", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 1


PAGES: Final = (
    FormatPage(
        name="event_ladder",
        title=gettext_lazy("Ladder"),
        path="ladder/",
        template="league/ladder.html",
        tell=_tell_ladder,
    ),
    FormatPage(
        name="event_rounds",
        title=gettext_lazy("Challenges"),
        template="league/challenges.html",
        tell=_tell_challenges,
    ),
)


class Ladder(Format):
    """See `league.core.ladder`. Each challenge is a round of one match, so nothing is drawn or paired."""

    key = "ladder"
    title = gettext_lazy("ladder")
    has_challenges = True
    counts_rounds = False
    leading_criteria = ("place",)
    usual_order = ("place",)
    no_evening = gettext_lazy("Players challenge one another when they like: no rounds follow.")
    first_act = "challenge"
    acts = ACTS
    pages = PAGES
    own_settings: ClassVar[Mapping[str, StrOrPromise]] = {
        "challenge_reach": gettext_lazy("Players who are away are not counted."),
        "challenge_days": gettext_lazy(
            "After that the challenger gets the place. Days on which either is away do not count."
        ),
        "protected_days": gettext_lazy(
            "For this many days nobody may challenge a player who has played. 0 is no protection."
        ),
        "absence_days": gettext_lazy(
            "After this many days a player who is still away may be challenged again. Empty: no limit."
        ),
    }
    settings = frozenset(own_settings)
    pairs_rounds = False
    takes_late_entries = False
    drawn_by_seeds = False
    takes_added_matches = False
    takes_foreign_matches = False

    def check_seeds_count(self, event: Event) -> None:
        """Refused (`has_challenges`) from the first challenge on, when places are won and lost."""
        if event.challenges.exists():
            raise LeagueError(
                "has_challenges",
                _("The first challenge of “%(event)s” is made: from now on places are won, not seeded.")
                % {"event": event},
            )

    def first_round_of_late(self, event: Event) -> int:
        """Always the first: nobody is late, newcomers join at the foot."""
        return 1

    def under_way(self, event: Event) -> Due:
        """The next challenge, as long as the event runs."""
        challenges = _open(event).count()
        if not challenges:
            return _("Running; no challenge is open."), self.first_act
        said = ngettext("Running; %d challenge is open.", "Running; %d challenges are open.", challenges)
        return said % challenges, self.first_act

    def places(self, event: Event, *, until: int | None = None) -> Mapping[int, int]:
        return ladder_places(event, until=until)

    def places_before(self, event: Event, *, until: int | None = None) -> Mapping[int, int]:
        """Places before the last result that moved anybody: challenges do not end in order of creation."""
        return ladder_now(event, until=until).ladder.places_before

    def settle(self, event: Event) -> bool:
        return ladders.settle_ladder(event)

    def unsettled(self, event: Event) -> list[str]:
        return ladders.unsettled(event)

    def deadlines(self, event: Event, matches: Sequence[Match]) -> Mapping[int, datetime.date | None]:
        """Those of the challenges, extended by days on which a player is away."""
        return deadlines_of(event, matches)

    def sweep(self) -> None:
        challenges.expire_challenges()


register(Ladder())
