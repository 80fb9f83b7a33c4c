"""A second opinion, with the extra `openspiel`: its count of ten cards. Its eleven are at times wrong."""

import pyspiel

from games.gin.melds import deadwood
from tests.games.hands import random_hands


def test_deadwood_of_ten_cards_is_openspiels(*, long: bool) -> None:
    reference = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    for (hand,) in random_hands(9, 200_000 if long else 20_000, 10):
        assert deadwood(hand) == reference.min_deadwood(list(hand)), str(hand)
