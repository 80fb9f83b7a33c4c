"""How lines of the log are written."""

import logging
import types

ExceptionInfo = (
    tuple[type[BaseException], BaseException, types.TracebackType | None] | tuple[None, None, None]
)


class OneLine(logging.Formatter):
    """Leaves tracebacks out, for records that are not about a fault in the program."""

    def formatException(self, ei: ExceptionInfo) -> str:
        return ""
