"""Notices as mail: text and HTML, by the club's name, with an address that stops them (RFC 8058)."""

from collections.abc import Sequence
from email.utils import formataddr, parseaddr

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, ngettext

from league.models import Club
from league.notices.choices import secret_to_stop
from league.notices.saying import Said


def site_address(path: str) -> str:
    """The public address of a path of the site (`SITE_URL`): a worker is asked by no browser."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def letter(
    *, user: User, club: Club, said: Sequence[Said], message_id: str, return_path: str | None
) -> EmailMultiAlternatives:
    """The mail that tells a user of the club what these notices say.

    To its `return_path` mail servers report that it could not be delivered; by default to whom it is from.
    """
    stop = site_address(reverse("notices_stop", args=[secret_to_stop(user.pk, club.pk)]))
    title = said[0].title
    if len(said) > 1:
        title = ngettext("%(count)d message", "%(count)d messages", len(said)) % {"count": len(said)}
    sender = formataddr((" ".join(club.name.split()), parseaddr(settings.DEFAULT_FROM_EMAIL)[1]))
    told = {
        "title": title,
        "club": club,
        "said": [(each, site_address(each.path)) for each in said],
        "is_many": len(said) > 1,
        "account": site_address(f"{reverse('account')}#told-{club.slug}"),
        "stop": stop,
        "language": get_language(),
    }
    mail = EmailMultiAlternatives(
        subject=" ".join(f"{club.name}: {title}".split()),
        body=render_to_string("league/notice_mail.txt", told),
        from_email=return_path or sender,
        to=[user.email],
        headers={
            "From": sender,
            "Message-ID": message_id,
            # RFC 3834: no answer of an absent reader's program.
            "Auto-Submitted": "auto-generated",
            # RFC 8058: the reader's mail program stops them by one POST, without cookies.
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    mail.attach_alternative(render_to_string("league/notice_mail.html", told), "text/html")
    return mail
