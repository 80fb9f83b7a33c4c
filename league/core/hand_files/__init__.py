"""Files of hands as text: rows read, checked and gathered into sheets. Pure: no database."""
