"""`makemessages` finds every text marked in the code, and each can be translated on its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation.template import templatize

from tests.catalogue import APPS, ROOT, accented, extracted

# By function name, how many of the first arguments are texts.
_MARKING = {
    "_": 1,
    "gettext": 1,
    "gettext_lazy": 1,
    "ngettext": 2,
    "ngettext_lazy": 2,
    "mark": 1,
    "mark_plural": 2,
}
# Translates messages of the cores, whose texts were marked where they were created.
_TRANSLATES_MESSAGES = ROOT / "scoring/words/messages.py"
# How Django writes a text of a template for `makemessages`, without a number or a context.
_LOOKED_UP = re.compile(r"""(?<!\w)(?:_|gettext)\(u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)""")
_FILLED_IN = re.compile(r"%\((\w+)\)")


def calls(file: Path) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MARKING:
            yield node, node.func.id


def test_every_marked_text_is_found_and_is_a_text() -> None:
    known = {(entry.text, entry.many) for entry in extracted()}
    # One that has a plural anywhere is looked up with its number alone.
    singles = {text for text, many in known if not many}
    wrong = []
    count = 0
    for app in APPS:
        for file in sorted((ROOT / app).rglob("*.py")):
            if file == _TRANSLATES_MESSAGES or "migrations" in file.parts:
                continue
            for node, name in calls(file):
                texts = [
                    argument.value
                    for argument in node.args[: _MARKING[name]]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                ]
                found = len(texts) == _MARKING[name] and (
                    texts[0] in singles if len(texts) == 1 else tuple(texts) in known
                )
                count += 1
                if not found:
                    wrong.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert not wrong
    assert count > 2500


def test_no_text_of_a_template_is_looked_up_without_a_number_and_elsewhere_with_one() -> None:
    counted = {entry.text for entry in extracted() if entry.many and not entry.context}
    wrong = [
        f"{file.relative_to(ROOT)}: {found[1]}"
        for file in sorted((ROOT / "templates").rglob("*"))
        if file.is_file()
        for found in _LOOKED_UP.finditer(templatize(file.read_text(encoding="utf-8")))
        if ast.literal_eval(found[1]) in counted
    ]
    assert not wrong
    assert counted


def test_what_a_core_fills_in_is_what_its_text_asks_for() -> None:
    wrong = []
    for app in APPS:
        for file in sorted((ROOT / app).rglob("*.py")):
            for node, name in calls(file):
                if not name.startswith("mark") or file == ROOT / "scoring/core/messages.py":
                    continue
                texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
                given = {keyword.arg for keyword in node.keywords}
                if None in given:
                    continue
                asked = {
                    found for text in texts if isinstance(text, str) for found in _FILLED_IN.findall(text)
                }
                if asked - {"count"} != given:
                    wrong.append(f"{file.relative_to(ROOT)}:{node.lineno}: {asked} {given}")
    assert not wrong


def test_accents_leave_what_is_filled_in() -> None:
    assert accented("%(count)s rows of <b>two</b>, 100%%") == "%(count)s ŕőŵš őƒ <b>ťŵő</b>, 100%%"


def test_lines_of_templates_can_be_read() -> None:
    long = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 160
    ]
    assert not long


def test_comments_of_templates_end_in_their_line() -> None:
    """A template prints what is not closed there (`{# … #}`)."""
    printed = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in sorted((ROOT / "templates").rglob("*"))
        if file.is_file()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if line.count("{#") != line.count("#}")
    ]
    assert not printed


_NOT_SAID = re.compile(
    r"\{#.*?#\}|\{% *comment.*?endcomment *%\}|\{% *blocktranslate\b.*?endblocktranslate *%\}"
    r"|\{%.*?%\}|\{\{.*?\}\}"
    r"|<(?P<silent>script|style|code|kbd|cite)\b.*?</(?P=silent)>|<!--.*?-->|&\w+;",
    re.DOTALL,
)
_SAID = re.compile(r'\b(?:title|aria-label|placeholder|alt|data-confirm)="([^"]*)"')
# What is called so in every language: units, formats, cards.
_CALLED = re.compile(r"UTC|PDF|CSV|[A2-9TJQK]+[CDHS]")
# Classes stand in a block of Django's own templates.
_NO_TEXT = ("admin/index.html", "frame.html")


def test_words_of_templates_are_marked() -> None:
    """In mails and in branches that no walk reaches, too."""
    bare = []
    for file in sorted((ROOT / "templates").rglob("*")):
        if file.suffix in {".html", ".txt"} and not str(file).endswith(_NO_TEXT):
            text = _NOT_SAID.sub(" ", file.read_text(encoding="utf-8"))
            said = " ".join([*_SAID.findall(text), re.sub(r"<[^>]*>", " ", text)])
            words = [word for word in re.findall(r"\b[A-Za-z]{2,}", said) if not _CALLED.fullmatch(word)]
            bare += [f"{file.relative_to(ROOT)}: {word}" for word in words]
    assert not bare
