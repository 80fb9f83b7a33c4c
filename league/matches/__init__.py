"""Matches: making, lining up, counting, substitutes, and table links."""
