"""House rules in sentences: knobs, examples, and common misconceptions."""
