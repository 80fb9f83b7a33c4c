"""What every write goes through: locks, the audit, requests for derived data, waking workers."""
