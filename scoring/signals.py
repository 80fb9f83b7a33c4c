"""What scoring tells the floors above."""

from django.dispatch import Signal

# Sent inside the transaction that changed the sheet, with `sheet` (locked and already saved), `state` (what
# `score_sheet` returned; None where only signatures or the paper's acceptance changed) and `act`.
# Receivers only write rows, or refuse: what they raise takes the act back.
sheet_changed = Signal()
