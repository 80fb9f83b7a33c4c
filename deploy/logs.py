"""Log filters."""

import logging
import types
from typing import Final

from django.http import HttpRequest

# The key in a request's META of the id of its server error.
FAULT: Final = "league.fault"
ExceptionInfo = (
    tuple[type[BaseException], BaseException, types.TracebackType | None] | tuple[None, None, None]
)


class OneLine(logging.Formatter):
    """Drops tracebacks from records that do not report a fault of the program."""

    def formatException(self, ei: ExceptionInfo) -> str:
        return ""


class NameFault(logging.Filter):
    """Adds the id that the API's answer gives to the log record of a server error."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        fault = request.META.get(FAULT) if isinstance(request, HttpRequest) else None
        # Only once, however many handlers get the record.
        if fault is not None and fault not in str(record.msg):
            record.msg = f"{record.msg} ({fault})"
        return True
