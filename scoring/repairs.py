"""Paper and differences live in scoring/paper.py (import them from there)."""
