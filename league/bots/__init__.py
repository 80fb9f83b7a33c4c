"""House bots, their matches and schedules."""
