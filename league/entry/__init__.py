"""Typing paper sheets in the admin: the tray of a night, the sheet page, comparing double entries."""
