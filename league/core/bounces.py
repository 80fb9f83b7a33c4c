"""Mail that comes back: reading the reports (RFC 3464), and whose fault a refusal is (RFC 3463)."""

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from enum import Enum
from typing import Final

_STATUS: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})(?!\S)")
# A reply of SMTP begins with its code, then the enhanced one (RFC 2034).
_REPLY: Final = re.compile(r"\s*(5\d\d)[ -](5\.\d{1,3}\.\d{1,3})(?!\S)")
# What stands between addresses.
_APART: Final = re.compile(r"[\s<>()\",;:]+")
# Which says no more than that it is for good.
UNSAID: Final = "5.0.0"


class Fault(Enum):
    """Whose fault a permanent refusal is."""

    # There is no such mailbox or host, it has moved, or is disabled: once is enough.
    ADDRESS = "address"
    # Often the address's, and sometimes its server's: a full mailbox, or no reason given.
    PERHAPS = "perhaps"
    # Not the address's: policy, what was sent, who sends it, or the way there.
    OTHER = "other"


# RFC 3463, 3.2 and 3.3; 5.1.10, a host that takes no mail at all, by RFC 7505.
_OF_ADDRESS: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"})
# 5.1.7 and 5.1.8 are about the sender's address, 5.2.3 about what was too long for the mailbox.
_NOT_OF_ADDRESS: Final = frozenset({"5.1.7", "5.1.8", "5.2.3"})
# 5.3 is the server's system, 5.5 the protocol, 5.6 the content, 5.7 security and policy: what a server
# refuses of every sender like us says nothing of the mailbox.
_OTHER_SUBJECTS: Final = frozenset({"3", "5", "6", "7"})


def fault_of(status: str) -> Fault:
    """Whose fault a refusal with this enhanced status code is; one that is not permanent is nobody's."""
    kind, _dot, rest = status.partition(".")
    if kind != "5" or status in _NOT_OF_ADDRESS or rest.partition(".")[0] in _OTHER_SUBJECTS:
        return Fault.OTHER
    return Fault.ADDRESS if status in _OF_ADDRESS else Fault.PERHAPS


def status_of_reply(reply: str) -> str:
    """The enhanced status code of a server's permanent refusal, as “550 5.1.1 …”; "" if it has none."""
    found = _REPLY.match(reply)
    return "" if found is None else found[2]


@dataclass(frozen=True, slots=True)
class Report:
    """What a report says: to which addresses it came, and the status of a permanent failure, "" if none."""

    came_to: tuple[str, ...]
    status: str


def read_report(data: bytes) -> Report | None:
    """A report on a delivery, as RFC 3464 has it; None for a mail that is none.

    Only its fields count, not what it says to people. A report is addressed to the return path of the mail
    that it is about (RFC 3464, 2); mail servers note that again where they hand it over.
    """
    try:
        mail = message_from_bytes(data)
    except RecursionError:  # parts in parts in parts
        return None
    if mail.get_content_type() != "multipart/report" or mail.get_param("report-type") != "delivery-status":
        return None
    part = next((each for each in mail.walk() if each.get_content_type() == "message/delivery-status"), None)
    groups = part.get_payload() if part is not None else None
    if not isinstance(groups, list):
        return None
    statuses = [status for group in groups if (status := _failed(group)) is not None]
    return Report(_came_to(mail), next(iter(statuses), ""))


def _came_to(mail: Message) -> tuple[str, ...]:
    # Split and not parsed: a return path of ours has nothing that is quoted, and Python's parser of addresses
    # takes minutes for what is long, or fails, where something is mangled.
    lines = [str(line) for name in ("Delivered-To", "X-Original-To", "To") for line in mail.get_all(name, [])]
    return tuple(word for line in lines for word in _APART.split(line) if "@" in word)


def _failed(group: object) -> str | None:
    """The status of a recipient for whom it failed for good; None for other fields."""
    if not isinstance(group, Message) or str(group.get("Action", "")).strip().lower() != "failed":
        return None
    found = _STATUS.match(str(group.get("Status", "")))
    status = UNSAID if found is None else found[1]
    if not status.startswith("5."):
        return None
    kind, _semicolon, reply = str(group.get("Diagnostic-Code", "")).partition(";")
    if status == UNSAID and kind.strip().lower() == "smtp":
        # Some servers leave the reason to the answer that they quote.
        return status_of_reply(" ".join(reply.split())) or status
    return status
