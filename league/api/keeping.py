"""Cache headers of responses that differ between readers."""

from typing import Any

from django.conf import settings
from django.utils.cache import patch_cache_control, patch_vary_headers
from rest_framework.request import Request
from rest_framework.views import APIView


class SpeltForReader(APIView):
    """A view whose responses differ between readers, in the rows and names that each may see.

    Caches must keep them apart (`Vary`) and revalidate each time (`no-cache`); responses to requests with
    credentials are `private`.
    """

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if request.method in ("GET", "HEAD"):
            patch_cache_control(response, no_cache=True)
            # Whether credentials were sent, not whether they are valid: the response may refuse them.
            if "Authorization" in request.headers or settings.SESSION_COOKIE_NAME in request.COOKIES:
                patch_cache_control(response, private=True)
        return response
