"""What an address that leads nowhere is answered: a page, or under the API a problem document."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.defaults import page_not_found

from scoring.problems import PROBLEM_TYPE, problem_document

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Programs are answered as everywhere in the API, people by the page."""
    if not request.path_info.startswith(API):
        return page_not_found(request, exception)
    document = problem_document(404, "not_found", "There is nothing at this address.", {})
    return JsonResponse(document, status=404, content_type=PROBLEM_TYPE)
