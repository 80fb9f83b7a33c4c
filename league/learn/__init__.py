"""How to play: a page for each kind of game, strategy, a glossary, and questions with rulings.

Texts follow the house rules: on the site's own pages the presets, on a club's pages the club's own.
"""
