"""`python -m deploy.tether FD MODULE ARGS`: runs a Python module only as long as its parent lives.

FD is the read end of a pipe whose only write end is in the parent. However the parent ends, even by `kill
-9`, the kernel closes that end; this process then signals itself to stop, and after a while kills itself.
This works on every Unix, without a moment in which the parent's end could be missed.
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
    os.read(pipe, 1)  # nobody ever writes: this returns when the other end closes
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE_SECONDS)
    # The parent made this process a group leader, so this reaches its children too.
    os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    main()
