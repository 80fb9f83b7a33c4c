"""The contents of a table's page: the sheet, the next deal, claims, signatures, disputes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.draws.round_clock import shows_clock
from league.models import UNFINISHED, Match
from league.phone.access import TablePlace
from league.phone.keypads import Keypad, keypad_of
from league.phone.keypads.base import Asked
from league.phone.release import release_mark
from league.policy import events_seen, may_take_back
from league.policy.naming import Names, in_full, names_for
from league.record.write_counts import PageVersion, version_of
from league.tables.round_summaries import published
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.core.sheets import Deal
from scoring.core.turns import turns_from
from scoring.models import Claim, Dispute, SheetStatus, Signature
from scoring.paper.layout import HandLine, SheetTable, TableLine, hand_lines, sheet_table
from scoring.paper.short_names import short_names
from scoring.services.claims import next_number, open_claims
from scoring.services.disputes import open_disputes
from scoring.services.records import KeptSheet, kept_sheet


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim beside the deal on the sheet. `line` describes a standing deal without hands.

    `may_withdraw` is whether this place entered the claim and may take it back.
    """

    claim: Claim
    by: str
    stands: Sequence[HandLine | TableLine]
    line: str
    stands_by: str
    claimed: Sequence[HandLine | TableLine]
    may_withdraw: bool

    @property
    def number(self) -> int:
        """The number of the deal."""
        return self.claim.number

    @property
    def is_late(self) -> bool:
        """True if it was sent after time was called, when the sheet has no such deal."""
        return not self.stands_by


@dataclass(frozen=True)
class PhonePage:
    """The whole page but for what is still queued on the phone.

    `next_matches` are those to be played after an ended sheet, and `next_names` how their people, who are not
    at this table, are called for its reader; `is_read` is whether the telephone may open the event's pages.
    """

    place: TablePlace
    kept: KeptSheet
    table: SheetTable
    number: int
    claims: Sequence[ShownClaim]
    signatures: Sequence[Signature]
    disputes: Sequence[Dispute]
    next_matches: Sequence[Match]
    next_names: Names
    is_read: bool

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.kept.sheet.rules.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The sides' names."""
        return tuple(side.name for side in self.kept.sides)

    @property
    def short_names(self) -> tuple[str, ...]:
        """The names, as short as they can be told apart."""
        return short_names(self.names)

    @property
    def own_name(self) -> str:
        """The name of this place's side."""
        return self.names[self.place.side]

    @property
    def is_open(self) -> bool:
        """True if another deal may be entered."""
        return self.kept.sheet.status == SheetStatus.OPEN

    @property
    def has_clock(self) -> bool:
        """True if the clock of the round runs, and this table is still playing."""
        return self.is_open and shows_clock(self.place.match.event, self.place.match.round)

    @property
    def is_void(self) -> bool:
        """True if the sheet was voided."""
        return self.kept.sheet.status == SheetStatus.VOID

    @cached_property
    def seats(self) -> Sequence[Sequence[str]]:
        """The players of the next deal, by side and seat."""
        return [side.seated(self.number) for side in self.kept.sides]

    @cached_property
    def turns(self) -> dict[str, Any] | None:
        """Who plays, waits and deals, by seats through all sides, for the script; None where that is free.

        `turns` are those of this deal and of deals to come, `now` is the place of this deal's among them, and
        `last` that of the deal before, if it can be taken back here.
        """
        table = self.kept.state.table
        if table is None:
            return None
        begun = [table]
        if self.may_undo:
            before = self.kept.score(self.kept.deals[: self.last_number - 1], stopped=False)
            begun += [before.table] if before.table is not None else []
        turns = turns_from(self.rules, self.kept.sides, begun)
        return {
            "now": 0,
            "last": 1 if len(begun) > 1 else None,
            "turns": [{**asdict(turn.table), "after": turn.after} for turn in turns],
        }

    @property
    def turns_json(self) -> str:
        """The same as JSON, for an attribute."""
        return json.dumps(self.turns, separators=(",", ":"))

    @property
    def is_of_several(self) -> bool:
        """True for a table of more than two sides."""
        return len(self.kept.sides) > 2

    @property
    def placed(self) -> Sequence[tuple[int, int, str, int]]:
        """Place, side, name and net of all on a sheet that has ended: of several in order of places."""
        state = self.kept.state
        told = list(zip(state.places, range(len(self.names)), self.names, state.nets, strict=True))
        return sorted(told) if self.is_of_several else told

    @property
    def last_number(self) -> int:
        """The number of the last deal, 0 for a blank sheet."""
        return self.number - 1

    @property
    def may_undo(self) -> bool:
        """True if the last deal was entered by this place and can be taken back."""
        if self.kept.sheet.stopped or self.is_void or len(self.kept.versions) != self.last_number:
            return False
        if not self.kept.versions or self.kept.versions[-1].body is None:
            return False
        if self.signatures or not may_take_back(self.place.match, self.place.sheet):
            return False
        return self.kept.versions[-1].act.is_by(self.place.actor)

    @property
    def has_signed(self) -> bool:
        """True if this side has signed the present version."""
        return self.place.side in self.signed_sides

    @property
    def signed_sides(self) -> frozenset[int]:
        """The sides that have signed the present version."""
        return frozenset(signature.side for signature in self.signatures)

    @property
    def disputing_sides(self) -> frozenset[int]:
        """The sides with an open dispute."""
        return frozenset(dispute.side for dispute in self.disputes)

    @property
    def first_names(self) -> str:
        """Who is first on a sheet that has ended; blank if all are level."""
        places = self.kept.state.places
        if set(places) == {1}:
            return ""
        return ", ".join(name for place, name in zip(places, self.names, strict=True) if place == 1)

    @property
    def margin(self) -> int:
        """What the first has won, in points."""
        return self.kept.state.nets[self.kept.state.places.index(1)]

    @property
    def own_dispute(self) -> Dispute | None:
        """This side's open dispute, or None."""
        return next((dispute for dispute in self.disputes if dispute.side == self.place.side), None)

    @property
    def keypad(self) -> Keypad:
        """What is asked of a hand."""
        return keypad_of(self.rules)

    def hands(self, fields: Mapping[str, str]) -> list[Any]:
        """The fields of the next deal, by its hands, filled from a submitted form."""
        sides = self.kept.sides
        asked = Asked(self.number, sides, self.rules, self.kept.state.table)
        count = kind_of(self.rules).hands_in(sides)
        return [self.keypad.shown(asked, hand, fields) for hand in range(count)]


def table_page(place: TablePlace, reader: User | AnonymousUser) -> PhonePage:
    """The page of a place. Names at the table are in full: those there know each other."""
    names = in_full(place.match.event.club)
    coming = next_matches(place)
    kept = names.sheet(kept_sheet(place.sheet), place.match)
    sheet = place.sheet
    return PhonePage(
        place,
        kept,
        sheet_table(kept.state, order=place.match.event.club.column_order, left_side=sheet.left_side),
        next_number(kept),
        [_shown(place, kept, claim, names) for claim in open_claims(sheet)],
        list(sheet.signatures.filter(version=sheet.version).order_by("side")),
        list(open_disputes(sheet)),
        coming,
        names_for(reader, place.match.event.club) if coming else names,
        events_seen(reader).filter(pk=place.match.event_id).exists(),
    )


def next_matches(place: TablePlace) -> list[Match]:
    """The next match of the side once its sheet has ended: with rotating partners, one of each."""
    if not has_ended(place):
        return []
    left = (
        Match.objects.filter(published(), event=place.match.event_id, state__in=UNFINISHED, annulled=False)
        .exclude(pk=place.match.pk)
        .with_sides("round")
        .order_by("round__number", "table", "id")
    )
    coming = (left.of_entry(entry).first() for entry in place.match.side(place.side))
    return list({match.pk: match for match in coming if match is not None}.values())


def has_ended(place: TablePlace) -> bool:
    """Return whether the place's sheet has come to its end, after which the page shows what is next."""
    return place.sheet.status in (SheetStatus.FINISHED, SheetStatus.STOPPED)


def page_tag(place: TablePlace, reader: User | AnonymousUser, version: PageVersion | None) -> str:
    """The ETag of the page; `version` is that of the match, asked before the place was.

    After the end the page shows other matches of the event too. Must be asked before `table_page`.

    Counts alone would not do: a database that took over without the last writes counts the next ones alike.
    """
    event, sheet = place.match.event, place.sheet
    beyond = version_of(event.club.slug, event.slug) if has_ended(place) else None
    of_sheet = (sheet.version, sheet.updated_at)
    told = (place.actor, place.side, reader.pk, get_language(), release_mark(), *of_sheet, version, beyond)
    return quote_etag(sha256(repr(told).encode()).hexdigest()[:20])


def told(deal: Deal, kept: KeptSheet) -> Sequence[HandLine | TableLine]:
    """The hands of a deal in the sheet's words."""
    return hand_lines(kept.sheet.rules.rules, kept.sides, deal)


def page_data(page: PhonePage) -> dict[str, Any]:
    """The data for the page's script."""
    return {
        "place": f"{page.place.sheet.code}:{page.place.side}",
        "seats": [list(side) for side in page.seats],
    }


def _shown(place: TablePlace, kept: KeptSheet, claim: Claim, names: Names) -> ShownClaim:
    claimed = told(kept.deal(claim.body, claim.number), kept)
    is_void = kept.sheet.status == SheetStatus.VOID
    may_withdraw = claim.is_by(place.actor) and not is_void and may_take_back(place.match, place.sheet)
    by = names.author(claim)
    if claim.number > len(kept.versions):
        return ShownClaim(claim, by, (), "", "", claimed, may_withdraw)
    standing = kept.versions[claim.number - 1]
    stands = kept.deals[claim.number - 1]
    return ShownClaim(
        claim,
        by,
        told(stands, kept),
        _("struck out") if stands.line is None else f"{stands.line.winner} {stands.line.points}",
        names.author(standing.act),
        claimed,
        may_withdraw,
    )
