"""Pages normalised for comparison: line breaks in templates do not show."""

import re


def together(html: str) -> str:
    """The page on one line, with no space between tags and the text next to them."""
    line = re.sub(r"\s+", " ", html)
    return re.sub(r" ?(<[^>]*?) ?(>) ?", r"\1\2", line)
