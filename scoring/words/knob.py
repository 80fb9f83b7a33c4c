"""What a knob of the house rules is in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from scoring.core.rules import Rules

_NOT_PLAYED: Final = _("not played")


@dataclass(frozen=True, slots=True)
class Knob:
    """A knob in words; `sentence` is the meaning of its value, `choices` are the names of its values.

    `absent` is the name of no value.
    """

    title: StrOrPromise
    help_text: StrOrPromise
    sentence: Callable[[Rules], str]
    choices: Mapping[str, StrOrPromise] = field(default_factory=dict)
    absent: StrOrPromise = _NOT_PLAYED
