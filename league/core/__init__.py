"""What the league computes: pairings, standings, ratings, dates. Pure Python, without Django."""
