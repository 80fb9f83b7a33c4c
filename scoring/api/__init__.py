"""The API of scoring, and how errors are answered."""
