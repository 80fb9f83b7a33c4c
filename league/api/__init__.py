"""The API of the league under /api/v1/: who asks, the resources, and the sheets one writes on."""
