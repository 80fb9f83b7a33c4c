from django.urls import URLPattern, URLResolver

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = []

# The pages, mounted at the root.
urlpatterns: list[URLPattern | URLResolver] = []
