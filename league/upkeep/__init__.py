"""Derived figures computed again and compared; what the audit shows."""
