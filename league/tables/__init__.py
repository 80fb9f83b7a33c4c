"""Derived data: standings, placings, crosstables, ratings, season tables."""
