"""Clubs, players, accounts, invitations and tokens."""
