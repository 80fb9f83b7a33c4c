"""How lines of the log are written."""

import logging
import types
from typing import Final

from django.http import HttpRequest

# Under this name a request's META keeps what the fault that befell it is called.
FAULT: Final = "league.fault"
ExceptionInfo = (
    tuple[type[BaseException], BaseException, types.TracebackType | None] | tuple[None, None, None]
)


class OneLine(logging.Formatter):
    """Leaves tracebacks out, for records that are not about a fault in the program."""

    def formatException(self, ei: ExceptionInfo) -> str:
        return ""


class NameFault(logging.Filter):
    """Adds to the record of a fault in the API the name by which its answer calls it."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        fault = request.META.get(FAULT) if isinstance(request, HttpRequest) else None
        # Once, however many handlers the record passes.
        if fault is not None and fault not in str(record.msg):
            record.msg = f"{record.msg} ({fault})"
        return True
