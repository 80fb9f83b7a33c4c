"""Events and their entries, from draft to archive; pyramids; house rules."""
