"""Recomputing derived data, and the lists of the audit."""
