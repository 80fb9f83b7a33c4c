"""Events and their entries from draft to archive, divisions, and house rules."""
