"""`python -m tests.faults.program COMMAND …`: runs a program that is no Python module, and ends with it.

So that `deploy.tether`, which runs modules, can hold such a program too. It has a process group of its own.
"""

import os
import signal
import subprocess
import sys
from types import FrameType


def main() -> None:
    signal.signal(signal.SIGTERM, _end_all)
    sys.exit(subprocess.call(sys.argv[1:]))


def _end_all(number: int, frame: FrameType | None) -> None:
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    main()
