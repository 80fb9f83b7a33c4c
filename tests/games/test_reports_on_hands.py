"""What the choices of members cost is weighed once a hand is over, and told to their player alone."""
