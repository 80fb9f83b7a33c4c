"""Gin rummy itself: cards, melds, lay-offs, and judging a hand. No bots, no database.

What other programs call is offered here (INTERFACES §5).
"""

from games.gin.cards import Hand
from games.gin.judging import judge
from games.gin.melds import best_melds, deadwood

__all__ = ["Hand", "best_melds", "deadwood", "judge"]
