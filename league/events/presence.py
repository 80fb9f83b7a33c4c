"""Presence in a round: checked in, away, or a bye requested in advance."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing, may
from league.draws.carrying import carried
from league.draws.formats import format_of
from league.draws.planning import asks_who_is_here
from league.errors import LeagueError
from league.events.entries import enter_players, late_entry
from league.models import Entry, Event, EventKind, Player, Presence, PresenceState, RoundState
from league.people.players import create_player, tidy_name
from league.policy import Permission, require
from league.policy.eligibility import check_entered
from league.policy.refusals import refused
from league.record.audit import change_row, locked, record_audit
from scoring.core.actors import Actor

MOST_ROUNDS = 99


@dataclass(frozen=True, slots=True)
class OwnCheckIn:
    """How an entry is checked in for a round; `state` is None as long as nobody has said."""

    number: int
    state: str | None


@transaction.atomic
def set_presence(
    *, actor: Actor, event: Event, entry: Entry, number: int, state: PresenceState | None
) -> None:
    """Record whether an entry is here in round `number`, away, or sits it out; None: unknown.

    Refused: rounds that are published or over (`round_published`; a draft keeps its pairing until it is
    paired again), events where presence does not matter (`no_check_in`), and entries that have withdrawn or
    start later. Brackets and groups depend on presence in round 1 only, so they have no other round
    (`out_of_range`) and no requested byes (`no_byes`).
    """
    event = _checked(actor, event, [number])
    _check_entry(event, entry, number)
    if state == PresenceState.BYE:
        _check_takes_byes(event)
    _write_presence(actor, event, entry, number, state)


def _write_presence(
    actor: Actor, event: Event, entry: Entry, number: int, state: PresenceState | None
) -> None:
    rows = Presence.objects.filter(event=event, entry=entry, round_number=number)
    before = rows.values_list("state", flat=True).first()
    if before == state:
        return
    rows.delete()
    if state is not None:
        Presence.objects.create(event=event, entry=entry, round_number=number, state=state)
    record_audit(
        actor,
        "presence.set",
        entry,
        before={"round": number, "state": before},
        after={"round": number, "state": state},
    )


@transaction.atomic
def mark_everybody(*, actor: Actor, event: Event, number: int) -> int:
    """Mark everyone unknown as here for round `number`; returns how many."""
    event = _checked(actor, event, [number])
    known = Presence.objects.filter(event=event, round_number=number).values("entry")
    unknown = list(
        event.entries.filter(withdrawn_at=None, first_round__lte=number)
        .exclude(pk__in=known)
        .order_by("name")
    )
    Presence.objects.bulk_create(
        [
            Presence(event=event, entry=entry, round_number=number, state=PresenceState.HERE)
            for entry in unknown
        ]
    )
    if unknown:
        record_audit(actor, "presence.everybody", event, after={"round": number, "here": list(unknown)})
    return len(unknown)


@transaction.atomic
def ask_byes(*, actor: Actor, event: Event, entry: Entry, numbers: Iterable[int]) -> list[int]:
    """Record that an entry sits out these rounds; returns their numbers in order."""
    asked = sorted(set(numbers))
    if not asked:
        raise LeagueError("no_rounds", _("Name at least one round."), field="numbers")
    event = _checked(actor, event, asked)
    _check_takes_byes(event)
    for number in asked:
        _check_entry(event, entry, number)
    Presence.objects.filter(event=event, entry=entry, round_number__in=asked).delete()
    Presence.objects.bulk_create(
        [Presence(event=event, entry=entry, round_number=number, state=PresenceState.BYE) for number in asked]
    )
    record_audit(actor, "presence.bye", entry, after={"rounds": asked})
    return asked


@transaction.atomic
def ask_own_bye(*, actor: Actor, event: Event, entry: Entry, number: int, sits_out: bool) -> None:
    """Record that an entry sits round `number` out at the wish of its own player, or plays it after all.

    That the actor is that player is for the caller to check; else refused as `set_presence`.
    """
    event = _open_for(locked(event), [number])
    _check_takes_byes(event)
    _check_entry(event, entry, number)
    _write_presence(actor, event, entry, number, PresenceState.BYE if sits_out else None)


@transaction.atomic
def check_in_own(*, actor: Actor, event: Event, entry: Entry, number: int) -> None:
    """Record that an entry is here in round `number`, as its own player says.

    That the actor is that player is for the caller to check; else refused as `set_presence`, and who is here
    already (`here_already`).
    """
    event = check_open(locked(event), number)
    _check_entry(event, entry, number)
    known = Presence.objects.filter(event=event, entry=entry, round_number=number)
    if known.filter(state=PresenceState.HERE).exists():
        raise LeagueError("here_already", _("You are checked in already."))
    _write_presence(actor, event, entry, number, PresenceState.HERE)


@transaction.atomic
def check_out_own(*, actor: Actor, event: Event, entry: Entry) -> None:
    """Record that an entry that is checked in for the next round is away, as its own player says.

    That the actor is that player is for the caller to check; else refused as `set_presence`, and who is not
    checked in (`not_here`).
    """
    event = locked(event)
    number = number_to_check_in(event)
    check_open(event, number)
    _check_entry(event, entry, number)
    if _state_of(event, entry, number) != PresenceState.HERE:
        raise LeagueError("not_here", _("You are not checked in."))
    _write_presence(actor, event, entry, number, PresenceState.AWAY)


def own_check_in(event: Event, entry: Entry) -> OwnCheckIn | None:
    """How an entry is checked in for the next round; None where nobody is, or it does not play in it.

    Of a later round than the first only what is known: nobody waits to hear it from himself.
    """
    number = number_to_check_in(event)
    if (
        not event.check_in
        or not may(event.state, Doing.CHECK_IN)
        or refused(partial(check_open, event, number))
        or refused(partial(_check_entry, event, entry, number))
    ):
        return None
    state = _state_of(event, entry, number)
    return OwnCheckIn(number, state) if state is not None or number == 1 else None


def _state_of(event: Event, entry: Entry, number: int) -> str | None:
    """What is said of an entry in this round, or that it is here as in the round before of an evening."""
    known = Presence.objects.filter(event=event, entry=entry, round_number=number)
    state = known.values_list("state", flat=True).first()
    if state is None and carried(event, number, [entry]).get(entry.pk) == PresenceState.HERE:
        return PresenceState.HERE
    return state


@transaction.atomic
def add_guest(*, actor: Actor, event: Event, number: int, name: str) -> Entry:
    """Enter a guest who has just come: present and playing from round `number` on, not ranked.

    The club's player of that name is used, or created. Refused: events of teams (`wrong_kind`), and drawn
    brackets or groups (`already_drawn`).
    """
    require(actor, Permission.DIRECT, event.club)
    event = _checked(actor, event, [number])
    if not takes_byes(event):
        late_entry(event)
    if event.kind != EventKind.INDIVIDUAL:
        raise LeagueError("wrong_kind", _("This is an event of teams."), field="name")
    name = tidy_name(name)
    player = Player.objects.filter(club=event.club, name=name, merged_into=None).first()
    if player is None:
        player = create_player(actor=actor, club=event.club, name=name)
    (entry,) = enter_players(actor=actor, event=event, players=[player])
    values = {"is_guest": True, "first_round": number}
    change_row(actor, "entry.guest", locked(entry), values)
    set_presence(actor=actor, event=event, entry=entry, number=number, state=PresenceState.HERE)
    entry.refresh_from_db()
    return entry


def takes_byes(event: Event) -> bool:
    """True if byes can be requested, which excludes brackets and groups."""
    return format_of(event).night_by_night


def last_number(event: Event) -> int:
    """Return the last round in which presence can matter."""
    return event.rounds_planned or MOST_ROUNDS if takes_byes(event) else 1


def number_to_check_in(event: Event) -> int:
    """Return the round that is checked in for: the next to be paired, or a draft."""
    last = event.rounds.order_by("-number").first()
    if last is None:
        return 1
    return min(last.number + (last.state != RoundState.DRAFTED), last_number(event))


def check_open(event: Event, number: int) -> Event:
    """Return the (locked) event; refused as by `set_presence` if its check-in for this round is not open."""
    return _open_for(event, [number])


def check_number(event: Event, number: int) -> None:
    """Refuse a round that cannot come (`out_of_range`) or is no longer open (`round_published`)."""
    most = last_number(event)
    if not 1 <= number <= most:
        if most == 1:
            said = _("%(format)s is drawn from who is here in round 1, and after that it does not matter.")
            raise LeagueError(
                "out_of_range", said % {"format": event.get_format_display().capitalize()}, field="numbers"
            )
        raise LeagueError("out_of_range", _("Rounds are 1 to %(most)d.") % {"most": most}, field="numbers")
    if event.rounds.filter(number=number).exclude(state=RoundState.DRAFTED).exists():
        raise LeagueError(
            "round_published",
            _("Round %(number)d is published; who plays in it stands.") % {"number": number},
            field="numbers",
        )


def _checked(actor: Actor, event: Event, numbers: list[int]) -> Event:
    require(actor, Permission.RECORD, event.club)
    return _open_for(locked(event), numbers)


def _open_for(event: Event, numbers: list[int]) -> Event:
    """The locked event, whose check-in for these rounds is open."""
    check_doing(event.name, event.state, Doing.CHECK_IN)
    if not asks_who_is_here(event):
        raise LeagueError(
            "no_check_in",
            _("%(format)s: who is here does not change who plays.") % {"format": event.get_format_display()},
        )
    for number in numbers:
        check_number(event, number)
    return event


def _check_takes_byes(event: Event) -> None:
    if not takes_byes(event):
        raise LeagueError(
            "no_byes",
            _("%(format)s: nobody sits a round out. Whoever is not here is not drawn.")
            % {"format": event.get_format_display().capitalize()},
            field="numbers",
        )


def _check_entry(event: Event, entry: Entry, number: int) -> None:
    check_entered(event, entry, "entry")
    if entry.withdrawn_at is not None:
        raise LeagueError("withdrawn", _("%(entry)s has withdrawn.") % {"entry": entry}, field="entry")
    if entry.first_round > number:
        raise LeagueError(
            "not_yet",
            _("%(entry)s plays from round %(first)d on.") % {"entry": entry, "first": entry.first_round},
            field="entry",
        )
