"""A browser of somebody who is signed in."""

from typing import Any

from django.test import Client


def logged_in(user: Any) -> Client:
    """A browser in which this user is signed in."""
    client = Client()
    client.force_login(user)
    return client
