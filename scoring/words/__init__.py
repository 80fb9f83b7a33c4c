"""House rules in sentences: knobs, examples, and what is not a rule."""
