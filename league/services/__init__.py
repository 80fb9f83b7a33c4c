"""Every write of the league, one module per story."""
