"""The benchmark. `python -m tests.bench` runs it; a module `bench_*.py` here adds to it."""
