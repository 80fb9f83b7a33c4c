"""Webhooks of a club: registered, changed, paused, tried and deleted by its directors."""

import datetime
from collections.abc import Collection
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import CHOSEN_KINDS, Club, Webhook, WebhookDelivery, WebhookPause
from league.notices.reaching import allowed_address
from league.notices.signatures import new_signing_secret
from league.notices.webhooks import SEALED_FOR, drop_waiting, tell_test
from league.policy import Permission, require
from league.record.audit import add_row, change_row, locked, record_audit, remove_row
from league.record.sealing import sealed
from league.record.wake import wake_for_webhooks
from scoring.core.actors import Actor

MOST_WEBHOOKS: Final = 20
# So long after a renewal the former secret signs too, so that a program can be given the new one meanwhile.
BOTH_SIGN: Final = datetime.timedelta(days=1)


def add_webhook(*, actor: Actor, club: Club, url: str, kinds: Collection[str]) -> tuple[Webhook, str]:
    """Register an address; returns it with its secret, to be shown once.

    Refused: whoever does not direct the club (`not_allowed`), an address that the site does not call
    (`bad_address`) or that the club tells already (`invalid`), unknown kinds or none (`invalid`), and more
    than `MOST_WEBHOOKS` (`too_many`).
    """
    require(actor, Permission.DIRECT, club)
    # Looked up before anything is locked: what a name means may take seconds to find out.
    url = allowed_address(url)
    with transaction.atomic():
        locked(club)  # so that two at once are counted one after the other
        if Webhook.objects.filter(club=club).count() >= MOST_WEBHOOKS:
            raise LeagueError(
                "too_many",
                _("The club has %(most)s webhooks already; delete what is not used.")
                % {"most": MOST_WEBHOOKS},
            )
        secret = new_signing_secret()
        row = Webhook(club=club, url=url, kinds=_known(kinds), secret=sealed(secret, SEALED_FOR))
        add_row(actor, "webhook.create", row)
    return row, secret


def change_webhook(*, actor: Actor, webhook: Webhook, url: str, kinds: Collection[str]) -> Webhook:
    """Set where and what is told; refused as by `add_webhook`. What waits goes to the new address."""
    require(actor, Permission.DIRECT, webhook.club)
    values = {"url": allowed_address(url), "kinds": _known(kinds)}
    with transaction.atomic():
        row = _held(actor, webhook)
        before = change_row(actor, "webhook.change", row, values)
        if "url" in before:
            row.failing_since = None
            row.save(update_fields=["failing_since"])
    return row


@transaction.atomic
def renew_secret(*, actor: Actor, webhook: Webhook) -> str:
    """Give an address another secret, to be shown once; for a day the former one signs as well."""
    row = _held(actor, webhook)
    secret = new_signing_secret()
    row.former_secret, row.former_until = row.secret, timezone.now() + BOTH_SIGN
    row.secret = sealed(secret, SEALED_FOR)
    row.save(update_fields=["secret", "former_secret", "former_until"])
    record_audit(actor, "webhook.renew", row)
    return secret


@transaction.atomic
def pause_webhook(*, actor: Actor, webhook: Webhook) -> Webhook:
    """Tell an address nothing more, and drop what waits; refused if it is paused (`nothing_changed`)."""
    row = _held(actor, webhook)
    if row.pause:
        raise LeagueError("nothing_changed", _("It is paused already."))
    values = {"pause": WebhookPause.BY_HAND.value}
    change_row(actor, "webhook.pause", row, values)
    drop_waiting(row)
    return row


@transaction.atomic
def resume_webhook(*, actor: Actor, webhook: Webhook) -> Webhook:
    """Tell a paused address again what happens from now on; refused if it is not (`nothing_changed`)."""
    row = _held(actor, webhook)
    if not row.pause:
        raise LeagueError("nothing_changed", _("It is not paused."))
    change_row(actor, "webhook.resume", row, {"pause": ""})
    row.failing_since = None
    row.save(update_fields=["failing_since"])
    return row


@transaction.atomic
def remove_webhook(*, actor: Actor, webhook: Webhook) -> None:
    """Delete an address with what waits for it and its list of deliveries."""
    row = _held(actor, webhook)
    # Whoever tells it something at this moment is waited for, so that his rows are deleted as well.
    Webhook.objects.select_for_update().get(pk=row.pk)
    remove_row(actor, "webhook.remove", row)


@transaction.atomic
def test_webhook(*, actor: Actor, webhook: Webhook) -> WebhookDelivery:
    """Send an address a test, paused or not, once and at once; refused (`too_many`) while one waits."""
    row = _held(actor, webhook)
    if row.deliveries.filter(kind="test", ended_at=None).exists():
        raise LeagueError("too_many", _("A test is on its way already."))
    delivery = tell_test(row)
    record_audit(actor, "webhook.test", row)
    transaction.on_commit(wake_for_webhooks, robust=True)
    return delivery


@transaction.atomic
def deliver_again(*, actor: Actor, delivery: WebhookDelivery) -> None:
    """Send what is over once more, with the id that it had, and as if it had not been tried.

    Refused while it waits (`nothing_changed`), and where the address is paused (`paused`).
    """
    row = _held(actor, delivery.webhook)
    if row.pause:
        raise LeagueError("paused", _("The address is paused: resume it first."))
    now = timezone.now()
    over = WebhookDelivery.objects.filter(pk=delivery.pk).exclude(ended_at=None)
    if not over.update(ended_at=None, end="", due_at=now, tries=0):
        raise LeagueError("nothing_changed", _("It is on its way already."))
    record_audit(actor, "webhook.redeliver", row, after={"delivery": delivery.message_id})
    transaction.on_commit(wake_for_webhooks, robust=True)


def _held(actor: Actor, webhook: Webhook) -> Webhook:
    require(actor, Permission.DIRECT, webhook.club)
    return locked(webhook)


def _known(kinds: Collection[str]) -> list[str]:
    """The kinds in their order."""
    known = [kind.value for kind in CHOSEN_KINDS if kind in kinds]
    if not known or len(known) != len(set(kinds)):
        raise LeagueError("invalid", _("Choose what it is told."), field="kinds")
    return known
