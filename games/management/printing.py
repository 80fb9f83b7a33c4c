"""The arena's results, and what bots' choices cost, as tables for people; the results as JSON too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.arena.choices import UsualChoices
from games.arena.figures import Arena, Share
from games.arena.pairs import label
from scoring.core.skills import Skill, shown, shown_spread


def table(arena: Arena, ratings: Mapping[str, Skill]) -> Iterator[str]:
    """The lines: every bot against all others, the strongest first, then every two bots."""
    said = _(
        "%(bots)d bots, %(games)d games between any two to %(target)d, %(total)d in all; packs of seed"
        " %(seed)d."
    )
    if arena.rules.deals is not None:
        said = _(
            "%(bots)d bots, %(games)d games between any two of %(deals)d deals, %(total)d in all; packs of"
            " seed %(seed)d."
        )
    yield (
        said
        % {
            "bots": len(arena.bots),
            "games": arena.games,
            "target": arena.rules.target,
            "deals": arena.rules.deals,
            "total": sum([meeting.games for meeting in arena.meetings]),
            "seed": arena.seed,
        }
    )
    fewest = min([meeting.games for meeting in arena.meetings])
    if fewest < arena.games:
        yield _("Between two of which one has levels there were %(games)d games.") % {"games": fewest}
    yield ""
    standings = sorted(arena.standings(), key=lambda one: -ratings[label(one.bot)].mu)
    rows = [
        (
            label(one.bot),
            _rating(ratings[label(one.bot)]),
            *_share(one.share),
            f"{one.points_per_hand:+.2f}",
            f"{one.seconds_per_decision * 1e3:.3f}",
        )
        for one in standings
    ]
    yield from aligned([("", _("rating"), _("won"), "95 %", _("points a hand"), _("ms a choice")), *rows])
    order = {label(one.bot): place for place, one in enumerate(standings)}
    met = []
    for meeting in arena.meetings:
        one, other = label(meeting.one), label(meeting.other)
        share, points = meeting.share, meeting.points / meeting.hands
        if order[one] > order[other]:
            one, other, share, points = other, one, share.of_the_other(), -points
        met.append((order[one], order[other], (one, other, *_share(share), f"{points:+.2f}")))
    yield ""
    against = ("", _("against"), _("won"), "95 %", _("points a hand"))
    yield from aligned([against, *[row for _one, _other, row in sorted(met)]], texts=2)


def choices_table(found: Iterable[UsualChoices]) -> Iterator[str]:
    """The lines: for every bot its choices, the share that agrees, and what one cost; each with its error."""
    heads = ("", _("choices"), _("agree"), "±", _("points a choice"), "±")
    rows = []
    for one in found:
        sums = one.agreement
        shares = f"{sums.share * 100:.1f} %", f"{sums.share_error * 100:.1f}"
        error = "" if sums.cost_error is None else f"{sums.cost_error:.2f}"
        rows.append((one.name, str(sums.choices), *shares, f"{sums.mean_cost:.2f}", error))
    yield from aligned([heads, *rows])


def document(arena: Arena, ratings: Mapping[str, Skill]) -> dict[str, Any]:
    """The results as JSON; shares and their bounds are from 0 to 1."""
    return {
        "rules": arena.rules.to_document(),
        "seed": arena.seed,
        "games": arena.games,
        "bots": [
            {
                "bot": label(one.bot),
                **one.bot.to_document(),
                "rating": shown(ratings[label(one.bot)].mu),
                "mu": ratings[label(one.bot)].mu,
                "sigma": ratings[label(one.bot)].sigma,
                "games": one.games,
                **_share_document(one.share),
                "points_per_hand": round(one.points_per_hand, 4),
                "ms_per_choice": round(one.seconds_per_decision * 1e3, 4),
            }
            for one in arena.standings()
        ],
        "meetings": [
            {
                "one": label(meeting.one),
                "other": label(meeting.other),
                "games": meeting.games,
                "wins": meeting.wins,
                **_share_document(meeting.share),
                "hands": meeting.hands,
                "points": meeting.points,
            }
            for meeting in arena.meetings
        ],
    }


def aligned(rows: Sequence[Sequence[str]], *, texts: int = 1) -> Iterator[str]:
    """Rows of equal length as lines: the first `texts` columns left-aligned, the others right-aligned."""
    widths = [max([len(cell) for cell in column]) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if index < texts else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "   ".join(cells).rstrip()


def _rating(skill: Skill) -> str:
    return f"{shown(skill.mu)} ± {shown_spread(skill.sigma)}"


def _share(share: Share) -> tuple[str, str]:
    return f"{share.mean * 100:.1f} %", f"{share.low * 100:.1f} – {share.high * 100:.1f}"


def _share_document(share: Share) -> dict[str, float]:
    return {"share": round(share.mean, 6), "low": round(share.low, 6), "high": round(share.high, 6)}
