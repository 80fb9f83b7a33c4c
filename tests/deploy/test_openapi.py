"""The OpenAPI document: valid, complete, its examples true to their schemas, and changed on purpose only."""

import difflib
import json
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest
import yaml
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from deploy.document import gathered_document
from deploy.management.commands.openapi import ANNOUNCED, written

# What may be answered to whatever is asked.
ALWAYS: Final = {"406", "429"}
# Answered by what lies before the API's views, and so with every address.
WRITES: Final = {"post", "put", "patch", "delete"}


class Operation(NamedTuple):
    method: str
    path: str
    told: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.method.upper()} {self.path}"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as the API is now, as JSON; nothing may be said about how it was gathered."""
    GENERATOR_STATS.reset()
    with GENERATOR_STATS.silence():
        gathered = gathered_document()
    told: dict[str, Any] = json.loads(written(gathered))
    return told


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield Operation(method, path, told)


def bodies(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is sent and answered, by name and media type, each with its schema and examples."""
    for operation in operations(document):
        if "requestBody" in operation.told:
            for kind, content in operation.told["requestBody"]["content"].items():
                yield f"{operation.name} sends {kind}", content
        for status, response in operation.told["responses"].items():
            for kind, content in response.get("content", {}).items():
                yield f"{operation.name} answers {status} {kind}", content
    for name, response in document["components"]["responses"].items():
        for kind, content in response["content"].items():
            yield f"{name} {kind}", content


def examples(document: dict[str, Any], content: dict[str, Any]) -> list[Any]:
    """The examples of a body, those told in common too."""
    told = content.get("examples", {}).values()
    common = document["components"]["examples"]
    return [
        common[example["$ref"].rpartition("/")[2]]["value"] if "$ref" in example else example["value"]
        for example in told
    ]


def test_document_is_the_one_that_was_announced(document: dict[str, Any]) -> None:
    kept, now = ANNOUNCED.read_text(encoding="utf-8"), written(document)
    difference = difflib.unified_diff(
        kept.splitlines(), now.splitlines(), "announced", "now", n=2, lineterm=""
    )
    assert kept == now, (
        "The API is not what deploy/openapi.json says of it. If that is meant, run `manage.py openapi`, say"
        " in CHANGELOG.md what has changed, and commit both.\n" + "\n".join(list(difference)[:80])
    )


@pytest.mark.dear("makes the document of the whole API")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "read"),
    [("application/json", json.loads), ("application/vnd.oai.openapi", yaml.safe_load)],
)
def test_document_is_answered_to_anybody_in_the_format_that_is_asked_for(
    client: Client, document: dict[str, Any], accepted: str, read: Callable[[bytes], Any]
) -> None:
    answer = client.get("/api/v1/schema/", headers={"Accept": accepted})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith(accepted)
    assert read(answer.content) == document


@pytest.mark.django_db
def test_document_is_gathered_once_and_not_sent_again_to_who_has_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/api/v1/schema/?format=json")
    monkeypatch.delattr(SchemaGenerator, "get_schema")
    again = client.get("/api/v1/schema/?format=json")
    assert (again.status_code, again.content, again["ETag"]) == (200, first.content, first["ETag"])
    kept = client.get("/api/v1/schema/?format=json", headers={"If-None-Match": first["ETag"]})
    assert (kept.status_code, kept.content) == (304, b"")
    as_yaml = client.get("/api/v1/schema/", headers={"If-None-Match": first["ETag"]})
    assert as_yaml.status_code == 200


@pytest.mark.dear("looks at the document of the whole API")
def test_document_is_valid_and_of_version_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    validate_schema(document)  # type: ignore[no-untyped-call]
    assert '"nullable"' not in json.dumps(document)


def test_gathering_it_leaves_nothing_to_complain_of(capsys: pytest.CaptureFixture[str]) -> None:
    GENERATOR_STATS.reset()
    gathered_document()
    said = capsys.readouterr().err
    assert "Warning" not in said
    assert "Error" not in said


def test_every_operation_has_a_name_of_its_own_and_says_what_it_is_for(document: dict[str, Any]) -> None:
    names = [operation.told["operationId"] for operation in operations(document)]
    assert len(names) == len(set(names))
    for operation in operations(document):
        assert operation.told.get("summary"), operation.name
        for parameter in operation.told.get("parameters", []):
            said = parameter.get("description") or parameter["name"] in operation.path
            assert said, f"{operation.name}: {parameter['name']}"


def test_every_operation_stands_under_a_heading_that_is_described(document: dict[str, Any]) -> None:
    described = {tag["name"] for tag in document["tags"]}
    used = set()
    for operation in operations(document):
        (tag,) = operation.told["tags"]
        used.add(tag)
    assert used == described


def test_every_operation_says_what_it_refuses(document: dict[str, Any]) -> None:
    for operation in operations(document):
        responses = operation.told["responses"]
        wanted = set(ALWAYS)
        if "requestBody" in operation.told:
            wanted |= {"400", "413", "415", "422"}
        if {} not in operation.told["security"]:
            wanted |= {"401", "403"}
        if "{" in operation.path:
            wanted |= {"404"}
        assert wanted <= responses.keys(), f"{operation.name}: {sorted(wanted - responses.keys())}"
        common = document["components"]["responses"]
        for status, response in responses.items():
            if status >= "400":
                refusal = common[response["$ref"].rpartition("/")[2]] if "$ref" in response else response
                name = f"{operation.name} {status}"
                assert refusal["content"].keys() == {"application/problem+json"}, name
                # The version of what was not answered is not told.
                assert "headers" not in refusal, name


def test_what_writes_is_for_who_says_who_he_is(document: dict[str, Any]) -> None:
    open_to_all = {
        operation.path
        for operation in operations(document)
        if {} in operation.told["security"] and operation.method in WRITES
    }
    assert open_to_all == {"/api/v1/score/", "/api/v1/judge/"}


def test_what_is_sent_and_answered_has_an_example(document: dict[str, Any]) -> None:
    lacking = [name for name, content in bodies(document) if not examples(document, content)]
    assert lacking == []


def test_examples_are_as_their_schemas_say(document: dict[str, Any]) -> None:
    wrong = []
    for name, content in bodies(document):
        schema = {**content["schema"], "components": document["components"]}
        for example in examples(document, content):
            found = Draft202012Validator(schema).iter_errors(example)
            wrong += [f"{name}: {error.json_path} {error.message}"[:200] for error in found]
    assert wrong == []
