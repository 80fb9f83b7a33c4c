"""The terminal in which the site runs."""

import io
import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def terminal() -> Iterator[io.StringIO]:
    """What the handlers of the settings write."""
    text = io.StringIO()
    loggers = [logging.getLogger(name) for name in (None, "django.request", "django.security")]
    own = [each for logger in loggers for each in logger.handlers if type(each) is logging.StreamHandler]
    before = [handler.setStream(text) for handler in own]
    yield text
    for handler, stream in zip(own, before, strict=True):
        handler.setStream(stream)
