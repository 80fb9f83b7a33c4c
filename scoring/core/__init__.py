"""The scoring core: rules, cards, hands and sheets. Pure Python, without Django."""
