"""The API of games."""
