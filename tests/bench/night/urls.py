"""The addresses of the site, and a view by which the recording of deals is measured."""

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from deploy.urls import urlpatterns as of_site
from league.models import Deletion


class InsertRow(APIView):
    """What any API does that keeps what it is sent: it knows who asks, and inserts one row."""

    def post(self, request: Request) -> Response:
        sent: dict[str, str] = request.data  # type: ignore[assignment]
        row = Deletion.objects.create(resource="nothing", public_id=sent["id"], club_id=0)
        return Response({"id": row.public_id}, status=201)


urlpatterns = [path("api/v1/bare/", InsertRow.as_view()), *of_site]
