"""In another language no page, PDF or refusal says an English word: each is walked in one of accents.

Whatever people have written is in Cyrillic meanwhile, so that every word in plain letters is a text of ours
that was not translated.
"""

import ast
import errno
import functools
import json
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from zoneinfo import available_timezones

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import models, transaction
from django.test import Client, override_settings
from django.urls import reverse

from deploy.uploads import HEARD_OUT
from games.models import BotMatch, kept_note
from games.services import strategies
from games.tables.play import BotError
from league.core.hand_files.problems import FileRefused
from league.core.hand_files.reading import COLUMNS
from league.core.standings.metrics import CRITERIA
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.matches.table_links import make_links
from league.models import AuditEntry, Club
from league.record.fact_words import OF_SHEET, fact_title
from scoring.api.problems import fault_document
from scoring.core.errors import ScoringError
from scoring.core.messages import Message, Sentence, mark, mark_plural
from scoring.documents.sheets import score_document
from scoring.services import stop_sheet
from scoring.words.messages import translated
from tests import pdf_text
from tests.catalogue import ACCENTS, ROOT, write_accents
from tests.factories import OPERATOR, ClubFactory
from tests.league.permission_cells import Row
from tests.league.permission_rows import PAGES
from tests.league.permission_rows_admin import ADMIN
from tests.league.permission_rows_api import API
from tests.league.permission_world import World, make_world
from tests.league.table_cases import drawn, evening
from tests.league.test_files_refused import WHOLE_FILES
from tests.league.test_files_refused_rows import ROWS

pytestmark = pytest.mark.looks

_ATTRIBUTES: Final = frozenset({"title", "aria-label", "placeholder", "alt", "data-confirm"})
# What is cited keeps the title under which it was published.
_SILENT: Final = frozenset({"script", "style", "code", "kbd", "template", "cite"})
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
# What is called so in every language: formats, the zone that clocks are told in, numbers of columns, bots.
_NAMES: Final = frozenset({"API", "CSV", "PDF", "JSON", "UTC", "ID", "II", "III", "IV", "Axes"})
# Said by Django's own pages in English whatever the language: signs of yes and no, of searching.
_DJANGO: Final = frozenset({"True", "False", "Search"})
# Pages of a library, which leaves some of its own words in English.
_NOT_OURS: Final = ("admin/axes/", "admin/auth/")
# Addresses, what is pasted into another page, time zones, cards as they are typed.
_NO_WORDS: Final = re.compile(
    r"https?://\S+|<iframe .*</iframe>|\b[A-Z]\w+/[\w/+-]+|\b(?:10|[2-9TJQKA])[CDHS]\b|\S+@\S+|/[a-z]\S*/"
)


class _Texts(HTMLParser):
    """What a page says: its texts, and the attributes that are read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._silent += tag in _SILENT
        self.said += [value for name, value in attrs if name in _ATTRIBUTES and value]
        if tag == "input" and given.get("type") in ("submit", "button"):
            self.said.append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.said.append(" ".join(data.split()))


@pytest.fixture(scope="module")
def accents(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_accents(tmp_path_factory.mktemp("accents"))


@pytest.fixture
def world(db: None, accents: list[Path]) -> Iterator[World]:
    """The club of the permission table, public, and everything in it in Cyrillic."""
    made = make_world()
    Club.objects.update(is_public=True)
    for model in apps.get_models():
        if model._meta.app_label not in ("league", "scoring", "games", "auth"):
            continue
        _write_in_cyrillic(model)
    for note in AuditEntry.objects.all():
        facts = {"before": _facts_in_cyrillic(note.before), "after": _facts_in_cyrillic(note.after)}
        AuditEntry.objects.filter(pk=note.pk).update(**facts)
    languages = [(ACCENTS, "ÁÉ")]
    with override_settings(LANGUAGES=languages, LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        yield made


_WRITTEN: Final = {
    "name", "nickname", "member_number", "external_id", "reason", "actor_name", "object_name", "event_name",
    "file_name", "label", "first_name", "last_name", "written", "note", "closed_reason",
}  # fmt: skip


def _write_in_cyrillic(model: type[models.Model]) -> None:
    fields = [
        field
        for field in model._meta.concrete_fields
        if field.name in _WRITTEN
        and isinstance(field, models.CharField | models.TextField)
        and not field.choices
    ]
    if not fields:
        return
    for number, pk in enumerate(model._default_manager.values_list("pk", flat=True).order_by("pk")):
        values = {field.name: f"Ж{number}" for field in fields if field.name != "username"}
        model._default_manager.filter(pk=pk).update(**values)


def _facts_in_cyrillic(facts: dict[str, Any] | None) -> dict[str, Any] | None:
    if facts is None:
        return None
    written = _WRITTEN | {"rules"}
    return {name: "Ж" if name in written and value else value for name, value in facts.items()}


def english(said: str, data: frozenset[str]) -> list[str]:
    return [
        word
        for word in _WORD.findall(_NO_WORDS.sub("", said))
        if word not in _NAMES and word.lower() not in data
    ]


def content(answer: Any) -> bytes:
    whole: bytes = answer.getvalue() if answer.streaming else answer.content
    return whole


def texts_of(page: str) -> list[str]:
    """What a page of HTML says."""
    texts = _Texts()
    texts.feed(page)
    return texts.said


def said_by(answer: Any) -> list[str]:
    kind = answer.headers.get("Content-Type", "")
    if kind.startswith("application/pdf"):
        return pdf_text.texts(content(answer))
    if kind.startswith("text/html"):
        return texts_of(content(answer).decode())
    return []


def data_words(world: World) -> frozenset[str]:
    """Slugs, codes and names of accounts, which are kept as they are."""
    words: set[str] = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.name in ("slug", "username", "code", "email", "strategy", "key", "action"):
                for value in model._default_manager.values_list(field.name, flat=True):
                    words.update(word.lower() for word in _WORD.findall(str(value)))
    words.update(strategies())
    for zone in available_timezones():
        words.update(word.lower() for word in _WORD.findall(zone))
    return frozenset(words)


# Who reads what, each page once by whoever comes first; players and guests are shown other words.
_OFFICERS: Final = ("owner", "administrator")
_READERS: Final = {**dict.fromkeys(_OFFICERS, _OFFICERS), "player": ("player",), "anonymous": ("anonymous",)}


def _is_read_by(actor: str, route: str, row: Row) -> bool:
    """Whether the actor is the first of those who may read this page; papers are the same for everybody."""
    if route.startswith(_NOT_OURS) or "GET" not in row.cells:
        return False
    before = tuple(_READERS) if "pdf" in route else _READERS[actor]
    who = [each for each in before if row.cells["GET"].get(each) in (200, 404)]
    return actor in who[:1]


class Findings:
    """English words that were found, by what says them."""

    def __init__(self, data: frozenset[str]) -> None:
        self._data = data
        self._read: set[str] = set(_DJANGO)
        self.found: dict[str, str] = {}

    def read(self, sentences: Iterable[str], where: str) -> None:
        """Takes note of the English in these sentences; what was read before is not read again."""
        for said in sentences:
            if said not in self._read:
                self._read.add(said)
                for word in english(said, self._data):
                    self.found.setdefault(f"{word}: {said[:120]}", where)

    def __len__(self) -> int:
        return len(self._read)

    def __str__(self) -> str:
        return "\n".join(f"{what}  [{where}]" for what, where in self.found.items())


_ASKED: Final = re.compile(r'<(?:input|select|textarea)\b[^>]*?\bname="([^"]+)"')
# Pages whose forms only confirm, choose among what is listed, or leave.
_NO_FORMS: Final = ("/history/", "/delete/", "logout/", "/live/")


@pytest.mark.dear("reads every page, and sends every form what it refuses")
@pytest.mark.parametrize("actor", _READERS)
def test_no_page_says_a_word_of_english(world: World, actor: str) -> None:
    """Nor does a form of the owner's, who sends a word in all that it asks."""
    codes = {word for name in (*CRITERIA, *COLUMNS) for word in _WORD.findall(name)}
    findings = Findings(data_words(world) | codes)
    client, refused = world.clients[actor], 0
    for route, row in {**PAGES, **ADMIN}.items():
        place, asked = world.place(route, row.names), set()
        if _is_read_by(actor, route, row):
            answer = client.get(place)
            findings.read(said_by(answer), route)
            asked = set(_ASKED.findall(content(answer).decode(errors="replace")))
        takes = row.cell("POST").get(actor) in (200, 422) and not route.endswith(_NO_FORMS)
        if actor == "owner" and asked and takes and not route.startswith(_NOT_OURS):
            answer = _tried(client, place, {name: "0" if name.endswith("_FORMS") else "Ж" for name in asked})
            refused += answer.status_code == 422
            findings.read(said_by(answer), f"POST {route}")
    assert not findings.found, str(findings)
    assert len(findings) > 50
    assert refused > 50 or actor != "owner"


def _tried(client: Client, place: str, form: dict[str, str]) -> Any:
    """The answer to a form, of which nothing stays."""
    with transaction.atomic():
        answer = client.post(place, form)
        transaction.set_rollback(True)
    return answer


WRONG_FILES: Final = {
    **{name: data for name, (data, _sentence) in WHOLE_FILES.items()},
    **{name: data for name, (data, _lines) in ROWS.items()},
}


@pytest.mark.parametrize("preset", ["jersey", "cutthroat", "basic_rummy"])
def test_no_telephone_at_a_table_of_several_says_a_word_of_english(
    db: None, accents: list[Path], preset: str
) -> None:
    """Nor what its script says of an entry, nor a refusal of what lacks a figure."""
    (match,) = drawn(evening(ClubFactory.create(name="Ж"), ("Ж1", "Ж2", "Ж3"), preset=preset))
    assert match.sheet is not None
    client = Client()
    place = client.get(reverse("phone:table_open", args=[make_links(actor=OPERATOR, match=match)[2][1]]))
    address = place["Location"]
    # The slug, what the script fills in, and names of fields.
    named = frozenset({"evening", "name", "own", "other", "others", "points", "defender", "deadwood"})
    findings = Findings(named)
    ways = {
        "by-0": "counts",
        "pair-0": "0 1",
        "won-0": "0",
        "count0-0": "8",
        "count1-0": "2",
        "count2-0": "9",
    }
    with override_settings(LANGUAGES=[(ACCENTS, "ÁÉ")], LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        page = client.get(address)
        findings.read(said_by(page), "page")
        findings.read(re.findall(r'data-(?:said|big|what|points)="([^"]+)"', page.content.decode()), "script")
        for how in ("knock", "undercut", "out", "blocked", "dead", ""):
            for fields in ({}, ways, {**ways, "by-0": "points"}, {**ways, "count1-0": "99"}):
                told = client.get(f"{address}preview/", {"number": "1", "how-0": how, **fields}).json()
                findings.read([told.get(name, "") for name in ("message", "worth", "said")], how)
        stop_sheet(actor=OPERATOR, sheet=match.sheet)
        findings.read(said_by(client.get(address)), "ended")
    assert not findings.found, str(findings)
    assert len(findings) > 20


def test_no_wrong_file_is_refused_with_a_word_of_english(world: World) -> None:
    """But for the names of columns and what stands in the cells."""
    named = (*COLUMNS, "undercut", "gin_off", "big_gin", "void", "substitute", "bye")
    written = b" ".join([*WRONG_FILES.values(), *(name.encode() for name in named)])
    findings = Findings(frozenset(word.lower() for word in _WORD.findall(written.decode(errors="replace"))))
    options = ImportOptions(create=True)
    for name, data in WRONG_FILES.items():
        with pytest.raises(FileRefused) as refused:
            plan_import(club=world.club, data=data, file_name="Ж", options=options)
        findings.read([translated(line) for line in refused.value.lines()], name)
    assert not findings.found, str(findings)


# Sent to the scorer, and refused by each of its rooms.
_HAND: Final = {"kind": "knock", "knocker": "Ж", "knocker_deadwood": 30, "defender_deadwood": 40}
_SIDES: Final = [{"name": "Ж", "players": ["Ж"]}, {"name": "Ч", "players": ["Ч"]}]
REFUSED: Final = [
    {"rules": {"preset": "standard", "target": 0}, "sides": _SIDES, "deals": []},
    {"rules": {"preset": "gin_only"}, "sides": _SIDES, "deals": [{"hands": [_HAND]}]},
    {"rules": {"preset": "oklahoma"}, "sides": _SIDES, "deals": [{"hands": [{**_HAND, "upcard": "3S"}]}]},
    {"sides": _SIDES, "deals": [{"hands": [_HAND, _HAND]}]},
    {"sides": [_SIDES[0], _SIDES[0]], "deals": []},
    {"sides": _SIDES[:1], "deals": []},
    {"sides": _SIDES, "deals": [{"hands": [{"kind": "gin", "knocker": "Ж"}]}]},
]


@pytest.mark.parametrize("document", REFUSED)
def test_no_refusal_of_the_scorer_says_a_word_of_english(
    accents: list[Path], document: dict[str, Any]
) -> None:
    """But for names of fields and values, which are the API's in every language."""
    with pytest.raises(ScoringError) as refused:
        score_document(document)
    with override_settings(LANGUAGES=[(ACCENTS, "ÁÉ")], LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        said = translated(refused.value.message)
    fields = {"target", "defender", "knocker", "deadwood"}
    assert not [word for word in _WORD.findall(said) if word not in fields], said
    assert said != str(refused.value.message)


def _failure(reason: Sentence) -> Message:
    return BotError("Ж", 3, reason).message  # type: ignore[return-value]


KEPT: Final = [
    _failure(mark("It did not answer within %(seconds)s seconds.", seconds="20")),
    _failure(
        mark(
            "It chose “%(action)s”. %(why)s", action="Ж", why=mark("The upcard is offered: take it or pass.")
        )
    ),
    mark("Given up after %(attempts)s attempts in which no deal was played.", attempts=8),
    mark_plural("The column is missing: %(names)s.", "The columns are missing: %(names)s.", 2, names="Ж, Ч"),
]


@pytest.mark.parametrize("message", KEPT, ids=str)
def test_what_a_worker_noted_is_said_in_the_language_of_whoever_reads(
    accents: list[Path], message: Message
) -> None:
    match = BotMatch(said=json.loads(json.dumps(kept_note(message))))
    assert match.note == str(message)
    with override_settings(LANGUAGES=[(ACCENTS, "ÁÉ")], LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        assert not _WORD.findall(match.note)
        assert BotMatch(said="As it was noted.").note == "As it was noted."


_REFUSES_OR_NOTES: Final = re.compile(r"Error\(|\b(?:before|after|body)=")


@functools.cache
def _calls() -> list[tuple[Path, ast.Call]]:
    """Every call in the files that refuse or note something, with its file."""
    return [
        (path, node)
        for folder in ("league", "games", "scoring", "deploy")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if _REFUSES_OR_NOTES.search(text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    ]


def noted_facts() -> set[str]:
    """The names of facts that stand literally in calls that write the audit, or an act on a sheet."""
    found: set[str] = set()
    for path, node in _calls():
        if path.is_relative_to(ROOT / "league") or path.parent == ROOT / "scoring" / "services":
            written = [each.value for each in node.keywords if each.arg in ("before", "after", "body")]
            for document in written:
                for inner in ast.walk(document):
                    if isinstance(inner, ast.Dict):
                        keys = [key for key in inner.keys if isinstance(key, ast.Constant)]
                        found.update(str(key.value) for key in keys)
    return found


def test_every_fact_of_the_audit_has_a_title(accents: list[Path]) -> None:
    facts = noted_facts()
    assert len(facts) > 40
    with override_settings(LANGUAGES=[(ACCENTS, "ÁÉ")], LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        assert not [name for name in sorted(facts) if fact_title(OF_SHEET, name).isascii()]


# Members of a problem+json whose values are sentences; the title is the name that HTTP gives a status.
_SENTENCES: Final = ("detail", "message")
# What REST framework itself says of a document, which it translates into the languages that it has.
_FRAMEWORK: Final = (
    "This field ",
    "Invalid data. ",
    "Expected a list of ",
    "Authentication credentials ",
    "Date has ",
)


def _sentences_in(document: Any) -> Iterator[str]:
    if isinstance(document, list):
        for each in document:
            yield from _sentences_in(each)
    elif isinstance(document, dict):
        for name, value in document.items():
            if name in _SENTENCES and isinstance(value, str):
                yield value
            else:
                yield from _sentences_in(value)


def _field_names() -> frozenset[str]:
    """Names of fields and their values, which are the API's in every language."""
    document = (ROOT / "deploy" / "openapi.json").read_text(encoding="utf-8")
    return frozenset(
        word.lower() for word in re.findall(r'"(\w+)"', document) for word in _WORD.findall(word)
    )


@pytest.mark.dear("sends what is refused to every route of the API")
@pytest.mark.parametrize("actor", ["manage token", "keeper's token", "anonymous"])
def test_no_refusal_of_the_api_says_a_word_of_english(world: World, actor: str) -> None:
    """Sent are nothing, what is no document, wrong values in every field, and what the world refuses."""
    findings = Findings(data_words(world) | _field_names())
    for route, row in API.items():
        full = row.body(world.values) if row.body is not None else {}
        wrong = [full, dict.fromkeys(full, ""), dict.fromkeys(full, -1)] if full else []
        bodies: list[Any] = [{}, [], *wrong, {"Ж": 1}]
        for method in {"POST", "PUT", "PATCH", "DELETE"} & row.cells.keys():
            for body in bodies:
                cache.clear()
                answer = world.clients[actor].generic(
                    method,
                    world.place(route, row.names),
                    json.dumps(body),
                    content_type="application/json",
                    headers={"If-Match": "*"},
                )
                if answer.status_code < 400 or answer.status_code == 405 or not answer.content:
                    continue
                said = [
                    one for one in _sentences_in(json.loads(answer.content)) if not one.startswith(_FRAMEWORK)
                ]
                findings.read(said, f"{method} {route}")
    assert not findings.found, str(findings)
    assert len(findings) > 5


def test_no_refusal_outside_of_views_says_a_word_of_english(accents: list[Path]) -> None:
    """Nowhere, for a foreign host, to what is too large, after a fault, in an outage."""
    client, large = Client(), {"content_type": "application/json", "CONTENT_LENGTH": str(HEARD_OUT + 1)}
    with override_settings(LANGUAGES=[(ACCENTS, "ÁÉ")], LANGUAGE_CODE=ACCENTS, LOCALE_PATHS=accents):
        documents = [
            client.get("/api/v1/nothing/").json(),
            client.get("/api/v1/clubs/", headers={"host": "elsewhere.example"}).json(),
            client.generic("POST", "/api/v1/score/", **large).json(),  # type: ignore[arg-type]
            fault_document(ValueError(), "urn:uuid:0"),
            fault_document(OSError(errno.ENOSPC, "full"), "urn:uuid:0"),
        ]
    assert [each["status"] for each in documents] == [404, 400, 413, 500, 503]
    assert not [each["detail"] for each in documents if _WORD.findall(each["detail"])]


_LITERAL: Final = (ast.Constant, ast.JoinedStr)
# Errors whose first word is what a person reads.
_SAYING: Final = frozenset({"ValidationError", "CommandError", "BackupError"})


def test_every_refusal_is_a_text_that_can_be_translated() -> None:
    """The message of an error of the shell is no bare English: it is marked, or comes from somewhere else."""
    bare = []
    for path, node in _calls():
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        # Some have a code before their sentence.
        coded = name.endswith("Error") and node.args and isinstance(node.args[0], ast.Constant)
        said = node.args[1:2] if coded and node.args[1:] else node.args[:1] if name in _SAYING else []
        if said and isinstance(said[0], _LITERAL):
            bare.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(said[0])}")
    assert bare == []
