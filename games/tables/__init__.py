"""Tables where bots play whole sheets, and replays of hands. Pure Python."""
