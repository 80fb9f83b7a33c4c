"""Reads of the pages of games, each in a number of queries that does not depend on how much there is."""
