"""Bots of the house, their matches and schedules."""
