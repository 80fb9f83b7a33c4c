"""Drawing and running rounds and brackets: planning, writing, publishing, closing."""
