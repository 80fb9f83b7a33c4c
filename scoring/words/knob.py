"""What a knob of the house rules is in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from scoring.core.rule_differences import KnobValue
from scoring.core.rules import Rules

_NOT_PLAYED: Final = _("not played")


@dataclass(frozen=True, slots=True)
class Knob:
    """A knob in words; `choices` are the names of its values, `absent` is the name of no value.

    `meaning` is a sentence for each value; or one sentence with `%(count)s` for the number that it is, and
    `nothing` then says 0 where that has a sentence of its own; or a function, where other knobs count.
    """

    title: StrOrPromise
    help_text: StrOrPromise
    meaning: Mapping[Any, StrOrPromise] | StrOrPromise | Callable[[Rules], str]
    choices: Mapping[str, StrOrPromise] = field(default_factory=dict)
    nothing: StrOrPromise = ""
    absent: StrOrPromise = _NOT_PLAYED

    def sentence(self, rules: Rules, value: KnobValue) -> str:
        """The meaning of a value, which is that of `rules`."""
        if isinstance(self.meaning, Mapping):
            return str(self.meaning[value])
        if callable(self.meaning):
            return self.meaning(rules)
        return str(self.nothing if self.nothing and not value else self.meaning % {"count": value})
