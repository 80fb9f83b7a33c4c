"""CSV files of hands: rows are read, checked and gathered into sheets. Pure: no database."""
