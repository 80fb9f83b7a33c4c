"""`python -m tests.bench [NAME …]`: runs the benchmarks and prints their figures.

Those that need a database get an empty test database of their own (SQLite, or the one `DATABASE_URL` names).
Ends with 1 if a ratio or a count of queries is more than promised; times are only reported.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator

import django


def main(arguments: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.bench.registry import all_benches

    benches = {bench.name: bench for bench in all_benches()}
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(benches)}")
    names = parser.parse_args(arguments).names or list(benches)
    if unknown := [name for name in names if name not in benches]:
        parser.error(f"there is no benchmark {unknown[0]}; there are: {', '.join(benches)}")

    chosen = [benches[name] for name in names]
    too_much = 0
    with _database() if any(bench.database for bench in chosen) else contextlib.nullcontext():
        for bench in chosen:
            print(f"\n{bench.name}", flush=True)
            for figure in bench.measure():
                too_much += figure.is_too_much
                print(f"{figure}{'   TOO MUCH' if figure.is_too_much else ''}", flush=True)
            if bench.database:
                _empty()
    return 1 if too_much else 0


@contextlib.contextmanager
def _database() -> Iterator[None]:
    from django.test.utils import setup_databases, teardown_databases

    old = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(old, verbosity=0)


def _empty() -> None:
    from django.core.management import call_command

    call_command("flush", interactive=False, verbosity=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
