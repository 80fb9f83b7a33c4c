"""Tables at which bots play whole sheets, and hands that were played, shown again. Pure Python."""
