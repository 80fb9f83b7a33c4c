"""Sheets that a club keeps outside its events: an evening at one table."""

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.services.hands import TABLE
from league.models import Club, Exhibition, Player, persons_of
from league.policy import Permission, require
from league.policy.eligibility import check_rules
from league.record.audit import check_plain, record_audit
from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.core.lengths import AS_RULES_SAY, Length
from scoring.core.sheets import SheetSide
from scoring.models import HouseRules, Scoresheet
from scoring.services import add_substitute, open_once, open_sheet, rules_of_length
from scoring.services.records import kept_sheet

_LONGEST_NAME: Final = 80


def open_club_sheet(
    *,
    actor: Actor,
    club: Club,
    rules: HouseRules,
    sides: Sequence[SheetSide],
    label: str = "",
    key: str | None = None,
) -> Scoresheet:
    """Open a blank sheet of the club under one of its own house rules; with a key once, as `open_once`.

    A player of the club is known by name, as the club writes it; any other name is a guest's. Refused: who
    may not record for the club (`not_allowed`), rules that are not the club's (`other_club`), and what
    `open_sheet` and `open_once` refuse.
    """
    require(actor, Permission.RECORD, club)
    # Not the version of the rules: there may be a newer one when the request is repeated.
    asked = [club.slug, rules.code, [[side.name, side.players] for side in sides], label]
    return open_once(
        actor=actor, key=key, asked=asked, opened=lambda: _opened(actor, club, rules, sides, label)
    )


@transaction.atomic
def open_friendly_sheet(
    *,
    actor: Actor,
    club: Club,
    rules: HouseRules,
    sides: Sequence[Sequence[Player | str]],
    is_rated: bool = False,
    length: Length = AS_RULES_SAY,
) -> Scoresheet:
    """Open a blank sheet for a friendly game at a table on this site; a text is the name of a bot or guest.

    A side is called after its players. The caller has checked that they may play, and that the game may be
    rated, which is one of two players. Refused: rules that are not the club's (`other_club`), and what
    `rules_of_length` and `open_sheet` refuse.
    """
    check_rules(club, rules)
    rules = rules_of_length(actor=TABLE, rules=rules, length=length, size=len(sides[0]))
    known = [each for side in sides for each in side if isinstance(each, Player)]
    written = [tuple([each.name if isinstance(each, Player) else each for each in side]) for side in sides]
    named = tuple([SheetSide(_side_name(number, names), names) for number, names in enumerate(written, 1)])
    sheet = open_sheet(actor=TABLE, rules=rules, sides=named, persons=persons_of(known))
    _of_club(actor, club, rules, sheet, known)
    if is_rated:
        one, other = known
        Exhibition.objects.filter(sheet=sheet).update(is_rated=True, player_a=one, player_b=other)
    return sheet


def _side_name(number: int, players: Sequence[str]) -> str:
    """“Ann + Bob”, which follows when one of them is called otherwise; a number, if that is too long."""
    joined = " + ".join(players)
    return joined if len(joined) <= _LONGEST_NAME else _("Team %(number)d") % {"number": number}


def seat_at_table(
    *,
    actor: Actor,
    club: Club,
    sheet: Scoresheet,
    replaces: str,
    name: str,
    from_deal: int,
    reason: str = "",
) -> None:
    """Let `name` take over the seat of `replaces`, as written on a sheet of the club outside events.

    A player of the club is known by name, as when the sheet was opened. Refused: what `add_substitute`
    refuses, and a seat that nobody of this name has (`unknown_player`).
    """
    check_plain(name, "name")
    sides = [number for number, side in enumerate(kept_sheet(sheet).sides) if replaces in side.everyone]
    if not sides:
        raise RecordingError(
            "unknown_player",
            _("“%(name)s” does not play on this sheet.") % {"name": replaces},
            field="replaces",
        )
    player = Player.objects.filter(club=club, name=name, merged_into=None).first()
    add_substitute(
        actor=actor,
        sheet=sheet,
        side=sides[0],
        replaces=replaces,
        name=name,
        from_deal=from_deal,
        person="" if player is None else player.code,
        reason=reason,
    )


@transaction.atomic
def _opened(
    actor: Actor, club: Club, rules: HouseRules, sides: Sequence[SheetSide], label: str
) -> Scoresheet:
    check_rules(club, rules)
    check_plain(label, "label")
    names = [player for side in sides for player in side.players]
    known = list(Player.objects.filter(club=club, name__in=names, merged_into=None))
    sheet = open_sheet(actor=actor, rules=rules, sides=tuple(sides), label=label, persons=persons_of(known))
    return _of_club(actor, club, rules, sheet, known)


def _of_club(
    actor: Actor, club: Club, rules: HouseRules, sheet: Scoresheet, known: Sequence[Player]
) -> Scoresheet:
    Exhibition.objects.create(sheet=sheet, club=club)
    after = {"code": sheet.code, "rules": str(rules), "players": known}
    record_audit(actor, "sheet.open", sheet, club=club, after=after)
    return sheet
