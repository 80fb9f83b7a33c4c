"""What may be kept of an answer, and for whom."""

from typing import Any

from django.conf import settings
from django.utils.cache import patch_cache_control, patch_vary_headers
from rest_framework.request import Request
from rest_framework.views import APIView


class SpeltForReader(APIView):
    """A view whose answers differ by who asks: rows that he may see, names as he may read them.

    Whatever keeps its answers keeps them apart, and asks again with the ETag each time; what is told to
    somebody signed in, or to a program, is kept by himself alone.
    """

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if request.method in ("GET", "HEAD"):
            patch_cache_control(response, no_cache=True)
            # By what was sent: who that is may be what the answer refuses.
            if "Authorization" in request.headers or settings.SESSION_COOKIE_NAME in request.COOKIES:
                patch_cache_control(response, private=True)
        return response
