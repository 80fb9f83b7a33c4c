"""HEAD: the headers of GET, and nothing else."""

import pytest
from django.test import Client

from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/clubs/harbour/", "/clubs/nowhere/", "/api/v1/", "/admin/login/"])
def test_head_has_the_headers_of_get_and_no_body(client: Client, address: str) -> None:
    ClubFactory.create(slug="harbour")
    got, head = client.get(address), client.head(address)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["Content-Length"] == str(len(got.content))


def test_head_has_the_etag_that_get_has_and_knows_it_again(client: Client) -> None:
    ClubFactory.create(slug="harbour")
    tag = client.get("/clubs/harbour/").headers["ETag"]
    assert client.head("/clubs/harbour/").headers["ETag"] == tag
    assert client.head("/clubs/harbour/", headers={"If-None-Match": tag}).status_code == 304
