"""The usual rule on the results of who leaves a tournament in which everybody meets everybody.

FIDE Handbook, C.05 *General Regulations for Competitions*, article 6.6: whoever withdraws, or is expelled,
with less than half of the games completed stays in the tournament table, for ratings and for the record, and
is not counted in the final standings; with half of them or more everything counts. The US Chess rulebook,
30B, has the same rule.
"""


def annulled_by_rule(played: int, in_all: int) -> bool:
    """Return whether the results of who has played so many of all its matches are annulled by the rule.

    Rests are no matches, and a match that was given away was not played.
    """
    return 2 * played < in_all
