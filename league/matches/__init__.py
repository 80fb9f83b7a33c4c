"""Matches: making, lining up, counting, postponing, substitutes, and table links."""
