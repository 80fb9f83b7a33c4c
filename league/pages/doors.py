"""How pages are asked for: by which methods, by whom, and whether anything may keep their answers."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.decorators import login_required
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

_View = TypeVar("_View", bound=Callable[..., Any])


def form_page(view: _View) -> _View:
    """A page with a form that is sent to it."""
    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))


def own_form_page(view: _View) -> _View:
    """A page with a form, for who is signed in."""
    return form_page(login_required(view))


def own_page(view: _View) -> _View:
    """A page that is only read, for who is signed in."""
    return never_cache(require_safe(login_required(view)))


def own_act(view: _View) -> _View:
    """What is only sent, by who is signed in."""
    return never_cache(require_POST(login_required(view)))
