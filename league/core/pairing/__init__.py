"""Who meets whom. Pure: no database, no clock, no chance that was not passed in as a seed."""
