import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()
# All pages, and what prints the PDFs, are loaded now and not while somebody waits for the first one.
get_resolver().url_patterns  # noqa: B018
