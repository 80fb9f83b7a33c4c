"""Sheets, deals and hands as JSON: what is read, what is written, and its schemas. Pure Python."""
