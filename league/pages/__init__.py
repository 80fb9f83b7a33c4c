"""The public pages: a page is one view, its reads and one template."""
