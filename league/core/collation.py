"""Sort keys for names, independent of the database: Åse sorts under A, not after Z."""

import unicodedata

# Letters that Unicode does not decompose into a base letter and a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe"}
)


def name_key(name: str) -> tuple[str, str]:
    """Return the sort key of a name: its plain letters, then the name as written."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign)).translate(_PLAIN)
    return " ".join(plain.split()), name
