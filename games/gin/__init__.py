"""Gin rummy itself: cards, melds, lay-offs, and judging a hand. No bots, no database."""
