"""How lists are cut into pages."""

from typing import Final

from rest_framework.pagination import PageNumberPagination

LARGEST_PAGE: Final = 200


class Pages(PageNumberPagination):
    """Pages of 50 rows, or of up to 200 where `page_size` asks for it."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE
