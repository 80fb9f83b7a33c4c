"""Signals from scoring to the apps above."""

from django.dispatch import Signal

# Sent inside the transaction that changed the sheet, with `sheet` (locked and already saved), `state` (from
# `score_sheet`; None if only signatures or the paper's acceptance changed) and `act`.
# Receivers only write rows, or refuse: an exception rolls the act back.
sheet_changed = Signal()
