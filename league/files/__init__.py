"""Import and export of hands as CSV files: INTERFACES §6.

An import goes through `reading` (bytes to rows), `gathering` (rows to sheets), `planning` (what it would do
to this club) and `applying` (does it, in one transaction); `undoing` takes it back. `exporting` writes the
same format.
"""
