"""Names in the order in which people look for them: Åse among the A, not after Z, whatever the database."""

import unicodedata

# Letters that Unicode does not take apart into a plain one and its mark.
_PLAIN = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe"}
)


def name_key(name: str) -> tuple[str, str]:
    """What a list of names is sorted by: its plain letters, then the name as written."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign)).translate(_PLAIN)
    return " ".join(plain.split()), name
