"""What a scorekeeper types: fields, rows, typing errors, and what was probably meant. Pure Python."""
