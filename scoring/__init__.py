"""Scoring: house rules, hand results and score sheets. The ground floor; it knows no club and no event."""
