"""Pages as they are compared in tests: where a template breaks its lines shows nowhere."""

import re


def together(html: str) -> str:
    """The page in one line, with nothing between a tag and the text beside it, nor at the end of a tag."""
    line = re.sub(r"\s+", " ", html)
    return re.sub(r" ?(<[^>]*?) ?(>) ?", r"\1\2", line)
