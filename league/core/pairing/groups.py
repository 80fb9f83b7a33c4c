"""Groups drawn from seeding pots, and the seeding of the bracket that follows.

Entries are sorted by seed and cut into pots of as many as there are groups. Each group gets one entry of each
pot by lot (`league.core.lots`), the first of the lot going to the first group, so groups are equally strong
and differ in size by at most one. Where pairs are kept apart an entry goes to the first group that it may be
in; if others of its pot have to make room they do, and if that does not help all are drawn again.

After the round robins the group winners are seeded above all runners-up, these above all third places.
Entries of one group are put into different halves of the bracket, then quarters. Places are filled tier by
tier, each as well as earlier tiers allow. Where up to five entries per group go on, group mates meet as late
as possible; with more, in some cases (six of each of ten groups) two meet one round too early.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import rustworkx

from league.core.lots import by_lot
from league.core.pairing.elimination import MOST_ENTRIES, seeding
from league.core.pairing.errors import PairingError
from scoring.core.messages import mark

# Number of draws tried when some entries must not share a group.
_TRIES: Final = 1000


def draw_groups(
    seeds: Sequence[int],
    groups: int,
    *,
    seed: int,
    apart: Collection[tuple[int, int]] = (),
    keys: Mapping[int, str] | None = None,
) -> tuple[tuple[int, ...], ...]:
    """Return the groups, each with its entries in order of pots; entries are named by their `seeds`.

    Lots are drawn from the `seed` by `keys`, or else by the entries' seeds. `apart` are pairs that must not
    share a group. Refused: fewer than two groups (`groups`), a repeated seed (`seed_twice`), fewer than two
    entries per group (`too_few_entries`), and pairs that none of a thousand draws keeps apart (`not_apart`).
    """
    if groups < 2:
        raise PairingError("groups", mark("Groups are two or more."), field="groups")
    if twice := sorted(one for one, count in Counter(seeds).items() if count > 1):
        raise PairingError(
            "seed_twice", mark("Seed %(twice)s is given twice.", twice=twice[0]), field="seeds"
        )
    if len(seeds) < 2 * groups:
        raise PairingError(
            "too_few_entries",
            mark(
                "%(groups)s groups need at least %(value)s entries, not %(seeds)s.",
                groups=groups,
                value=2 * groups,
                seeds=len(seeds),
            ),
            field="seeds",
        )
    ordered = sorted(seeds)
    pots = [ordered[first : first + groups] for first in range(0, len(ordered), groups)]
    foes = {one: {a + b - one for a, b in apart if one in (a, b)} for one in seeds}
    for number in range(1, _TRIES + 1):
        word = f"{seed} pots" if number == 1 else f"{seed} pots {number}"
        drawn: list[list[int]] = [[] for _ in range(groups)]
        lots = (by_lot({one: keys[one] if keys else str(one) for one in pot}, word) for pot in pots)
        if all(_deal(pot, drawn, foes) for pot in lots):
            return tuple(tuple(group) for group in drawn)
    raise PairingError(
        "not_apart",
        mark("No draw was found that keeps these pairs apart; there are too many of them."),
        field="apart",
    )


def check_qualifiers(sizes: Sequence[int], qualifiers: int, best_next: int = 0) -> None:
    """Refuse numbers of qualifiers below 1, above the smallest group's size, or too many for a bracket.

    `best_next` of the places that follow go on too: fewer than there are groups (`best_next`), as else one
    more of each would, and each group has that place.
    """
    if qualifiers < 1:
        raise PairingError("qualifiers", mark("At least one of each group goes on."), field="qualifiers")
    smallest = min(sizes)
    if qualifiers > smallest:
        raise PairingError(
            "group_too_small",
            mark(
                "%(qualifiers)s of each group are to go on, and a group has only %(smallest)s.",
                qualifiers=qualifiers,
                smallest=smallest,
            ),
            field="qualifiers",
        )
    if best_next >= len(sizes):
        raise PairingError(
            "best_next",
            mark(
                "Of %(groups)s groups at most %(most)s of the next places can be the best: for more, let one "
                "more of each group go on.",
                groups=len(sizes),
                most=len(sizes) - 1,
            ),
            field="best_next",
        )
    if best_next and qualifiers + 1 > smallest:
        raise PairingError(
            "group_too_small",
            mark(
                "The best of place %(place)s are to go on, and a group has only %(smallest)s.",
                place=qualifiers + 1,
                smallest=smallest,
            ),
            field="best_next",
        )
    if qualifiers * len(sizes) + best_next > MOST_ENTRIES:
        raise PairingError(
            "too_many_entries",
            mark(
                "%(qualifiers)s entries would go on; a bracket has at most %(most)s.",
                qualifiers=qualifiers * len(sizes) + best_next,
                most=MOST_ENTRIES,
            ),
            field="qualifiers",
        )


def knockout_seeds(tiers: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Return (group, place in it) for seeds 1, 2, … of the bracket; places count from 1.

    `tiers` lists, for each qualifying place, the groups in the order their entries deserve to be seeded. The
    order is kept for winners, and for the others as far as keeping groups apart allows. The last tier may be
    of some groups only, whose next place is among the best. Refused: other tiers that do not name the same
    groups once each (`tiers`).
    """
    groups = sorted(tiers[0]) if tiers else []
    whole = all(sorted(tier) == groups for tier in tiers[:-1])
    some = tiers[-1] if tiers else ()
    once = all(len(set(tier)) == len(tier) for tier in tiers)
    if not groups or not (whole and once) or not some or not set(some) <= set(groups):
        raise PairingError("tiers", mark("Every place has the same groups, each once."), field="tiers")
    levels = (sum(map(len, tiers)) - 1).bit_length()
    line = {seed: index for index, seed in enumerate(seeding(levels))}
    lines: dict[int, list[int]] = {group: [] for group in groups}
    seeded: list[tuple[int, int]] = []
    for place, tier in enumerate(tiers, start=1):
        first = len(seeded) + 1
        chosen = _assign(tier, [line[first + offset] for offset in range(len(tier))], lines, levels)
        for offset, group in enumerate(chosen):
            lines[group].append(line[first + offset])
            seeded.append((group, place))
    return tuple(seeded)


def _deal(pot: list[int], drawn: list[list[int]], foes: dict[int, set[int]]) -> bool:
    """Deal a pot in its order to the groups, one entry each; False if the pairs to keep apart prevent it."""
    holder: dict[int, int] = {}

    def seat(entry: int, tried: set[int]) -> bool:
        # Those that are free first.
        for group in sorted(range(len(drawn)), key=holder.__contains__):
            if group in tried or foes[entry] & set(drawn[group]):
                continue
            tried.add(group)
            if group not in holder or seat(holder[group], tried):
                holder[group] = entry
                return True
        return False

    if not all(seat(entry, set()) for entry in pot):
        return False
    for group, entry in holder.items():
        drawn[group].append(entry)
    return True


def _assign(tier: Sequence[int], places: list[int], lines: dict[int, list[int]], levels: int) -> list[int]:
    """Order the groups of a tier on these places so that group mates meet as late as earlier tiers allow."""
    count = len(tier)
    if not any(lines.values()):
        return list(tier)
    # One earlier meeting outweighs any number of later ones, and those outweigh the order of seeds.
    base, scale = len(lines[tier[0]]) + 1, count**3
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(list(range(2 * count)))
    most = scale * base ** (levels + 1)
    for index, group in enumerate(tier):
        for offset, line in enumerate(places):
            early = sum(base ** (levels - (line ^ mate).bit_length()) for mate in lines[group])
            graph.add_edge(index, count + offset, most - scale * early - (index - offset) ** 2)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    by_offset = {max(pair) - count: tier[min(pair)] for pair in matched}
    return [by_offset[offset] for offset in range(count)]
