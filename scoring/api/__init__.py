"""The scoring API and the format of its errors."""
