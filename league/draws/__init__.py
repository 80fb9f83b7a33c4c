"""Rounds and brackets: planned, written, published, closed."""
