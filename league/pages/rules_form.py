"""The form for house rules: a field per knob, with its meaning at the table."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.events.knob_fields import OFFERED, knob_fields, rules_from
from league.models import Club
from league.pages.pages import place_refusal
from scoring.core.errors import RulesError
from scoring.core.rule_differences import differences, single_knobs
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.words.knob_words import PRESET_WORDS, ChangeWords, change_words
from scoring.words.knobs import knob_sentences
from scoring.words.rules_words import rules_headline, rules_sentences


class RulesForm(forms.Form):
    """A name, the preset to compare with, and every knob."""

    name = forms.CharField(label=_("Name"), max_length=80)
    preset = forms.ChoiceField(
        choices=[(preset, title) for preset, (title, _school) in PRESET_WORDS.items()],
        widget=forms.HiddenInput,
    )

    def __init__(self, start: Rules, *, name: str, preset: str, data: Any = None) -> None:
        super().__init__(data, initial={"name": name, "preset": preset, **single_knobs(start)})
        self.fields |= knob_fields()
        for knob in knob_fields():
            self.fields[knob].widget.attrs["aria-describedby"] = f"said-{knob}"
        self.start = start

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not [field for field in self.errors if field != "name"]:
            try:
                rules_from(self.cleaned_data)
            except RulesError as refusal:
                place_refusal(self, refusal)
        return cleaned

    @property
    def rules(self) -> Rules | None:
        """The rules in the form, whether or not it has a name; None if a knob is invalid."""
        if not self.is_bound:
            return self.start
        if [field for field in self.errors if field != "name"]:
            return None
        return rules_from(self.cleaned_data)

    @property
    def base(self) -> str:
        """The preset to compare with."""
        if self.is_bound and self.data.get("preset") in PRESET_WORDS:
            return str(self.data["preset"])
        return str(self.initial["preset"])


class CopyForm(forms.Form):
    """The club that gets the copy, and its name there."""

    club = forms.ModelChoiceField(queryset=Club.objects.none(), label=_("Club"), empty_label=None)
    name = forms.CharField(label=_("Name"), max_length=80)


@dataclass(frozen=True, slots=True)
class KnobRow:
    """A knob in the form: its field, the meaning of its value, the preset's value if that differs."""

    field: forms.BoundField
    sentence: str
    instead_of: StrOrPromise


@dataclass(frozen=True, slots=True)
class RulesDraft:
    """Rules being edited; while they are invalid, only the errors are shown.

    `changes` are relative to the preset, `since` relative to the version to be replaced.
    """

    form: RulesForm
    groups: list[tuple[StrOrPromise, list[KnobRow]]]
    preset: StrOrPromise
    headline: str
    sentences: list[str]
    changes: list[ChangeWords]
    since: list[ChangeWords] | None
    is_readable: bool


def draft_of(form: RulesForm, replaced: HouseRules | None = None) -> RulesDraft:
    """The form's contents in words."""
    rules = form.rules
    changes = [] if rules is None else change_words(differences(Rules.preset(form.base), rules))
    since = None
    if replaced is not None and rules is not None:
        since = change_words(differences(replaced.rules, rules))
    sentences = {} if rules is None else knob_sentences(rules)
    changed = {change.knob: change.before for change in changes}
    groups = [
        (title, [KnobRow(form[knob], sentences.get(knob, ""), changed.get(knob, "")) for knob in knobs])
        for title, knobs in OFFERED
    ]
    return RulesDraft(
        form=form,
        groups=groups,
        preset=PRESET_WORDS[form.base][0],
        headline="" if rules is None else rules_headline(rules),
        sentences=[] if rules is None else rules_sentences(rules),
        changes=changes,
        since=since,
        is_readable=rules is not None,
    )
