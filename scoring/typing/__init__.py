"""What a scorekeeper types: fields, rows, slips, and what he may have meant. Pure Python."""
