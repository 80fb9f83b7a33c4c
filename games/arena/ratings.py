"""Ratings of bots from their games in the arena.

The model is that of players (`scoring.core.skills`), but a program is as strong today as it was yesterday, so
nothing is forgotten. What the model makes of games depends a little on their order, which for these games
means nothing: early ones move ratings far, late ones hardly. So the games are gone through in eight orders,
four shuffled by packs and the same backwards, and a rating is the middle of the eight. They depend neither on
how the bots were named nor on which game ended first.

Only differences come out of games. Where `simple` takes part he stands at 25, shown as 1500: the plain player
whose figures are published. Else those who had a rating keep their average. So ratings of different arenas
can be compared, as long as they share some bots.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from games.arena.figures import Encounter
from games.arena.pairs import label
from games.bots.simple import SIMPLE
from games.tables.play import derived_seed
from scoring.core.skills import MIDDLE, NEWCOMER, PLACES, Skill, SkillModel

SHUFFLES: Final = 4

_PROGRAMS: Final = SkillModel(tau=0.0)
_WINNERS: Final = {1.0: 0, 0.5: None, 0.0: 1}


def rate(meetings: Sequence[Encounter], known: Mapping[str, Skill] | None = None) -> dict[str, Skill]:
    """The rating of every bot by its label; `known` are former ratings, by label too.

    `meetings` are those of an arena, in its order and of the same number of games; there is one at least.
    """
    numbers = range(len(meetings[0].pairs))
    ways = []
    for shuffle in range(SHUFFLES):
        order = sorted(numbers, key=lambda packs: derived_seed(shuffle, packs))
        ways += [_gone_through(meetings, order), _gone_through(meetings, order[::-1])]
    return _placed(
        {
            name: Skill(*[fmean(each) for each in zip(*[way[name] for way in ways], strict=True)])
            for name in ways[0]
        },
        known or {},
    )


def _gone_through(meetings: Sequence[Encounter], order: Sequence[int]) -> dict[str, Skill]:
    """Where everybody stands after all games, the packs taken in that order."""
    skills: dict[str, Skill] = {}
    for packs in order:
        for meeting in meetings:
            one, other = label(meeting.one), label(meeting.other)
            for score in meeting.pairs[packs].scores:
                before = [[skills.get(one, NEWCOMER)], [skills.get(other, NEWCOMER)]]
                (skills[one],), (skills[other],) = _PROGRAMS.after(before, _WINNERS[score])
    return skills


def _placed(skills: Mapping[str, Skill], known: Mapping[str, Skill]) -> dict[str, Skill]:
    """All of them moved by the same, to where they can be compared with former ones."""
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
