"""A round of a Swiss in worked examples: who meets whom, who has the bye, who deals first, and why."""

from decimal import Decimal

import pytest

from league.core.pairing.errors import PairingError
from league.core.pairing.swiss import Entrant, Met, NoPairingError, Pairing, Reason, order_lot, pair
from league.core.pairing.swiss_words import why_these
from tests.refusals import refuses


def entrants(*scores: int | Decimal) -> list[Entrant]:
    """Entries 1, 2 … with these scores; each is seeded by its number."""
    return [Entrant(number, score, number) for number, score in enumerate(scores, start=1)]


def met(*pairs: tuple[int, int]) -> list[Met]:
    return [Met(first, second) for first, second in pairs]


def who(pairing: Pairing) -> list[set[int]]:
    """Who meets whom, in order of tables."""
    return [{each.first, each.second} for each in pairing.pairs]


def test_first_round_sends_the_top_half_against_the_bottom_half() -> None:
    drawn = pair(entrants(*[0] * 8), [], round_number=1, seed=1)
    assert who(drawn) == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert {each.reasons for each in drawn.pairs} == {(Reason.SAME_SCORE, Reason.NOT_MET)}
    assert drawn.bye is None


def test_first_round_of_an_odd_number_gives_the_last_seed_the_bye() -> None:
    drawn = pair(entrants(*[0] * 7), [], round_number=1, seed=1)
    assert who(drawn) == [{1, 4}, {2, 5}, {3, 6}]
    assert (drawn.bye, drawn.bye_reasons) == (7, (Reason.BYE,))


def test_equal_scores_meet_and_the_odd_one_floats_to_the_next_group() -> None:
    """Groups of three (2 points), three (1) and two (0): 3 floats down to 4, the best of the next group."""
    drawn = pair(entrants(2, 2, 2, 1, 1, 1, 0, 0), [], round_number=3, seed=1)
    assert who(drawn) == [{1, 2}, {3, 4}, {5, 6}, {7, 8}]
    assert drawn.pairs[1].floated == 3
    assert drawn.pairs[1].reasons == (Reason.ODD_GROUP, Reason.UP_FIRST)
    assert drawn.pairs[1].points == (2, 1)
    assert [each.floated for each in drawn.pairs if Reason.SAME_SCORE in each.reasons] == [None] * 3


def test_who_floats_past_a_group_is_told_that_nobody_there_may_meet_him() -> None:
    """1 has met 2 and is kept apart from 3; without the one or the other it would float to them."""
    entries = entrants(6, 4, 4, 2)
    drawn = pair(entries, met((1, 2)), round_number=4, seed=1, apart=[(1, 3)])
    assert who(drawn) == [{1, 4}, {2, 3}]
    assert drawn.pairs[0].reasons == (Reason.ODD_GROUP, Reason.NONE_BETWEEN, Reason.UP_FIRST)
    near = pair(entries, met((1, 2)), round_number=4, seed=1)
    assert all(Reason.NONE_BETWEEN not in each.reasons for each in near.pairs)


def test_two_that_have_met_both_float_and_it_says_why() -> None:
    drawn = pair(entrants(4, 4, 2, 2), met((1, 2)), round_number=3, seed=1)
    assert sorted(map(sorted, who(drawn))) in ([[1, 3], [2, 4]], [[1, 4], [2, 3]])
    assert [each.reasons for each in drawn.pairs] == [(Reason.NO_PARTNER, Reason.UP_FIRST)] * 2


def test_two_who_could_meet_float_where_two_below_have_met_and_it_says_so() -> None:
    """Leaders who have not met: they float because else the two on 1 would be left over."""
    drawn = pair(entrants(2, 2, 1, 1), met((3, 4)), round_number=3, seed=1)
    assert all(each.floated for each in drawn.pairs)
    assert [each.reasons for each in drawn.pairs] == [(Reason.OTHERS, Reason.UP_FIRST)] * 2
    assert why_these(drawn.pairs[0])[0].text.endswith(
        "with fewer floats to below %(points)s not everybody could be paired, higher scores first"
    )


def test_two_who_could_meet_float_so_that_the_lowest_has_the_bye_and_it_says_so() -> None:
    """Leaders who have not met: with the bye for 3 they could meet, and 4 and 5; but it is 5's."""
    drawn = pair(entrants(2, 2, 1, 1, 0), met((3, 4)), round_number=3, seed=1)
    assert drawn.bye == 5
    assert [each.reasons for each in drawn.pairs] == [(Reason.OTHERS_WITH_BYE, Reason.UP_FIRST)] * 2
    assert why_these(drawn.pairs[0])[0].text.endswith(
        "with this bye and fewer floats to below %(points)s not everybody could be paired, higher scores "
        "first"
    )


def test_two_floats_by_one_are_better_than_one_by_two() -> None:
    """Both ways float by two in all: 1–2 and 3–4, or 2–3 and 1–4 over two groups."""
    assert who(pair(entrants(3, 2, 2, 1), [], round_number=4, seed=1)) == [{1, 2}, {3, 4}]


def test_scores_are_numbered_so_a_gap_of_many_points_is_one_float() -> None:
    """3 and 4 have met, so 1 and 2 float to them, each past one score, and neither past two."""
    wide, narrow = (
        pair(entrants(*scores), met((3, 4)), round_number=2, seed=1)
        for scores in ((Decimal("9.5"), 4, Decimal("3.5"), 3), (4, 3, 2, 1))
    )
    assert who(wide) == who(narrow) == [{1, 3}, {2, 4}]


def test_halves_and_whole_points_of_one_value_are_one_score() -> None:
    drawn = pair(entrants(2, Decimal("2.0"), Decimal("0.5"), Decimal("0.50")), [], round_number=2, seed=1)
    assert [each.floated for each in drawn.pairs] == [None, None]


@pytest.mark.parametrize(
    ("name", "history", "bye", "reason"),
    [
        ("the lowest", [], 5, Reason.BYE),
        ("the lowest without one", [Met(5)], 4, Reason.BYE),
        ("higher where the others need it", met((4, 3), (4, 2), (4, 1), (3, 1)), 4, Reason.BYE_HIGHER),
    ],
)
def test_bye_goes_to(name: str, history: list[Met], bye: int, reason: Reason) -> None:
    """In the third 4 has met everybody but 5, so 5's bye would leave 4 nobody."""
    drawn = pair(entrants(4, 3, 2, 1, 0), history, round_number=5, seed=1)
    assert (drawn.bye, drawn.bye_reasons) == (bye, (reason,))


def test_bye_goes_to_who_has_played_most_before_the_last_by_seed() -> None:
    """FIDE C.04.3, 2.4.4: of three on 0 only 3 has played both rounds; 4 and 5 missed one each."""
    history = [Met(3, 1, 1), Met(2, 4, 1), Met(2, 3, 2), Met(1, 5, 2)]
    drawn = pair(entrants(4, 4, 0, 0, 0), history, round_number=3, seed=1)
    assert (drawn.bye, drawn.bye_reasons) == (3, (Reason.BYE,))
    history += [Met(4, 9, 2), Met(5, 9, 1)]
    assert pair(entrants(4, 4, 0, 0, 0), history, round_number=3, seed=1).bye == 5


def test_bye_of_who_has_played_most_costs_nobody_a_float() -> None:
    """3 has played most, but has to meet 4 or 5, who have met each other; so the bye is not his."""
    history = [Met(3, 1, 1), Met(3, 2, 2), Met(4, 5, 1)]
    drawn = pair(entrants(4, 4, 0, 0, 0), history, round_number=3, seed=1)
    assert drawn.bye in {4, 5}
    assert {1, 2} in who(drawn)


def test_pairs_are_kept_apart() -> None:
    drawn = pair(entrants(*[0] * 4), [], round_number=1, seed=1, apart=[(1, 3), (4, 2)])
    assert sorted(map(sorted, who(drawn))) in ([[1, 2], [3, 4]], [[1, 4], [2, 3]])


def test_no_pairing_without_a_rematch_is_said_and_the_one_with_fewest_offered() -> None:
    """Four have all met: one of them twice with each of two; whatever is offered has two rematches."""
    everybody = met((1, 2), (3, 4), (1, 3), (2, 4), (4, 1), (3, 2))
    with refuses(NoPairingError, "no_pairing", field="entries") as refused:
        pair(entrants(6, 4, 2, 0), everybody, round_number=4, seed=1)
    assert str(refused.value.message) == (
        "Round 4 cannot be paired by the rules. The nearest pairing takes 2 rematches."
    )
    offer = refused.value.offer
    assert who(offer) == [{1, 2}, {3, 4}]
    assert offer.rematches == 2
    assert offer.pairs[1].reasons == (Reason.ODD_GROUP, Reason.UP_FIRST, Reason.REMATCH)
    assert (offer.not_apart, offer.repeats_bye) == (0, False)


def test_one_rematch_is_offered_where_one_is_enough() -> None:
    """Of six, 1 has met everybody: it meets somebody again, the other four somebody new."""
    with pytest.raises(NoPairingError) as refused:
        pair(entrants(*[0] * 6), met((1, 2), (3, 1), (1, 4), (5, 1), (1, 6)), round_number=6, seed=1)
    assert refused.value.offer.rematches == 1
    assert str(refused.value.message).endswith("The nearest pairing takes 1 rematch.")


def test_a_pair_that_met_twice_is_worse_than_two_that_met_once() -> None:
    history = met((1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3), (1, 2), (1, 3), (1, 2))
    with pytest.raises(NoPairingError) as refused:
        pair(entrants(0, 0, 0, 0), history, round_number=9, seed=1)
    assert {1, 4} in who(refused.value.offer)


def test_a_rematch_is_offered_before_a_pair_kept_apart() -> None:
    with pytest.raises(NoPairingError) as refused:
        pair(
            entrants(0, 0, 0, 0),
            met((1, 2), (3, 4)),
            round_number=2,
            seed=1,
            apart=[(1, 3), (2, 3)],
        )
    assert refused.value.offer.rematches == 2
    assert refused.value.offer.not_apart == 0


def test_a_pair_kept_apart_is_offered_where_nothing_else_is_left_and_it_says_so() -> None:
    with pytest.raises(NoPairingError) as refused:
        pair(entrants(0, 0), [], round_number=1, seed=1, apart=[(2, 1)])
    assert refused.value.offer.pairs[0].reasons == (Reason.SAME_SCORE, Reason.NOT_MET, Reason.NOT_APART)
    assert str(refused.value.message) == (
        "Round 1 cannot be paired by the rules. The nearest pairing takes 1 pair that should not meet."
    )


def test_a_second_bye_is_only_offered() -> None:
    history = [Met(1), Met(2), Met(3)]
    with pytest.raises(NoPairingError) as refused:
        pair(entrants(2, 2, 0), history, round_number=4, seed=1)
    offer = refused.value.offer
    assert (offer.bye, offer.bye_reasons, offer.repeats_bye) == (3, (Reason.BYE_AGAIN,), True)
    assert str(refused.value.message) == (
        "Round 4 cannot be paired by the rules. The nearest pairing takes a second bye."
    )


@pytest.mark.parametrize(
    ("name", "history", "first"),
    [
        ("dealt first less often", met((1, 9), (2, 8), (7, 2)), 2),
        ("equally often, but not the last time they differed", met((9, 1), (2, 8), (1, 7), (7, 2)), 2),
        ("a late entry after one first deal of the other", met((1, 9)), 2),
    ],
)
def test_first_dealer_is_who(name: str, history: list[Met], first: int) -> None:
    (only,) = pair(entrants(0, 0), history, round_number=3, seed=1).pairs
    assert only.first == first


def test_who_dealt_first_meets_who_did_not_where_the_float_is_the_same() -> None:
    """By halves 1 would meet 3, and one of the two would deal first again."""
    history = met((1, 11), (12, 2), (3, 13), (14, 4))
    drawn = pair(entrants(0, 0, 0, 0), history, round_number=2, seed=1)
    assert {each.first for each in drawn.pairs} == {2, 4}


def test_those_without_a_seed_come_after_those_with_one() -> None:
    entries = [Entrant(1), Entrant(2), Entrant(3, 0, 2), Entrant(4, 0, 1)]
    for seed in range(5):
        drawn = pair(entries, [], round_number=1, seed=seed)
        assert all(len(each & {1, 2}) == 1 for each in who(drawn))


def test_who_comes_late_or_leaves_changes_nothing_between_others_without_a_seed() -> None:
    """They stand in the order of a lot, each by his own key."""
    everybody = [Entrant(number, key=f"k{number}") for number in range(1, 8)]

    def order(entries: list[Entrant]) -> list[int]:
        return sorted((each.id for each in entries), key=lambda number: -order_lot(3, f"k{number}"))

    for gone in everybody:
        here = [each for each in everybody if each != gone]
        drawn = pair(here, [], round_number=1, seed=3)
        upper, lower = order(here)[:3], order(here)[3:]
        assert sorted(map(sorted, who(drawn))) == sorted(map(sorted, zip(upper, lower, strict=True)))


def test_a_number_means_nothing_where_there_is_a_key() -> None:
    keys = {1: "x", 2: "y", 3: "z", 4: "w"}
    one = pair([Entrant(number, key=key) for number, key in keys.items()], [], round_number=1, seed=5)
    other = pair([Entrant(-number, key=key) for number, key in keys.items()], [], round_number=1, seed=5)
    assert [(each.first, each.second) for each in one.pairs] == [
        (-each.first, -each.second) for each in other.pairs
    ]


def test_seed_decides_where_nothing_else_does() -> None:
    entries = [Entrant(number) for number in range(1, 9)]
    assert len({str(who(pair(entries, [], round_number=1, seed=seed))) for seed in range(20)}) > 10


@pytest.mark.parametrize(
    ("name", "entries", "more", "code", "field"),
    [
        ("nobody", [], {}, "too_few_entries", "entries"),
        ("one", entrants(0), {}, "too_few_entries", "entries"),
        ("an entry twice", [*entrants(0, 0), Entrant(2, 0, 3)], {}, "entry_twice", "entries"),
        ("a seed twice", [*entrants(0, 0), Entrant(3, 0, 2)], {}, "seed_twice", "entries"),
        ("no number", entrants(0, Decimal("NaN")), {}, "out_of_range", "entries"),
        ("no end", entrants(0, Decimal("Infinity")), {}, "out_of_range", "entries"),
        ("no such round", entrants(0, 0), {"round_number": 0}, "out_of_range", "round_number"),
        ("met itself", entrants(0, 0), {"history": met((1, 1))}, "same_entry", "history"),
        ("kept from itself", entrants(0, 0), {"apart": [(2, 2)]}, "same_entry", "apart"),
    ],
)
def test_refused(name: str, entries: list[Entrant], more: dict[str, object], code: str, field: str) -> None:
    arguments = {"history": [], "round_number": 1, "seed": 1} | more
    with refuses(PairingError, code, field=field):
        pair(entries, **arguments)  # type: ignore[arg-type]


def test_history_and_pairs_kept_apart_may_name_entries_that_are_gone() -> None:
    drawn = pair(entrants(2, 0), [*met((1, 9), (8, 2)), Met(7)], round_number=3, seed=1, apart=[(1, 9)])
    assert who(drawn) == [{1, 2}]


def test_nobody_floats_the_same_way_twice_running_where_another_can() -> None:
    """One of three floats down, one of three up: 1 and 4 did in the last round, 2 and 5 before it."""
    entries = entrants(4, 4, 4, 2, 2, 2)
    last = [Met(1, 7, 3, 1), Met(8, 4, 3, 8)]
    before = [Met(2, 7, 2, 2), Met(8, 5, 2, 8)]
    drawn = pair(entries, [*before, *last], round_number=4, seed=1)
    assert {3, 6} in who(drawn)
    (floats,) = (each for each in drawn.pairs if each.floated)
    assert floats.reasons == (Reason.ODD_GROUP, Reason.UP_FIRST)


def test_whoever_had_a_free_win_in_the_last_round_does_not_float_down() -> None:
    drawn = pair(entrants(4, 4, 4, 2), [Met(3, None, 3, 3), Met(2, 9, 3, 2)], round_number=4, seed=1)
    assert {1, 4} in who(drawn)


def test_a_float_that_repeats_says_that_it_could_not_be_avoided() -> None:
    (only,) = pair(entrants(4, 2), [Met(1, 3, 2, 1), Met(4, 2, 2, 4)], round_number=3, seed=1).pairs
    assert only.reasons == (Reason.ODD_GROUP, Reason.DOWN_AGAIN, Reason.UP_AGAIN)


def test_whoever_floated_least_often_floats() -> None:
    history = [Met(1, 9, 1, 1), Met(2, 9, 2, 2), Met(2, 8, 1, 2), Met(8, 4, 1, 8), Met(8, 5, 2, 8)]
    drawn = pair(
        entrants(4, 4, 4, 2, 2, 2), [*history, Met(3, 7, 1, 3), Met(3, 7, 2, 3)], round_number=6, seed=1
    )
    assert {1, 6} in who(drawn)
