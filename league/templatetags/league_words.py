"""Template filters for the words and figures of the league's pages."""

import datetime
from collections.abc import Sequence
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.formatted_text import formatted
from league.core.standings import CRITERIA
from league.draws.overdue import is_open_challenge
from league.matches.histories import HistoryItem
from league.models import (
    UNFINISHED,
    Adjustment,
    Entry,
    Event,
    IndividualStanding,
    Match,
    MatchState,
    Player,
    Standing,
)
from league.policy.naming import Names
from league.tables.tables import Footnote
from league.tables.words import deal_words, won_how
from scoring.models import ActedOn, ActKind
from scoring.paper.layout import SheetFrame
from scoring.templatetags.figures import grouped, signed
from scoring.typing.paper_figures import Difference
from scoring.words.messages import translated

register = template.Library()
register.filter(deal_words)
register.filter(won_how)
register.filter(translated)


@register.filter(name="formatted")
def formatted_text(written: str) -> SafeString:
    """A text with a little formatting, as its HTML (`league.core.formatted_text`)."""
    return mark_safe(formatted(written))  # noqa: S308 (cleaned there)


@register.filter
def record(standing: Standing | IndividualStanding) -> str:
    """Won, drawn and lost: 12–0–3."""
    return f"{standing.wins}–{standing.draws}–{standing.losses}"


@register.filter
def possible_places(standing: Standing) -> str:
    """The best and the worst place still possible: “2–5”, “2” if there is no other; “decided”, “won”.

    “2–…” where others may still come, and be above it.
    """
    if standing.best_place is None:
        return ""
    if standing.worst_place is None:
        return f"{standing.best_place}–…"
    if standing.place_decided:
        is_first = standing.worst_place == 1 and standing.group is None
        # The lot puts in order, and makes no winner.
        return _("won") if is_first and standing.above_next_by != "lot" else _("decided")
    if standing.best_place == standing.worst_place:
        return str(standing.best_place)
    return f"{standing.best_place}–{standing.worst_place}"


@register.filter
def bye_words(event: Event) -> str:
    """The note on entries with points for byes: “includes 2 points per bye”."""
    points = event.bye_points
    words = ngettext(
        "includes %(points)s point per bye", "includes %(points)s points per bye", 1 if points == 1 else 2
    )
    return words % {"points": grouped(points)}


@register.filter
def breakable(name: str) -> SafeString:
    """A team's name that may be wrapped after the sign that joins its players."""
    return format_html_join(mark_safe("+<wbr>"), "{}", ((part,) for part in name.split("+")))


class Who(Protocol):
    """A player, an entry, or a stand-in with the shown name."""

    @property
    def name(self) -> str:
        """The bare name."""

    @property
    def is_bot(self) -> bool:
        """Return whether only bots play under the name."""


@register.filter
def bot_mark(is_bot: bool) -> SafeString:
    """The mark behind a bot's name, "" for a person; it never wraps to the next line."""
    return format_html('\N{NO-BREAK SPACE}<span class="bot">{}</span>', _("bot")) if is_bot else SafeString()


@register.filter
def named(who: Who | Sequence[Who] | None, names: Names) -> SafeString:
    """The shown name of a player or an entry, bots marked; several are partners."""
    several = who if isinstance(who, Sequence) else [] if who is None else [who]
    return format_html_join(" + ", "{}", ((_marked(one, names),) for one in several))


@register.filter
def listed(who: Sequence[Who], names: Names) -> SafeString:
    """The shown names of several who are not partners, bots marked."""
    return format_html_join(
        ", ", "{}{}", ((breakable(_bare(one, names)), bot_mark(one.is_bot)) for one in who)
    )


def _marked(who: Who, names: Names) -> SafeString:
    shown = breakable(_bare(who, names))
    if isinstance(who, Entry) and who.has_bot:
        return format_html('<span class="bot">{}</span> {}', _("bot, for"), shown)
    return format_html("{}{}", shown, bot_mark(who.is_bot))


def _bare(who: Who, names: Names) -> str:
    if isinstance(who, Player):
        return names.player(who)
    return names.entry(who) if isinstance(who, Entry) else who.name


@register.filter
def called(who: Player | Entry | Match, names: Names) -> str:
    """The shown name of a player or an entry, or the names of a match's sides, as plain text."""
    if isinstance(who, Match):
        return names.match(who)
    return names.player(who) if isinstance(who, Player) else names.entry(who)


@register.filter
def author(row: ActedOn, names: Names) -> str:
    """The shown name of a row's author."""
    return names.author(row)


@register.filter
def free_text(written: str, names: Names) -> str:
    """A text somebody has written, unless the reader may not see it."""
    return names.text(written)


@register.filter
def note_reason(note: Footnote, names: Names) -> str:
    """The reason of a footnote: a director's words, or computed."""
    return names.text(note.adjustment.reason) if note.adjustment.pk else note.adjustment.reason


@register.filter
def reasons(match: Match, names: Names) -> list[str]:
    """The pairing's reasons for a match, in sentences."""
    return names.reasons(match)


@register.filter
def side_of(match: Match, side: int) -> tuple[Entry, ...]:
    """The entries of a side of a match: one, or both partners."""
    return match.side(side)


@register.filter
def net_for(match: Match, entry_id: int | None) -> int:
    """The net of a match from the view of the entry with this id."""
    return match.net if match.entry_a_id == entry_id else -match.net


@register.filter
def game_score(match: Match, side: int = 0) -> str:
    """The result of a game that was taken over, from the view of a side: "1–0", "½–½"."""
    if match.winner_side is None:
        return "½–½"
    return "1–0" if match.winner_side == side else "0–1"


@register.filter
def overdue(match: Match, today: datetime.date) -> bool:
    """Return whether a match should have been played by now."""
    deadline = match.deadline or match.round.last_day
    late = deadline is not None and deadline < today and match.state in UNFINISHED
    return late and not match.annulled and not is_open_challenge(match)


@register.filter
def by_criterion(name: str) -> str:
    """The criterion that put a row above the next, for its badge."""
    words = {
        "match_points": _("by points"),
        "net": _("by net"),
        "columns_won": _("by columns"),
        "boxes": _("by boxes"),
        "head_to_head": _("by their matches"),
        "wins": _("by wins"),
        "lot": _("by lot"),
    }
    if name in words or name not in CRITERIA:
        return words.get(name, name)
    return _("by %(criterion)s") % {"criterion": translated(CRITERIA[name].title)}


@register.filter
def lead(match: Match) -> int:
    """By how much the first of two sides is ahead on the sheet in play; 0 without a lead or a sheet."""
    if match.state != MatchState.PLAYING or match.sheet is None or match.is_table:
        return 0
    totals: list[int] | None = match.__dict__.get("totals") or match.sheet.derived.get("totals")
    return totals[0] - totals[1] if totals else 0


@register.filter
def magnitude(value: int) -> int:
    """The figure without its sign."""
    return abs(value)


@register.filter
def share(part: int, whole: int) -> str:
    """A part of a whole as a percentage with one decimal; a dash for an empty whole."""
    return f"{100 * part / whole:.1f}%" if whole else "–"


@register.filter
def adjustment_words(adjustment: Adjustment) -> str:
    """A director's adjustment in words: “1 point deducted”."""
    points = abs(adjustment.points)
    values = {"points": grouped(points)}
    if adjustment.points < 0:
        return (_("%(points)s point deducted") if points == 1 else _("%(points)s points deducted")) % values
    return (_("%(points)s point added") if points == 1 else _("%(points)s points added")) % values


@register.filter
def ordinal_of(rank: int, count: int) -> str:
    """A place in a table: "3 of 16"."""
    return _("%(rank)s of %(count)s") % {"rank": rank, "count": count}


@register.filter
def side_name(side: int, frame: SheetFrame) -> str:
    """The name of a side of a sheet."""
    return frame.names[side]


@register.filter
def act_words(item: HistoryItem, names: Names) -> str:
    """An act on a sheet in words: “12 deals recorded, time called”."""
    if item.act.kind != ActKind.RECORD:
        return capfirst(item.act.words(names.person))
    said = []
    if item.recorded:
        said.append(
            ngettext("%(count)s deal recorded", "%(count)s deals recorded", item.recorded)
            % {"count": item.recorded}
        )
    if item.act.body.get("stopped"):
        said.append(str(ActKind.STOP.label))
    return capfirst(", ".join(said) or item.act.words(names.person))


@register.filter
def difference_words(difference: Difference, frame: SheetFrame) -> str:
    """A difference between sheet and paper: “Net: the sheet gives Castell +78, the paper +96.”"""
    if difference.figure == "net":
        values = {"sheet": _net(difference.sheet, frame), "paper": _net(difference.paper, frame)}
        return _("Net: the sheet gives %(sheet)s, the paper %(paper)s.") % values
    values = {"sheet": grouped(difference.sheet), "paper": grouped(difference.paper)}
    if difference.figure == "lines":
        return _("Rows: the sheet has %(sheet)s, the paper %(paper)s.") % values
    values["side"] = frame.names[difference.side or 0]
    if difference.figure == "boxes" and frame.columns > 1:
        return _("Boxes of %(side)s, each win once: the sheet has %(sheet)s, the paper %(paper)s.") % values
    if difference.figure == "boxes":
        return _("Boxes of %(side)s: the sheet has %(sheet)s, the paper %(paper)s.") % values
    values["column"] = str(difference.column)
    return _("Total of %(side)s in game %(column)s: the sheet gives %(sheet)s, the paper %(paper)s.") % values


def _net(net: int, frame: SheetFrame) -> str:
    """A net in words: the leader's name and the margin."""
    return _("level") if net == 0 else f"{frame.names[net < 0]} {signed(abs(net))}"
