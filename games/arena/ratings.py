"""Ratings of bots from their games in the arena.

The model is that of players (`scoring.core.skills`), but without drift, since programs do not change. The
model depends slightly on the order of games, early ones moving ratings more, although here the order means
nothing. So the games are processed in eight orders, four shuffled by packs and their reverses, and a rating
is the mean of the eight. Ratings depend neither on the names of the bots nor on the order in which games
ended.

Games only determine differences. If `simple` takes part, its rating is fixed at 25, shown as 1500: it is the
player with published results. Otherwise bots with earlier ratings keep their average. So arenas that share
some bots give comparable ratings.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from games.arena.figures import Encounter
from games.arena.pairs import label
from games.bots.simple import SIMPLE
from games.tables.dealing import derived_seed
from scoring.core.skills import MIDDLE, NEWCOMER, PLACES, Skill, SkillModel

SHUFFLES: Final = 4

_PROGRAMS: Final = SkillModel(tau=0.0)
_WINNERS: Final = {1.0: 0, 0.5: None, 0.0: 1}


def rate(meetings: Sequence[Encounter], known: Mapping[str, Skill] | None = None) -> dict[str, Skill]:
    """The rating of every bot by its label; `known` are earlier ratings by label.

    `meetings` are those of an arena in its order, at least one, each of at least one pair of games.
    """
    numbers = range(max([len(meeting.pairs) for meeting in meetings]))
    ways = []
    for shuffle in range(SHUFFLES):
        order = sorted(numbers, key=lambda packs: derived_seed(shuffle, packs))
        ways += [_rated_in_order(meetings, order), _rated_in_order(meetings, order[::-1])]
    return _shifted(
        {
            name: Skill(*[fmean(each) for each in zip(*[way[name] for way in ways], strict=True)])
            for name in ways[0]
        },
        known or {},
    )


def _rated_in_order(meetings: Sequence[Encounter], order: Sequence[int]) -> dict[str, Skill]:
    """The ratings after all games, with the packs in this order."""
    skills: dict[str, Skill] = {}
    for packs in order:
        for meeting in meetings:
            if packs >= len(meeting.pairs):
                continue
            one, other = label(meeting.one), label(meeting.other)
            for score in meeting.pairs[packs].scores:
                before = [[skills.get(one, NEWCOMER)], [skills.get(other, NEWCOMER)]]
                (skills[one],), (skills[other],) = _PROGRAMS.after(before, _WINNERS[score])
    return skills


def _shifted(skills: Mapping[str, Skill], known: Mapping[str, Skill]) -> dict[str, Skill]:
    """All ratings shifted equally to be comparable with earlier ones."""
    shared = [name for name in skills if name in known]
    if SIMPLE.name in skills:
        by = MIDDLE - skills[SIMPLE.name].mu
    elif shared:
        by = fmean([known[name].mu - skills[name].mu for name in shared])
    else:
        by = 0.0
    return {
        name: Skill(round(skill.mu + by, PLACES), round(skill.sigma, PLACES))
        for name, skill in skills.items()
    }
