"""What is derived from results: standings, placings, crosstables, ratings, seasons."""
