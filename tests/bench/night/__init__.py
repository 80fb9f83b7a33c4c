"""A night through HTTP: what `bench_night` runs in processes of its own, on a database of its own."""
