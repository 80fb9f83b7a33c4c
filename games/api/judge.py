"""API endpoint that judges a hand from its cards without storing it (INTERFACES §3)."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import schemas as openapi
from games.gin.documents import judge_document
from scoring.api.document_view import DocumentView, document_responses
from scoring.api.problems import PROBLEM_TYPE


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
        examples=[
            OpenApiExample("A knock", value=openapi.HAND_EXAMPLE, request_only=True),
            OpenApiExample(
                "A knock",
                value=judge_document(openapi.HAND_EXAMPLE),
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
