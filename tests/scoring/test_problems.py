"""One error shape for the whole API, whatever was raised."""

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions, serializers

from scoring.api import problems
from scoring.core.errors import CodedError, ScoringError


class ClubError(CodedError):
    """As another app writes its refusals."""


class EntrySerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=3)
    seats = serializers.ListField(child=serializers.IntegerField(), min_length=1)


def answer(error: Exception) -> dict[str, Any]:
    response = problems.problem_response(error, {})
    assert response is not None
    assert response.content_type == "application/problem+json"
    assert response.data["status"] == response.status_code
    data: dict[str, Any] = response.data
    return data


@pytest.mark.parametrize(
    ("error", "status", "code", "field"),
    [
        (
            ScoringError("illegal_knock", "No.", field="knocker_deadwood"),
            422,
            "illegal_knock",
            "knocker_deadwood",
        ),
        (ScoringError("not_json", "No."), 400, "not_json", None),
        (ScoringError("not_allowed", "No."), 403, "not_allowed", None),
        (ScoringError("busy", "No."), 409, "busy", None),
        (ScoringError("stale_version", "No."), 412, "stale_version", None),
        (ScoringError("too_large", "No."), 413, "too_large", None),
        (Http404("No."), 404, "not_found", None),
        (PermissionDenied("No."), 403, "permission_denied", None),
        (RequestDataTooBig("No."), 413, "too_large", None),
        (exceptions.NotAuthenticated(), 403, "not_authenticated", None),
        (exceptions.ParseError(), 400, "parse_error", None),
        (exceptions.ValidationError("No."), 422, "invalid", None),
        (exceptions.ValidationError({"sides": [{}, {"name": ["No."]}]}), 422, "invalid", "sides.1.name"),
    ],
)
def test_error_is_answered_with_status_and_code(
    error: Exception, status: int, code: str, field: str | None
) -> None:
    # REST framework's views set this before the handler is asked; without it 401 and 403 are one.
    if isinstance(error, exceptions.NotAuthenticated):
        error.status_code = 403
    data = answer(error)
    assert (data["status"], data["code"], data["field"]) == (status, code, field)
    assert data["detail"]


def test_place_is_answered_where_it_is_known() -> None:
    data = answer(ScoringError("player_twice", "Ann plays twice.", deal=3, hand=2, field="knocker"))
    assert (data["deal"], data["hand"], data["field"]) == (3, 2, "knocker")
    assert (data["title"], data["detail"]) == ("Unprocessable Entity", "Ann plays twice.")


def test_form_is_answered_with_all_its_errors() -> None:
    form = EntrySerializer(data={"name": "Annabel", "seats": [1, "x"]})
    with pytest.raises(exceptions.ValidationError) as refused:
        form.is_valid(raise_exception=True)
    data = answer(refused.value)
    assert (data["status"], data["field"], data["code"]) == (422, "name", "max_length")
    assert data["errors"].keys() == {"name", "seats"}


def test_what_was_sent_is_not_repeated_whole() -> None:
    long = "x" * 5000
    told = answer(ScoringError("unknown_field", f"There is no field “{long}” here.", field=long))
    assert told["detail"].startswith("There is no field “xxx")
    assert told["detail"].endswith("xxx” here.")
    assert max(len(told["detail"]), len(told["field"])) < 400
    told = answer(
        exceptions.ValidationError({long: [f"“{long}” is no choice."], "sides": [{}, {long: ["No."]}]})
    )
    assert len(json.dumps(told)) < 2500
    assert told["errors"]["sides"][0] == {}
    short = answer(ScoringError("illegal_knock", "x" * 400))
    assert short["detail"] == "x" * 400


def test_fault_is_not_answered() -> None:
    assert problems.problem_response(ZeroDivisionError(), {}) is None


def test_refusals_of_another_app_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "_STATUSES", {})
    problems.answer_with({"closed": 409})
    assert answer(ClubError("closed", "The round is closed."))["status"] == 409
    data = answer(ClubError("no_seats", "There are no seats.", field="seats"))
    assert (data["status"], data["code"], data["field"], data["deal"]) == (422, "no_seats", "seats", None)
