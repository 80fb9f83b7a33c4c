"""API endpoint that scores a sheet without storing it (INTERFACES §2)."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.document_view import DocumentView, document_examples, document_responses
from scoring.documents import schemas as openapi
from scoring.documents.sheets import score_document


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
        examples=document_examples(
            "A Hollywood sheet",
            asked=openapi.SHEET_EXAMPLE,
            answered=score_document(openapi.SHEET_EXAMPLE),
            problem=openapi.PROBLEM_EXAMPLE,
        ),
    )
    def post(self, request: Request) -> Response:
        return super().post(request)
