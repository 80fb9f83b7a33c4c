"""API endpoint that judges a hand from its cards without storing it (INTERFACES §3)."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import schemas as openapi
from games.gin.documents import judge_document
from scoring.api.document_view import DocumentView, document_examples, document_responses


class JudgeView(DocumentView):
    """Judges a hand; stores nothing."""

    def answer(self, document: Any) -> Any:
        return judge_document(document)

    @extend_schema(
        operation_id="judge",
        summary="Judge a hand",
        description=(
            "Rules on a hand from the cards of both players: melds, lay-offs, and what it counts under the"
            " house rules. Nothing is stored."
        ),
        request={"application/json": openapi.HAND},
        responses=document_responses(
            OpenApiResponse(openapi.RULING, description="The ruling."),
            refused="Refused: what is wrong, and where.",
        ),
        examples=document_examples(
            "A knock",
            asked=openapi.HAND_EXAMPLE,
            answered=judge_document(openapi.HAND_EXAMPLE),
            problem=openapi.PROBLEM_EXAMPLE,
        ),
    )
    def post(self, request: Request) -> Response:
        return super().post(request)
