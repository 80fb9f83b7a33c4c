"""The director's board: the progress of every table of a round, and what needs attention."""

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.matches.counting import SIGNATURES, Waits, may_be_confirmed, said_of, waits_for, with_what_counts
from league.models import AWARDED, SAT_OUT, UNFINISHED, Match, MatchState, Round
from scoring.models import Claim, Dispute, SheetAct, SheetStatus

IDLE_AFTER: Final = datetime.timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """A match on the board.

    `columns_closed` of `columns`; `signed` are the sides that have signed the present state; `claims` and
    `disputes` count those that are undecided. `idle` is the number of minutes without a new entry on a sheet
    in play, None below `IDLE_AFTER`.
    """

    match: Match
    deals: int
    columns_closed: int
    columns: int
    signed: Sequence[int]
    waits: Sequence[Waits]
    claims: int
    disputes: int
    idle: int | None

    @property
    def is_playing(self) -> bool:
        """True while deals are being entered."""
        return self.match.state == MatchState.PLAYING

    @property
    def is_done(self) -> bool:
        """True if nothing is left to do."""
        waits = self.waits or (self.match.state in UNFINISHED and not self.match.annulled)
        return not (waits or self.claims or self.disputes)

    @property
    def confirms(self) -> bool:
        """True if the director may confirm the result now."""
        return may_be_confirmed(self.waits)

    @property
    def says(self) -> str:
        """The state in words."""
        if self.match.annulled:
            return _("annulled")
        if self.match.state == MatchState.SCHEDULED:
            return _("not begun")
        if self.match.state == MatchState.PLAYING:
            return ngettext("%d deal", "%d deals", self.deals) % self.deals
        if self.waits:
            return ", ".join(str(each.label) for each in self.waits)
        if self.match.state in AWARDED:
            return str(self.match.get_state_display())
        return _("counts")

    @property
    def needs(self) -> Sequence[str]:
        """What needs attention, in words."""
        said = []
        if self.claims:
            said.append(
                ngettext("%d deal entered in two ways", "%d deals entered in two ways", self.claims)
                % self.claims
            )
        if self.disputes:
            said.append(_("disputed"))
        if self.idle is not None:
            said.append(ngettext("idle for %d minute", "idle for %d minutes", self.idle) % self.idle)
        return said


@dataclass(frozen=True, slots=True)
class Board:
    """All tables of a round, with counts by kind."""

    round: Round
    tables: Sequence[BoardMatch]
    byes: Sequence[Match]

    @property
    def counts(self) -> Sequence[str]:
        """The counts in words, without zeros."""
        kinds = Counter[str]()
        for table in self.tables:
            kinds["begun"] += table.match.state == MatchState.SCHEDULED and not table.match.annulled
            kinds["playing"] += table.is_playing
            kinds["signature"] += any(each in SIGNATURES for each in table.waits)
            kinds["director"] += Waits.DIRECTOR in table.waits
            kinds["disputed"] += bool(table.disputes)
            kinds["claims"] += bool(table.claims)
            kinds["idle"] += table.idle is not None
            kinds["done"] += table.is_done
        words = {
            "begun": ngettext("%d not begun", "%d not begun", kinds["begun"]),
            "playing": ngettext("%d playing", "%d playing", kinds["playing"]),
            "idle": ngettext("%d idle", "%d idle", kinds["idle"]),
            "claims": ngettext("%d entered in two ways", "%d entered in two ways", kinds["claims"]),
            "signature": ngettext("%d waits for a signature", "%d wait for a signature", kinds["signature"]),
            "disputed": ngettext("%d disputed", "%d disputed", kinds["disputed"]),
            "director": ngettext("%d waits for you", "%d wait for you", kinds["director"]),
            "done": ngettext("%d done", "%d done", kinds["done"]),
        }
        return [said % kinds[kind] for kind, said in words.items() if kinds[kind]]


def board_of(round_: Round, *, now: datetime.datetime) -> Board:
    """Return the board of a round at the time `now`, in one query, by table."""
    written = SheetAct.objects.filter(sheet=OuterRef("sheet")).order_by("-id").values("at")[:1]
    matches = with_what_counts(round_.matches.all()).annotate(
        written_at=Subquery(written),
        open_claims=_open(Claim.objects.all()),
        open_disputes=_open(Dispute.objects.all()),
    )
    rows = list(matches.order_by(F("table").asc(nulls_last=True), "id"))
    event = round_.event
    for match in rows:
        match.event, match.round = event, round_
    return Board(
        round_,
        [_table(match, now) for match in rows if match.state not in SAT_OUT],
        [match for match in rows if match.state in SAT_OUT],
    )


def _open(rows: "QuerySet[Claim] | QuerySet[Dispute]") -> Coalesce:
    """Count the undecided `rows` of a match's sheet."""
    undecided = rows.filter(sheet=OuterRef("sheet"), settlement=None).order_by()
    counted = undecided.values("sheet").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def _table(match: Match, now: datetime.datetime) -> BoardMatch:
    sheet, read = match.sheet, match.__dict__
    is_open = sheet is not None and sheet.status == SheetStatus.OPEN
    still = None if read["written_at"] is None else now - read["written_at"]
    idles = still is not None and is_open and match.state == MatchState.PLAYING and still >= IDLE_AFTER
    columns = [] if sheet is None else sheet.derived.get("columns", [])
    said = said_of(match)
    return BoardMatch(
        match=match,
        deals=0 if sheet is None else sheet.deal_count,
        columns_closed=sum(column["status"] != "open" for column in columns),
        columns=len(columns),
        signed=sorted(said.signed) if sheet is not None and not is_open else [],
        waits=[] if match.state in AWARDED else waits_for(match, sheet, said),
        claims=read["open_claims"],
        disputes=read["open_disputes"],
        idle=int(still.total_seconds() // 60) if still is not None and idles else None,
    )
