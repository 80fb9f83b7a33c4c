"""API endpoints that answer a JSON document and store nothing."""

from abc import ABC, abstractmethod
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.api.problems import PROBLEM_TYPE, Problem
from scoring.core.errors import DocumentError


class DocumentView(APIView, ABC):
    """Answers a posted document. It needs no authentication and hence no CSRF token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @abstractmethod
    def answer(self, document: Any) -> Any:
        """The JSON answer; errors it raises become problem documents."""

    def post(self, request: Request) -> Response:
        if request.stream is None:
            raise DocumentError("not_json", _("The request is empty."))
        return Response(self.answer(request.data))


def document_responses(answered: OpenApiResponse, *, refused: str) -> dict[Any, OpenApiResponse]:
    """The OpenAPI responses of such an endpoint; `refused` describes its 422."""
    problems = {
        400: "Not JSON.",
        406: "Only JSON is available.",
        413: "The request is too large.",
        415: "Not sent as application/json.",
        422: refused,
        429: "Too many requests; see Retry-After.",
    }
    return {
        200: answered,
        **{
            (status, PROBLEM_TYPE): OpenApiResponse(Problem, description=said)
            for status, said in problems.items()
        },
    }


def document_examples(name: str, *, asked: Any, answered: Any, problem: Any) -> list[OpenApiExample]:
    """The OpenAPI examples of such an endpoint: a request called `name`, its answer, and a refusal."""
    return [
        OpenApiExample(name, value=asked, request_only=True),
        OpenApiExample(name, value=answered, response_only=True, status_codes=["200"]),
        OpenApiExample(
            "A knock over the limit",
            value=problem,
            response_only=True,
            media_type=PROBLEM_TYPE,
            status_codes=["422"],
        ),
    ]
