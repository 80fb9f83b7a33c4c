"""Pairing algorithms. Pure: no database, no clock, no randomness but from a given seed."""
