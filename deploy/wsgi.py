import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

django_application = get_wsgi_application()

from deploy.uploads import WithLength  # noqa: E402 - wants the apps, which are loaded by now

application = WithLength(django_application)
# Load all pages and the PDF code now rather than during the first request.
get_resolver().url_patterns  # noqa: B018
