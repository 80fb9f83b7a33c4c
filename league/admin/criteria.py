"""The order of the table as a form field: one select per position, with an explanation of each criterion."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms.renderers import BaseRenderer
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.standings import CRITERIA
from league.models import DEFAULT_FORMAT
from league.models.events import check_criteria
from scoring.words.messages import translated


class CriteriaWidget(forms.Widget):
    """One select per position, at least `places`; empty ones are skipped."""

    use_fieldset = True
    places = 8
    # The format whose usual order is offered; `event_settings.js` changes it with the format.
    offered: str = DEFAULT_FORMAT

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[str]:
        """Return the chosen names in order, without gaps."""
        chosen = (data.get(f"{name}_{place}") for place in range(1, len(CRITERIA) + 1))
        return [str(value) for value in chosen if value]

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Return whether the first select is missing from the data."""
        return f"{name}_1" not in data

    def render(
        self,
        name: str,
        value: Any,
        attrs: Mapping[str, Any] | None = None,
        renderer: BaseRenderer | None = None,
    ) -> SafeString:
        chosen: Sequence[str] = value if isinstance(value, list | tuple) else []
        places = []
        for place in range(1, max(self.places, len(chosen)) + 1):
            current = chosen[place - 1] if place <= len(chosen) else ""
            select = forms.Select(
                choices=[("", "—"), *((key, translated(metric.title)) for key, metric in CRITERIA.items())],
                attrs={"aria-label": _("Criterion %s") % place, "id": f"id_{name}_{place}"},
            )
            places.append((select.render(f"{name}_{place}", current, None, renderer),))
        return format_html(
            '<div class="criteria"><input type="hidden" name="{}" value="{}"><ol>{}</ol>'
            "<details><summary>{}</summary><dl>{}</dl></details></div>",
            f"{name}_offered",
            self.offered,
            format_html_join("", "<li>{}</li>", places),
            _("What each of them is"),
            format_html_join(
                "",
                "<dt>{}</dt><dd>{}</dd>",
                ((translated(each.title), translated(each.help)) for each in CRITERIA.values()),
            ),
        )


class CriteriaField(forms.Field):
    """An ordered list of distinct criteria."""

    widget = CriteriaWidget
    default_error_messages = {"required": gettext_lazy("Name at least one criterion.")}

    def to_python(self, value: Any) -> list[str]:
        return list(value or [])

    def validate(self, value: Any) -> None:
        super().validate(value)
        check_criteria(value)
