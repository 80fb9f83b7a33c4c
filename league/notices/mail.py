"""Mail, if the site sends any (`EMAIL_URL`); everything sent by mail can also be handed over without it."""

import contextlib
import logging
from smtplib import (
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
)
from types import TracebackType
from typing import Any, Final, Self

from django.conf import settings
from django.core.mail import EmailMessage, get_connection, send_mail

from league.core.bounces import UNSAID, status_of_reply

logger = logging.getLogger(__name__)

# Mails on one connection; servers have limits of their own, and break it off.
_MOST_ON_ONE: Final = 50
# Codes of replies from which on a refusal is for good (RFC 5321, 4.2.1).
_FOR_GOOD: Final = 500


def sends_mail() -> bool:
    """Return whether the site sends mail."""
    return bool(settings.SENDS_MAIL)


def mailed(*, to: str, subject: str, text: str) -> bool:
    """Send a mail and return whether it was sent; failures are logged."""
    if not to or not sends_mail():
        return False
    try:
        send_mail(" ".join(subject.split()), text, None, [to])
    except (SMTPException, OSError) as error:
        logger.warning("a letter was not sent: %s", error)
        return False
    return True


class Refused(Exception):
    """The server refuses the address or the mail for good; the message is its answer.

    `status` is the enhanced code of that (RFC 3463): as the server says, else that nothing is said of an
    address, and "" of a mail.
    """

    def __init__(self, answer: str, *, unsaid: str) -> None:
        super().__init__(answer)
        self.status = status_of_reply(answer) or unsaid


class PutOff(Exception):
    """The mail may be sent later; the message is why. If the server `is_down`, so are all others."""

    def __init__(self, answer: str, *, is_down: bool) -> None:
        super().__init__(answer)
        self.is_down = is_down


class Post:
    """A connection to the mail server for many mails, opened with the first and anew after some."""

    def __init__(self) -> None:
        self._connection: Any = get_connection()
        self._sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def send(self, mail: EmailMessage) -> None:
        """Send a mail to its one address.

        `Refused` if the address or the mail is refused for good; `PutOff` if not yet, or if the server cannot
        be reached, lets nobody in or breaks off. Broken off, the mail may have arrived all the same.
        """
        if self._sent >= _MOST_ON_ONE:
            self._close()
        try:
            self._connection.open()
            self._connection.send_messages([mail])
        except SMTPRecipientsRefused as error:
            ((code, answer),) = error.recipients.values()
            raise _refusal(code, answer, unsaid=UNSAID) from error
        except SMTPDataError as error:
            raise _refusal(error.smtp_code, error.smtp_error) from error
        except SMTPResponseException as error:
            self._close()
            raise PutOff(_in_words(error.smtp_code, error.smtp_error), is_down=True) from error
        except (SMTPException, OSError) as error:
            self._close()
            raise PutOff(str(error) or type(error).__name__, is_down=True) from error
        self._sent += 1

    def _close(self) -> None:
        self._sent = 0
        # What is broken off already cannot be ended in order; the next one is new in any case.
        with contextlib.suppress(SMTPException, OSError):
            self._connection.close()


def _refusal(code: int, answer: bytes | str, *, unsaid: str = "") -> Refused | PutOff:
    said = _in_words(code, answer)
    return Refused(said, unsaid=unsaid) if code >= _FOR_GOOD else PutOff(said, is_down=False)


def _in_words(code: int, answer: bytes | str) -> str:
    text = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    return f"{code} {' '.join(text.split())}"
