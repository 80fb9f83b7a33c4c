"""Paper sheets keyed in the admin: the tray of a night, the sheet page, a sheet typed twice."""
