"""A club's webhooks, for its directors: addresses of programs, what each is told, and what it answered."""

from http import HTTPStatus
from typing import Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _

from league.errors import LeagueError
from league.models import CHOSEN_KINDS, Webhook
from league.pages.doors import own_form_page
from league.pages.pages import directed_club, page, place_refusal, placing_refusals, signed_in
from league.people import webhooks as services
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.words.messages import translated

# Deliveries on the page of an address, the newest first.
_LISTED: Final = 50


class WebhookForm(forms.Form):
    """An address, and what it is told."""

    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.TextInput(
            {"inputmode": "url", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
        help_text=_("Where the program listens, as https://example.org/gin."),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Tell it when"),
        choices=[(kind.value, kind.label) for kind in CHOSEN_KINDS],
        widget=forms.CheckboxSelectMultiple,
    )


@own_form_page
def webhooks(request: HttpRequest, club: str) -> HttpResponse:
    """The club's webhooks, and a form for another one, whose secret is shown once; a 404 but to directors."""
    shown = directed_club(request, club)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with placing_refusals(form):
            made, secret = services.add_webhook(
                actor=actor_of(signed_in(request)), club=shown, **form.cleaned_data
            )
            return _page_of(request, made, secret=secret)
    context = {"form": form, "webhooks": list(shown.webhooks.order_by("pk"))}
    return page(request, "league/webhooks.html", context, club=shown, is_refused=form.is_bound)


@own_form_page
def webhook(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """An address with its last deliveries, and what can be done with it; a 404 but to directors.

    `act` names the button; without one the address and what it is told are changed. A new secret is shown
    once.
    """
    shown = directed_club(request, club)
    hook = get_object_or_404(Webhook.objects.select_related("club"), club=shown, code=code)
    if request.method != "POST":
        return _page_of(request, hook)
    actor, act = actor_of(signed_in(request)), request.POST.get("act", "")
    form = WebhookForm(request.POST) if not act else None
    refused = None
    try:
        if form is None and act == "renew":
            return _page_of(request, hook, secret=services.renew_secret(actor=actor, webhook=hook))
        if form is None:
            _do(act, actor, hook, request.POST.get("delivery", ""))
        elif form.is_valid():
            services.change_webhook(actor=actor, webhook=hook, **form.cleaned_data)
    except LeagueError as error:
        if form is None:
            refused = error
        else:
            place_refusal(form, error)
    if refused is not None or (form is not None and form.errors):
        return _page_of(request, hook, form=form, refused=refused)
    return redirect("webhooks", shown.slug) if act == "remove" else redirect("webhook", shown.slug, hook.code)


def _do(act: str, actor: Actor, hook: Webhook, delivery: str) -> None:
    """Do what a button says; a 404 for one that there is not."""
    acts = {
        "pause": services.pause_webhook,
        "resume": services.resume_webhook,
        "remove": services.remove_webhook,
        "test": services.test_webhook,
    }
    if act == "again":
        row = get_object_or_404(hook.deliveries.select_related("webhook__club"), message_id=delivery)
        services.deliver_again(actor=actor, delivery=row)
    elif act in acts:
        acts[act](actor=actor, webhook=hook)
    else:
        raise Http404


def _page_of(
    request: HttpRequest,
    hook: Webhook,
    *,
    secret: str = "",
    form: WebhookForm | None = None,
    refused: LeagueError | None = None,
) -> HttpResponse:
    deliveries = hook.deliveries.select_related("event").order_by("-pk")
    context = {
        "webhook": hook,
        "secret": secret,
        "form": form or WebhookForm(initial={"url": hook.url, "kinds": hook.kinds}),
        "refused": "" if refused is None else translated(refused.message),
        "deliveries": list(deliveries[:_LISTED]),
    }
    response = page(request, "league/webhook.html", context, club=hook.club)
    if refused is not None or form is not None:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return response
