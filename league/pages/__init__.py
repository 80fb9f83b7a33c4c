"""The public pages: each is one view, its queries and one template."""
