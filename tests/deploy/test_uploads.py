"""What is larger than anything the site takes is refused before it is kept anywhere."""

import json

import pytest
from django.core.files import uploadhandler
from django.test import Client

from deploy.uploads import HEARD_OUT, LARGEST_REQUEST
from scoring.api.problems import PROBLEM_TYPE

LOGIN = "/login/"
MULTIPART = "multipart/form-data; boundary=x"


def body(size: int) -> bytes:
    head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'
    return head + b"x" * (size - len(head))


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that an upload has made in the folder for temporary files."""
    made: list[str] = []

    def note(self: object, *args: object, **kwargs: object) -> None:
        made.append("a file")
        raise uploadhandler.StopUpload(connection_reset=True)

    monkeypatch.setattr(uploadhandler.TemporaryFileUploadHandler, "new_file", note)
    return made


@pytest.mark.django_db
def test_a_large_upload_of_anybody_is_refused_unkept(client: Client, kept: list[str]) -> None:
    answer = client.post(LOGIN, body(LARGEST_REQUEST + 1), content_type=MULTIPART)
    assert answer.status_code == 413
    assert "Nothing was changed. A file may have 5 MB at most" in answer.content.decode()
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert kept == []


@pytest.mark.django_db
def test_what_is_just_not_too_large_is_read(client: Client, kept: list[str]) -> None:
    answer = client.post(LOGIN, body(LARGEST_REQUEST), content_type=MULTIPART)
    assert answer.status_code != 413
    assert kept == ["a file"]


def test_what_would_take_for_ever_is_not_heard_out(client: Client) -> None:
    # A byte read from this body is an error: there is none.
    answer = client.generic("POST", LOGIN, content_type=MULTIPART, CONTENT_LENGTH=str(HEARD_OUT + 1))
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["", "many", "-1"])
@pytest.mark.django_db
def test_a_length_that_is_none_is_no_fault(client: Client, length: str) -> None:
    answer = client.generic("POST", LOGIN, content_type=MULTIPART, CONTENT_LENGTH=length)
    assert answer.status_code in (200, 400)


def test_the_api_says_it_in_its_own_shape(client: Client) -> None:
    answer = client.post("/api/v1/score/", b" " * (LARGEST_REQUEST + 1), content_type="application/json")
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, PROBLEM_TYPE)
    assert json.loads(answer.content)["code"] == "too_large"
