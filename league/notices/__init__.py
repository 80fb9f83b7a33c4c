"""Being told: what happened is a row of an outbox, in the transaction of its cause; a sweep sends it."""
