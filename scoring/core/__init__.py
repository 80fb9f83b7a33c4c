"""The arithmetic: rules, cards, hands and sheets. Pure Python, without Django."""
