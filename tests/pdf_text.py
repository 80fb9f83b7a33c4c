"""The text and page count of our PDFs, read back as a PDF reader does."""

import re
import zlib

_ESCAPED = {b"r": b"\r", b"n": b"\n", b"t": b"\t"}
# Save the state, restore it, select a font, show a string, end a text.
_OPERATORS = re.compile(rb"\b(q)\b|\b(Q)\b|/(F\d+) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\) Tj|\b(ET)\b", re.DOTALL)


def pages(pdf: bytes) -> int:
    """The number of pages."""
    return len(re.findall(rb"/Type /Page\b", pdf))


def texts(pdf: bytes) -> list[str]:
    """Every text on the pages, in drawing order."""
    objects = dict(re.findall(rb"(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL))
    fonts = {
        name: _characters(_stream(objects[re.findall(rb"/ToUnicode (\d+) 0 R", objects[number])[0]]))
        for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", pdf)
    }
    contents = [
        _stream(objects[number])
        for body in objects.values()
        if re.search(rb"/Type /Page\b", body)
        for number in re.findall(rb"/Contents (\d+) 0 R", body)
    ]
    return [text for content in contents for text in _shown(content, fonts)]


def _stream(body: bytes) -> bytes:
    (data,) = re.findall(rb"stream\r?\n(.*)\r?\nendstream", body, re.DOTALL)
    return zlib.decompress(data) if b"/FlateDecode" in body else bytes(data)


def _characters(table: bytes) -> dict[bytes, str]:
    """The text of each glyph of a font, from the map that PDFs have for copying."""
    return {
        bytes.fromhex(glyph.decode()): bytes.fromhex(text.decode()).decode("utf-16-be")
        for glyph, text in re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>\n", table)
    }


def _shown(content: bytes, fonts: dict[bytes, dict[bytes, str]]) -> list[str]:
    found = []
    kept: list[bytes] = []
    font, text = b"", ""
    for keep, restore, chosen, string, end in _OPERATORS.findall(content):
        if keep:
            kept.append(font)
        elif restore:
            font = kept.pop()
        elif chosen:
            font = chosen
        elif end:
            found += [text] if text else []
            text = ""
        else:
            plain = re.sub(rb"\\(.)", lambda match: _ESCAPED.get(match[1], match[1]), string, flags=re.DOTALL)
            text += "".join(fonts[font][plain[place : place + 2]] for place in range(0, len(plain), 2))
    return found
