"""The pages of games: a page is one view, its reads and one template."""
