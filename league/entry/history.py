"""The history of a sheet for readers: author, time, reason, and the previous text of each row."""

import datetime
from collections import defaultdict
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.entry.reading import DraftAct, DraftReading
from league.policy.naming import Names
from scoring.models import ActKind, DealVersion, PaperState
from scoring.services.records import KeptSheet
from scoring.typing.notation import write_row
from scoring.typing.paper_figures import Paper


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row in an act; `before` is "" if the act wrote it first."""

    number: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PastAct:
    """One act; `note` describes what it changed besides rows."""

    at: datetime.datetime
    who: str
    what: str
    why: str
    version: int
    count: int = 0
    changes: list[RowChange] = field(default_factory=list)
    note: str = ""


def history(kept: KeptSheet, names: Names, *, left: int) -> list[PastAct]:
    """Every act on the sheet, latest first; rows in typing notation, `left` being the left side."""
    sheet = kept.sheet
    texts: dict[int, str] = {}
    changes: dict[int, list[RowChange]] = defaultdict(list)
    counts: dict[int, int] = defaultdict(int)
    for version in DealVersion.objects.filter(sheet=sheet).order_by("act_id", "number"):
        deal = kept.deal(version.body, version.number)
        fields = write_row(deal, version.number, rules=sheet.rules.rules, sides=kept.sides, left=left)
        text = " · ".join(fields)
        counts[version.act_id] += 1
        if version.number in texts:
            changes[version.act_id].append(RowChange(version.number, texts[version.number], text))
        elif version.version == 1:
            changes[version.act_id].append(RowChange(version.number, "", text))
        texts[version.number] = text
    acts = []
    was_left = 0
    done = list(sheet.acts.order_by("id"))
    names.learn_authors(done)
    for act in done:
        now_left = act.body.get("left_side", was_left)
        is_record = act.kind == ActKind.RECORD
        acts.append(
            PastAct(
                act.at,
                names.author(act),
                act.words(names.person),
                act.reason,
                act.version,
                counts[act.pk],
                [] if is_record else changes[act.pk],
                _note(kept, act.kind, act.body, swapped_to=now_left if now_left != was_left else None),
            )
        )
        was_left = now_left
    return acts[::-1]


def accepted_difference(reading: DraftReading, names: Names) -> PastAct | None:
    """The act that accepted the difference from the paper.

    None if there is none, or if the draft differs from what was accepted.
    """
    sheet = reading.base.kept.sheet
    is_accepted = sheet.paper_state == PaperState.ACCEPTED and reading.draft.version == sheet.version
    if not is_accepted or reading.plan.act is not DraftAct.NOTHING:
        return None
    act = sheet.acts.filter(kind=ActKind.ACCEPT).order_by("-id").first()
    if act is None:
        return None
    return PastAct(act.at, names.author(act), act.get_kind_display(), act.reason, act.version)


def _note(kept: KeptSheet, kind: str, body: dict[str, object], *, swapped_to: int | None) -> str:
    found = []
    if isinstance(body.get("paper"), dict):
        paper = Paper.from_document(body["paper"])
        if paper.net is not None:
            side = kept.sides[int(paper.net < 0)].name
            net = _("level") if paper.net == 0 else f"{side} {abs(paper.net):,}"
            found.append(_("the paper says %(net)s") % {"net": net})
        if paper.nets:
            nets = zip(kept.sides, paper.nets, strict=True)
            said = ", ".join(f"{side.name} {net:,}" for side, net in nets if net is not None)
            found.append(_("the paper says %(net)s") % {"net": said})
    if body.get("stopped") and kind in (ActKind.RECORD, ActKind.CORRECT):
        found.append(_("time called"))
    if swapped_to is not None:
        found.append(_("%(name)s on the left") % {"name": kept.sides[swapped_to].name})
    return ", ".join(found)
