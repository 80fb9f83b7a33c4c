"""`python -m deploy.tether FD MODULE ARGS`: run a Python module while the process that started it lives.

FD is the reading end of a pipe whose only writing end is in the starting process. However that process ends,
even by `kill -9`, the kernel closes its end; this one then asks itself to stop, and after a while no longer
asks. It works on every Unix, and there is no moment at which the end of the parent could be missed.
"""

import os
import runpy
import signal
import sys
import threading

GRACE_SECONDS = 8


def main() -> None:
    pipe, module, *arguments = sys.argv[1:]
    threading.Thread(target=_stop_at_end_of, args=(int(pipe),), daemon=True).start()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _stop_at_end_of(pipe: int) -> None:
    os.read(pipe, 1)  # nobody ever writes: this returns when the other end is gone
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE_SECONDS)
    # The starter made this process the leader of a group, so this takes its own children along.
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    main()
