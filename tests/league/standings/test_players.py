"""The table of players: everybody takes the net of his side, and a substitute keeps his own record."""

import pytest

from league.core.standings import PlayerShare, StandingsError, rank_players
from tests.refusals import refuses

ANN, BOB, CID, DOT, EVE = 1, 2, 3, 4, 5


def test_everybody_takes_the_net_of_his_side() -> None:
    # Ann and Bob beat Cid and Dot by 40; then Ann and Cid lose to Bob and Dot by 30.
    first = [PlayerShare(player=one, net=net) for one, net in ((ANN, 40), (BOB, 40), (CID, -40), (DOT, -40))]
    second = [PlayerShare(player=one, net=net) for one, net in ((ANN, -30), (CID, -30), (BOB, 30), (DOT, 30))]
    rows = rank_players([ANN, BOB, CID, DOT], first + second)
    assert [(row.rank, row.player, row.net, row.played, row.wins, row.losses) for row in rows] == [
        (1, BOB, 70, 2, 2, 0),
        (2, ANN, 10, 2, 1, 1),
        (3, DOT, -10, 2, 1, 1),
        (4, CID, -70, 2, 0, 2),
    ]


def test_substitute_has_a_row_of_his_own() -> None:
    # Bob's side is 60 ahead when Eve takes his seat, and loses by 12 in the end: hers is −12 − 60.
    rows = rank_players(
        [ANN, BOB, EVE],
        [
            PlayerShare(player=ANN, net=-12, hands_won=5, gins=1),
            PlayerShare(player=BOB, net=60, hands_won=4),
            PlayerShare(player=EVE, net=-72, hands_won=1, substitute=True),
        ],
    )
    assert [(row.player, row.net, row.wins, row.losses, row.substitute_matches) for row in rows] == [
        (BOB, 60, 1, 0, 0),
        (ANN, -12, 0, 1, 0),
        (EVE, -72, 0, 1, 1),
    ]


def test_level_in_net_are_split_by_wins_hands_and_gins_and_share_a_rank_at_last() -> None:
    def share(player: int, *nets: int, hands_won: int = 0, gins: int = 0) -> list[PlayerShare]:
        rest = [PlayerShare(player=player, net=net) for net in nets[1:]]
        return [PlayerShare(player=player, net=nets[0], hands_won=hands_won, gins=gins), *rest]

    shares = [
        *share(ANN, 10, 10, -20),
        *share(BOB, 20, -10, -10, hands_won=9),
        *share(CID, 20, -20, hands_won=4, gins=1),
        *share(DOT, 20, -20, hands_won=4),
        *share(EVE, 20, -20, hands_won=4),
    ]
    rows = rank_players([DOT, EVE, CID, BOB, ANN], shares)
    assert [(row.rank, row.player) for row in rows] == [(1, ANN), (2, BOB), (3, CID), (4, DOT), (4, EVE)]


def test_who_has_not_played_yet_has_an_empty_row() -> None:
    (row,) = rank_players([ANN], [])
    assert (row.rank, row.played, row.net) == (1, 0, 0)


@pytest.mark.parametrize(
    ("players", "share", "code"),
    [([ANN, ANN], ANN, "duplicate_player"), ([ANN], BOB, "unknown_player")],
)
def test_wrong_players_are_refused(players: list[int], share: int, code: str) -> None:
    with refuses(StandingsError, code):
        rank_players(players, [PlayerShare(player=share, net=1)])
