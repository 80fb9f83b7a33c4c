"""What games tell the floor above."""

from django.dispatch import Signal

# Sent inside the transaction that ended a bot match, with `match` (already saved): played, forfeited or
# cancelled. Receivers only write rows; what they raise takes the end back.
bot_match_ended = Signal()
