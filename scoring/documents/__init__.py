"""Sheets, deals and hands as JSON: reading, writing, and the schemas. Pure Python."""
