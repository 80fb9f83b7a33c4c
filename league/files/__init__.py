"""Files of hands, as CSV, and of tournaments, as FIDE's TRF, in and out: INTERFACES §6.

An import of hands goes through `core.hand_files` (bytes to rows to sheets), `planning` (what it would do to
this club) and `applying` (does it, in one transaction); `undoing` takes it back. `exporting` writes the same
format. `taking_over` reads a tournament, `trf` writes one.
"""
