"""House rules for pages: versions and their changes, events that use them, a club's list."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django_stubs_ext import StrOrPromise

from league.models import Club, ClubRules, Event
from league.policy import Permission, Who, clubs_where, events_seen, rules_seen, sheets_seen
from scoring.core.rule_differences import differences, nearest_preset
from scoring.core.rules import Rules
from scoring.models import HouseRules, Scoresheet
from scoring.words.knob_words import PRESET_WORDS, ChangeWords, change_words
from scoring.words.knobs import groups_of, is_in_force, knob_sentence
from scoring.words.rules_words import rules_headline

MOST_EVENTS = 12


@dataclass(frozen=True, slots=True)
class KnobLine:
    """A knob on a rule sheet: its sentence and, if it differs, the value in the preset."""

    sentence: str
    instead_of: StrOrPromise


@dataclass(frozen=True)
class RulesLine:
    """Rules in a club's list: the newest version and the nearest preset."""

    row: ClubRules

    @property
    def rules(self) -> HouseRules:
        """The newest version."""
        return self.row.rules

    @cached_property
    def headline(self) -> str:
        """The rules in a few words."""
        return rules_headline(self.rules.rules)

    @cached_property
    def preset(self) -> StrOrPromise:
        """The title of the nearest preset."""
        return PRESET_WORDS[nearest_preset(self.rules.rules)][0]

    @cached_property
    def changed(self) -> int:
        """The number of knobs that differ from that preset."""
        return len(differences(Rules.preset(nearest_preset(self.rules.rules)), self.rules.rules))


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version in the list of versions, with its changes from the one before."""

    rules: HouseRules
    changes: list[ChangeWords]
    is_first: bool
    is_renamed: bool


def rules_of(club: Club) -> list[RulesLine]:
    """Return a club's own rules by name."""
    rows = ClubRules.objects.filter(club=club).select_related("club", "rules").order_by("rules__name", "pk")
    return [RulesLine(row) for row in rows]


def versions_seen(who: Who, code: str) -> list[HouseRules]:
    """Return all versions of these rules, newest first; empty if the reader may not see them.

    Readers of a sheet may read its rules, even if no event uses them any more.
    """
    versions = list(rules_seen(who).filter(code=code).order_by("-version"))
    if versions:
        return versions
    sheets = sheets_seen(who, Scoresheet.objects.filter(rules__code=code))
    return list(HouseRules.objects.filter(code=code).order_by("-version")) if sheets.exists() else []


def version_lines(versions: Sequence[HouseRules]) -> list[VersionLine]:
    """Return versions, given newest first, with the changes in each."""
    lines = []
    for place, each in enumerate(versions):
        earlier = versions[place + 1] if place + 1 < len(versions) else None
        changes = change_words(differences(earlier.rules, each.rules)) if earlier else []
        renamed = earlier is not None and earlier.name != each.name
        lines.append(VersionLine(each, changes, earlier is None, renamed))
    return lines


def listed_by(who: Who, code: str) -> ClubRules | None:
    """Return the entry in a club's list, of a club that the reader may see."""
    clubs = clubs_where(who, Permission.VIEW)
    return ClubRules.objects.filter(rules__code=code, club__in=clubs).select_related("club", "rules").first()


def events_by(who: Who, code: str) -> list[Event]:
    """Return the events under any version that the reader may see, newest first."""
    events = events_seen(who).filter(rules__code=code).select_related("club", "rules")
    return list(events.order_by("-created_at", "-pk")[:MOST_EVENTS])


def source_of(who: Who, version: HouseRules) -> HouseRules | None:
    """Return the version that these rules were copied from, if the reader may see it."""
    copied = HouseRules.objects.filter(
        code=version.code, version__lte=version.version, copied_from__isnull=False
    )
    return rules_seen(who).filter(pk__in=copied.order_by("-version").values("copied_from")[:1]).first()


def knob_groups(rules: Rules, base: Rules) -> list[tuple[StrOrPromise, list[KnobLine]]]:
    """Return every knob in force as a sentence, by group; `base` is the preset compared with."""
    changed = {change.knob: change.before for change in change_words(differences(base, rules))}
    groups = []
    for title, knobs in groups_of(rules):
        lines = [
            KnobLine(knob_sentence(rules, knob), changed.get(knob, ""))
            for knob in knobs
            if is_in_force(rules, knob)
        ]
        if lines:
            groups.append((title, lines))
    return groups
