"""The OpenAPI document at `/api/v1/schema/`, generated once per process."""

import hashlib
from functools import cache
from typing import Any, Final

from django.http import HttpResponse
from django.utils.encoding import force_bytes
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

# The first is the default.
_RENDERERS: Final = [OpenApiYamlRenderer, OpenApiYamlRenderer2, OpenApiJsonRenderer, OpenApiJsonRenderer2]


class ApiDocument(APIView):
    """The OpenAPI document: the same for everybody, since it names operations and no data."""

    renderer_classes = _RENDERERS
    permission_classes = [AllowAny]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The document as YAML or JSON, as requested, with an ETag."""
        renderer = request.accepted_renderer
        written, etag = _written_in(renderer.media_type)
        kind = f"{renderer.media_type}; charset=utf-8" if renderer.charset else renderer.media_type
        shown = f'inline; filename="openapi.{renderer.format}"'
        return HttpResponse(written, kind, headers={"ETag": etag, "Content-Disposition": shown})


def gathered_document() -> dict[str, Any]:
    """The document for the API as it is now; takes seconds."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document


# It depends on code and settings, which change only with a new process.
_kept_document: Final = cache(gathered_document)


@cache
def _written_in(accepted: str) -> tuple[bytes, str]:
    """The document rendered as this media type, and its ETag."""
    renderer = next(each for each in _RENDERERS if each.media_type == accepted)
    written = force_bytes(renderer().render(_kept_document(), None, {"indent": 1}))
    return written, f'"{hashlib.sha256(written).hexdigest()[:32]}"'
