"""The league's API under /api/v1/: authentication, resources and sheets."""
