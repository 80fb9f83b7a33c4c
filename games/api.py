"""The API of games: a hand judged from its cards, without being stored (INTERFACES §3)."""

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import openapi
from games.documents import judge_document
from scoring.errors import DocumentError
from scoring.problems import PROBLEM_TYPE, Problem


class JudgeView(APIView):
    """Judges a hand and stores nothing; so it asks nobody who he is, and needs no CSRF token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="judge",
        summary="Judge a hand",
        description=(
            "Rules on a hand from the cards of both players: melds, lay-offs, and what it counts under the"
            " house rules. Nothing is stored."
        ),
        request={"application/json": openapi.HAND},
        responses={
            200: OpenApiResponse(openapi.RULING, description="The ruling."),
            (400, PROBLEM_TYPE): OpenApiResponse(Problem, description="Not JSON."),
            (413, PROBLEM_TYPE): OpenApiResponse(Problem, description="Too large."),
            (415, PROBLEM_TYPE): OpenApiResponse(Problem, description="Not sent as application/json."),
            (422, PROBLEM_TYPE): OpenApiResponse(Problem, description="Refused: what is wrong, and where."),
            (429, PROBLEM_TYPE): OpenApiResponse(Problem, description="Too many requests; see Retry-After."),
        },
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
        if request.stream is None:
            raise DocumentError("not_json", "The request is empty.")
        return Response(judge_document(request.data))
