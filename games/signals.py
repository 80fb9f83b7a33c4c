"""Signals from games to the app above."""

from django.dispatch import Signal

# Sent inside the transaction that ended a bot match (played, forfeited or cancelled), with `match`, already
# saved. Receivers only write rows; an exception rolls the end back.
bot_match_ended = Signal()
