"""Matches: made, lined up, counted, postponed; substitutes and links for the table."""
