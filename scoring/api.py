"""The API of scoring: sheets scored without being stored (INTERFACES §2)."""

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring import openapi
from scoring.documents import score_document
from scoring.errors import DocumentError
from scoring.problems import PROBLEM_TYPE, Problem, problem_response

__all__ = ["ScoreView", "problem_response"]


class ScoreView(APIView):
    """Scores a sheet and stores nothing; so it asks nobody who he is, and needs no CSRF token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="score",
        summary="Score a sheet",
        description="Adds up a score sheet under its house rules. Nothing is stored.",
        request={"application/json": openapi.SHEET},
        responses={
            200: OpenApiResponse(openapi.ANSWER, description="The sheet as scored."),
            (400, PROBLEM_TYPE): OpenApiResponse(Problem, description="Not JSON."),
            (413, PROBLEM_TYPE): OpenApiResponse(Problem, description="Too large."),
            (415, PROBLEM_TYPE): OpenApiResponse(Problem, description="Not sent as application/json."),
            (422, PROBLEM_TYPE): OpenApiResponse(
                Problem, description="Refused: what is wrong, and in which deal, hand and field."
            ),
            (429, PROBLEM_TYPE): OpenApiResponse(Problem, description="Too many requests; see Retry-After."),
        },
        examples=[
            OpenApiExample("A Hollywood sheet", value=openapi.SHEET_EXAMPLE, request_only=True),
            OpenApiExample(
                "A Hollywood sheet",
                value=score_document(openapi.SHEET_EXAMPLE),
                response_only=True,
                status_codes=["200"],
            ),
            OpenApiExample(
                "A knock over the limit",
                value=openapi.PROBLEM_EXAMPLE,
                response_only=True,
                media_type=PROBLEM_TYPE,
                status_codes=["422"],
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        if request.stream is None:
            raise DocumentError("not_json", "The request is empty.")
        return Response(score_document(request.data))
