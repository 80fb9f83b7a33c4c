"""A club night through HTTP: what runs for `bench_night` in processes of its own, on a database of its own."""
