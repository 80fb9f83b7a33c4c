"""What may stand in a name: what people see of it, and nothing that hides or turns other text round."""

import re
from typing import Final

# After the FreeformClass of RFC 8264 (§4.3): no control characters, no surrogates, no noncharacters, nothing
# that is ignored when shown (DerivedCoreProperties, Default_Ignorable_Code_Point), as the marks that set a
# direction. The blank of Braille is as invisible. Of noncharacters, those that XML refuses too.
_UNSEEN: Final = (
    "\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
# Persian, the scripts of India and emoji join or part what stands on both sides, and choose its variant.
_JOINERS: Final = "\u200c\u200d"
_VARIANTS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNFIT: Final = re.compile(
    f"[{_UNSEEN}]"
    rf"|(?<![^\s{_JOINERS}])[{_JOINERS}{_VARIANTS}]"
    rf"|[{_JOINERS}](?![^\s{_JOINERS}])"
)
# XML 1.0, §2.2: all but these may be written.
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_plain(text: str) -> bool:
    """Whether a name, or another text of one line, has no character that nobody sees."""
    return (text.isascii() and text.isprintable()) or _UNFIT.search(text) is None


def for_xml(text: str) -> str:
    """The text without what no XML may have; earlier versions kept it."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
