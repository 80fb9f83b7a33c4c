"""Lots: whoever has the seed and the key draws the same, and nothing else matters."""

from hashlib import sha256

from league.core.lots import by_lot, lot

CODES = {"Ann": "k7wq2mzt4d", "Bob": "r3xh9bnp6v", "Cid": "w3zkq7hmtp"}


def test_lot_is_the_beginning_of_a_digest_that_anybody_can_make() -> None:
    digest = sha256(b"482913377:k7wq2mzt4d").hexdigest()
    assert lot(482913377, "k7wq2mzt4d") == int(digest[:13], 16)


def test_the_higher_comes_first_as_by_the_whole_digest() -> None:
    for seed in range(60):
        digests = {name: sha256(f"{seed}:{code}".encode()).hexdigest() for name, code in CODES.items()}
        assert by_lot(CODES, seed) == sorted(digests, key=digests.__getitem__, reverse=True)


def test_every_order_comes_about_and_none_more_often() -> None:
    """Six orders of three in 600 lots: with a fair one outside of these bounds about once in 1000 tests."""
    orders = [tuple(by_lot(CODES, seed)) for seed in range(600)]
    counts = {order: orders.count(order) for order in set(orders)}
    assert len(counts) == 6
    assert all(65 <= count <= 135 for count in counts.values())


def test_who_comes_or_leaves_changes_nothing_between_the_others() -> None:
    more = CODES | {"Dot": "q4tzn8wvxc", "Eva": "b7kxr2qwmt"}
    for seed in range(20):
        assert [name for name in by_lot(more, seed) if name in CODES] == by_lot(CODES, seed)
