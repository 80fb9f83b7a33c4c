"""Signals from games to the app above."""

from django.dispatch import Signal

# Sent inside the transaction that ended a bot match (played, forfeited or cancelled), with `match`, already
# saved. Receivers only write rows; an exception rolls the end back.
bot_match_ended = Signal()

# Sent inside the transaction in which a side lost a table of members by its clock, or gave it up, with
# `match`, already saved: `forfeited_by` is the side. Receivers as above.
table_forfeited = Signal()

# Sent inside the transaction in which a member takes a seat from a bot, between two deals, with `match`, the
# `chair`, in which he sits already, and `from_deal`, the first that he plays. Receivers as above.
seat_taken = Signal()

# Sent inside the transaction in which play at a table stopped, but by no director, with `match`, already
# saved: a bot has failed, a hand cannot be read, or its sheet does not take it. `adjourned_why` says which.
# Receivers as above.
table_adjourned = Signal()

# Sent inside the transaction that gave running clocks the time back in which the site was down, with `since`
# and `until`. Receivers give back what they have.
site_was_down = Signal()
