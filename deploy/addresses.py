"""The web server's listening socket, and the machine's addresses on the local network."""

import contextlib
import errno
import socket

from django.utils.translation import gettext as _


class PortTaken(Exception):
    """The port is in use or not permitted; the message says which."""


def claim_port(host: str, port: int) -> socket.socket:
    """A listening socket, so that nothing else takes the port before the web server is ready."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            said = _("Port %(port)s is in use. Stop the other program, or choose another port with --port.")
            raise PortTaken(said % {"port": port}) from error
        said = _("Port %(port)s cannot be opened: %(reason)s.") % {"port": port, "reason": error.strerror}
        raise PortTaken(said) from error
    return listener


def network_names() -> list[str]:
    """Addresses and names under which the local network can reach this machine, the best first."""
    names = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Connecting UDP to an address reserved for documentation selects our own address; nothing is sent.
        probe.connect(("192.0.2.1", 9))
        names.append(str(probe.getsockname()[0]))
    host = socket.gethostname()
    with contextlib.suppress(OSError):
        found = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)
        names += [str(address[0]) for *_rest, address in found]
    names.append(host)
    return [name for name in dict.fromkeys(names) if not name.startswith(("127.", "0.", "localhost"))]
