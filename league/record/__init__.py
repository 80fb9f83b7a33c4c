"""What every write passes: locks, the audit, requests for what is derived, the broker's wake-up."""
