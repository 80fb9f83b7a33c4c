"""Who is here in the next round of an evening that runs itself, of those of whom nobody has said so."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from league.core.evening import stays_away
from league.matches.arrivals import is_on, not_there
from league.models import Appearance, Entry, Event, MatchState, PlayedWhere, Presence, PresenceState


def is_carried(event: Event, number: int) -> bool:
    """Whether who is here in this round follows from the rounds before: in an evening that has been begun."""
    return number > 1 and event.played == PlayedWhere.ONLINE and is_on(event)


def carried(event: Event, number: int, unsaid: Sequence[Entry]) -> dict[int, PresenceState]:
    """The state in this round of those of the `unsaid` entries who have one, by id; none unless `is_carried`.

    Who was here in the round before is, and who has missed his last matches is not.
    """
    if not unsaid or not is_carried(event, number):
        return {}
    all_missed = missed(event, number)
    were: set[int] = set()
    if event.check_in:
        states = (PresenceState.HERE, PresenceState.BYE)
        before = Presence.objects.filter(event=event, round_number=number - 1, state__in=states)
        were = set(before.values_list("entry", flat=True))
    found = dict.fromkeys([entry.pk for entry in unsaid if entry.pk in were], PresenceState.HERE)
    away = [entry.pk for entry in unsaid if stays_away(all_missed.get(entry.pk, []))]
    return found | dict.fromkeys(away, PresenceState.AWAY)


def missed(event: Event, before: int) -> Mapping[int, list[bool]]:
    """By entry (an id): of each round before this one in which it was to play whether it has missed it.

    A team has that lost as it was not complete.
    """
    seats = not_there(Appearance.objects.filter(round__event=event))
    absent = set(seats.values_list("match", "entry"))
    rows = event.matches.filter(round__number__lt=before, annulled=False).exclude(entry_b=None)
    found: dict[int, dict[int, bool]] = defaultdict(dict)
    for match in rows.order_by("round__number", "leg", "id"):
        for side in match.sides:
            for entry in match.ids_of(side):
                lost = match.state == MatchState.WALKOVER and match.winner_side != side
                is_missed = lost and (match.pk, entry) in absent
                found[entry][match.round_id] = is_missed and found[entry].get(match.round_id, True)
    return {entry: list(by_round.values()) for entry, by_round in found.items()}
