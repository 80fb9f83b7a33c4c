"""The texts marked for translation, as found by `makemessages`, and a pseudo-language with accents."""

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import allauth
import axes
import django
import rest_framework
from django.core.management import call_command
from django.test import override_settings

ROOT = Path(__file__).parent.parent
APPS = ("deploy", "league", "games", "scoring")
# A language for which neither Django nor any library has translations of its own.
ACCENTS = "qq"

_HEAD = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"
_STRING = re.compile(r'^(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) )?(".*")$')
_KEPT = re.compile(r"%\(\w+\)[-0-9.]*[sdf]|%[-0-9.]*[sdf%]|\{\w*\}|<[^>]+>|&\w+;|\\n")
_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀćďéƒğĥíĵķĺḿñőþɋŕšťúṽŵẋýžÁɃĆĎÉƑĞĤÍĴĶĹḾÑŐÞɊŔŠŤÚṼŴẊÝŽ",
)


@dataclass(frozen=True)
class Entry:
    """A text of a catalogue; `many` is the plural, or empty."""

    text: str
    many: str = ""
    context: str = ""


@cache
def extracted() -> frozenset[Entry]:
    """Every text that `makemessages` finds in the product."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "source")
        for name in (*APPS, "templates"):
            shutil.copytree(
                ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "static")
            )
        (source / "locale").mkdir()
        before = Path.cwd()
        os.chdir(source)
        try:
            with override_settings(LOCALE_PATHS=[source / "locale"]):
                call_command("makemessages", locale=[ACCENTS], verbosity=0)
        finally:
            os.chdir(before)
        return frozenset(entries(source / "locale" / ACCENTS / "LC_MESSAGES" / "django.po"))


def entries(catalogue: Path) -> Iterator[Entry]:
    """The texts of a .po file, without its header."""
    for block in re.split(r"\n\s*\n", catalogue.read_text(encoding="utf-8")):
        said: dict[str, str] = {}
        part = ""
        for line in block.splitlines():
            if found := _STRING.match(line):
                part = found[1] or part
                said[part] = said.get(part, "") + ast.literal_eval(found[2])
        if said.get("msgid"):
            yield Entry(said["msgid"], said.get("msgid_plural", ""), said.get("msgctxt", ""))


def accented(text: str) -> str:
    """The text with an accent on every letter; parameters and markup stay as they are."""
    parts = []
    end = 0
    for kept in _KEPT.finditer(text):
        parts += [text[end : kept.start()].translate(_ACCENTED), kept[0]]
        end = kept.end()
    return "".join([*parts, text[end:].translate(_ACCENTED)])


def write_accents(folder: Path) -> list[Path]:
    """Writes the catalogues of the pseudo-language below `folder`, and returns their places for LOCALE_PATHS.

    One has the texts of the product, the other those of Django, REST framework, axes and allauth that appear
    on the same pages, as those packages bring their own: in one, a word of ours that is a singular of theirs
    would not be found.
    """
    theirs: set[Entry] = set()
    for package in (django, rest_framework, axes, allauth):
        assert package.__file__ is not None
        # Taken from the German catalogues, because not every library has an English one.
        for found in Path(package.__file__).parent.glob("**/locale/de/LC_MESSAGES/django.po"):
            theirs.update(entries(found))
    places = [folder / "product", folder / "packages"]
    for place, texts in zip(places, (extracted(), theirs), strict=True):
        _write(place / ACCENTS / "LC_MESSAGES", texts)
    return places


def _write(place: Path, texts: Collection[Entry]) -> None:
    counted = {(entry.context, entry.text) for entry in texts if entry.many}
    lines = [f'msgid ""\nmsgstr {_quoted(_HEAD)}\n']
    for entry in sorted(texts, key=lambda entry: (entry.context, entry.text, entry.many)):
        if not entry.many and (entry.context, entry.text) in counted:
            continue
        if entry.context:
            lines.append(f"msgctxt {_quoted(entry.context)}")
        lines.append(f"msgid {_quoted(entry.text)}")
        if entry.many:
            lines.append(f"msgid_plural {_quoted(entry.many)}")
            lines.append(f"msgstr[0] {_quoted(accented(entry.text))}")
            lines.append(f"msgstr[1] {_quoted(accented(entry.many))}\n")
        else:
            lines.append(f"msgstr {_quoted(accented(entry.text))}\n")
    place.mkdir(parents=True)
    (place / "django.po").write_text("\n".join(lines), encoding="utf-8")
    subprocess.run(["msgfmt", "-o", place / "django.mo", place / "django.po"], check=True)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
