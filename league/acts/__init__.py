"""Acts: operations on a row besides editing its fields.

An act is declared as data: its form, the service it calls, the permission it needs, when it is offered. One
with far-reaching effects has a preview. The administration gives each a small page of its own; a format
declares its own acts beside its rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar, cast

from django import forms
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.core.lifecycle import Doing, may
from league.errors import LeagueError
from league.models import Event
from league.policy import Permission
from scoring.core.actors import Actor

M = TypeVar("M", bound=Model)
Data = Mapping[str, Any]

GO_ON: Final = _("Go on")


class ActForm(forms.Form):
    """The form of an act; it knows its row. Without fields the page only asks for confirmation."""

    required_css_class = "required"
    # What is asked of this very row, or to be known of it, in sentences above the fields.
    asks: str = ""

    def __init__(self, row: Any, data: Any = None) -> None:
        self.row = row
        super().__init__(data)
        self.prepare(row)

    def prepare(self, row: Any) -> None:
        """Set what of the fields depends on the row."""

    def offer(self, name: str, rows: QuerySet[Any]) -> None:
        """Set the choices of a field."""
        cast("forms.ModelChoiceField[Any]", self.fields[name]).queryset = rows


def reason_field(
    label: StrOrPromise = "", told: StrOrPromise = "", *, required: bool = True
) -> forms.CharField:
    """Why something is done, on one line; `told` helps who says it."""
    wide = forms.TextInput(attrs={"size": 60})
    return forms.CharField(
        label=label or _("Reason"), max_length=300, required=required, help_text=told, widget=wide
    )


class ReasonForm(ActForm):
    """A form with a mandatory reason."""

    reason = reason_field()


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of an act, before it runs: sentences, and optionally a table."""

    sentences: Sequence[StrOrPromise]
    head: Sequence[StrOrPromise] = ()
    rows: Sequence[Sequence[object]] = ()


def _always(*args: Any) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Act(Generic[M]):
    """One act. `run` calls the service and returns the message shown afterwards.

    A `long` act may take more than a second; its data contain `progress`, a callable to report progress to.
    Afterwards the user returns to the row's page, or to `leads_to`. `again` is the title of an
    act that can be repeated, after the condition under which it would be.
    """

    slug: str
    title: StrOrPromise
    run: Callable[[Actor, M, Data], StrOrPromise]
    submit: StrOrPromise = GO_ON
    intro: StrOrPromise = ""
    form: type[ActForm] = ActForm
    preview: Callable[[M, Data], Preview] | None = None
    permission: Permission = Permission.DIRECT
    # Offered only if the state of the row's event allows this.
    doing: Doing | None = None
    offered: Callable[[M], bool] = field(default=_always)
    # Who of those with the permission is offered it.
    offered_to: Callable[[Actor, M], bool] = field(default=_always)
    # Where the form needs a page of its own.
    template: str = ""
    long: bool = False
    leads_to: Callable[[M], str] | None = None
    again: tuple[Callable[[M], bool], StrOrPromise] | None = None

    def title_on(self, row: M) -> StrOrPromise:
        """Return the title on the page of a row."""
        return self.again[1] if self.again is not None and self.again[0](row) else self.title

    def is_offered(self, row: M) -> bool:
        """Return whether the row's page offers the act."""
        if self.doing is not None:
            event = row if isinstance(row, Event) else row.event  # type: ignore[attr-defined]
            if not may(event.state, self.doing):
                return False
        return self.offered(row)


def does(service: Callable[..., object], word: str, done: StrOrPromise, *told: str) -> Callable[..., str]:
    """Return the `run` of an act that only calls a service and says that it is done.

    `does(cancel, "match", _("Bots no longer play %(label)s."), "label")` calls `cancel(actor=…, match=row,
    **data)`: the row is the argument `word`, and each field of the form is one of the same name. The sentence
    `done` has placeholders for the row by that word, for the data, and for the attributes `told` of the row.
    """

    def run(by: Actor, row: Model, data: Data) -> str:
        service(actor=by, **{word: row}, **data)
        return str(done % {word: row, **data, **{name: getattr(row, name) for name in told}})

    return run


def passes(check: Callable[..., object], *args: Any) -> bool:
    """Return whether a service's check accepts these arguments; what it refuses need not be offered."""
    try:
        check(*args)
    except LeagueError:
        return False
    return True
