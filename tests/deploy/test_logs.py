"""What stands in the terminal."""

import io
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import UserFactory


def test_foreign_host_is_one_line(client: Client, terminal: io.StringIO) -> None:
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    (line,) = terminal.getvalue().splitlines()
    assert "'elsewhere.example'" in line


@pytest.mark.django_db
def test_filter_that_does_not_exist_is_one_line(client: Client, terminal: io.StringIO) -> None:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    answer = client.get(reverse("admin:league_match_changelist"), {"sheet__code__startswith": "1"})
    assert answer.status_code == 400
    (line,) = terminal.getvalue().splitlines()
    assert "sheet__code__startswith" in line


@pytest.mark.django_db
def test_what_is_not_there_or_refused_is_no_line(client: Client, terminal: io.StringIO) -> None:
    assert client.get("/nowhere/").status_code == 404
    assert client.post("/api/v1/score/", "{}", content_type="application/json").status_code == 422
    assert terminal.getvalue() == ""


@pytest.mark.django_db
def test_fault_keeps_its_traceback(client: Client, terminal: io.StringIO) -> None:
    client.raise_request_exception = False
    with patch("league.pages.clubs.render", side_effect=ZeroDivisionError):
        assert client.get("/").status_code == 500
    assert "Traceback" in terminal.getvalue()
