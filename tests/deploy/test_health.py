import pytest
from django.test import Client


@pytest.mark.django_db
def test_healthz_when_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["database"] == "ok"
