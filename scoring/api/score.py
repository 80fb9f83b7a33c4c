"""API endpoint that scores a sheet without storing it (INTERFACES §2)."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.document_view import DocumentView, document_responses
from scoring.api.problems import PROBLEM_TYPE, problem_response
from scoring.documents import schemas as openapi
from scoring.documents.sheets import score_document

__all__ = ["ScoreView", "problem_response"]


class ScoreView(DocumentView):
    """Scores a sheet; stores nothing."""

    def answer(self, document: Any) -> Any:
        return score_document(document)

    @extend_schema(
        operation_id="score",
        summary="Score a sheet",
        description="Adds up a score sheet under its house rules. Nothing is stored.",
        request={"application/json": openapi.SHEET},
        responses=document_responses(
            OpenApiResponse(openapi.ANSWER, description="The sheet as scored."),
            refused="Refused: what is wrong, and in which deal, hand and field.",
        ),
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
        return super().post(request)
