"""Text with a little formatting, as people write it, as HTML that is safe on a page.

Markdown (CommonMark): paragraphs and line breaks, emphasis, code within a line, lists, quotations, rules and
links. Headings, pictures, blocks of code and HTML are no formatting here: they show as they are written. What
comes out is then reduced to what pages allow, so that nothing depends on the first step alone.
"""

from typing import Final

import nh3
from markdown_it import MarkdownIt

_NOT_HERE: Final = ("code", "fence", "heading", "lheading", "html_block", "html_inline", "image", "reference")
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable(list(_NOT_HERE))
_TAGS: Final = {"p", "br", "em", "strong", "ul", "ol", "li", "blockquote", "hr", "a", "code"}
_ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
_SCHEMES: Final = {"http", "https", "mailto", "tel"}


def formatted(written: str) -> str:
    """The text as HTML: paragraphs, lists, quotations, emphasis; links to the web, mail and telephones."""
    return nh3.clean(
        _MARKDOWN.render(written),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="nofollow noopener noreferrer",
    )
