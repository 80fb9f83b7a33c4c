"""Requests to addresses that other people wrote: push services, webhooks.

Whoever writes an address here may name a machine of the site's own network, or a name that means one
thing when it is looked at and another when it is asked (https://owasp.org/www-community/attacks/Server_Side_Request_Forgery).
So the connection itself looks: the name is resolved once, every address that it has is judged, and the one
that was judged is connected to. Only https, only the public Internet; the site may allow networks of its own
(`OUTGOING_NETWORKS`), and to those http as well. No proxy, no redirect, no password file of this machine is
used; the answer has to be there in ten seconds, and is cut after 2,000 bytes.
"""

import contextlib
import io
import ipaddress
import socket
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.utils.translation import gettext as _
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

SECONDS: Final = 10.0
LONGEST_ANSWER: Final = 2_000  # bytes

# What machines of the public Internet are given (https://www.iana.org/assignments/ipv6-address-space/);
# outside are networks of one site and former ways to write an address of IPv4 (`::10.0.0.7`).
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
# Behind these stand addresses of IPv4 (RFC 6052); behind others RFC 4291, 2.5.5.2, and RFC 3056.
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")
_LAST_OF_IPV6: Final = 2**32 - 1


class NotAllowed(ValueError):
    """The site makes no requests to this address; the message is a sentence that says why."""


class OutgoingSession(requests.Session):
    """A session of `requests` that asks only where the site allows. Not for several threads at once.

    `get`, `post` and the others raise `NotAllowed` for an address that is refused, and
    `requests.RequestException` if there is no answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        adapter = _Adapter()
        self.mount("https://", adapter)
        self.mount("http://", adapter)

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **kwargs: Any) -> requests.Response:
        check_address(url.decode() if isinstance(url, bytes) else url)
        return super().request(method, url, *args, **{**kwargs, "allow_redirects": False})


def check_address(url: str) -> None:
    """Raise `NotAllowed` unless `url` is written as the site allows; what it means is seen when asked."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise NotAllowed(_("This is not a web address.")) from error
    if parts.scheme not in ("https", "http") or not parts.hostname or port == 0 or url != url.strip():
        raise NotAllowed(_("Write an address that begins with https://."))
    if parts.username is not None or parts.password is not None:
        raise NotAllowed(_("Write the address without a name or password in it."))
    if parts.scheme == "http" and not settings.OUTGOING_NETWORKS:
        raise NotAllowed(_("The address must begin with https://."))


def check_host(url: str) -> None:
    """Raise `NotAllowed` if `url` is badly written, or means a machine now that may not be asked."""
    check_address(url)
    parts = urlsplit(url)
    try:
        _judged(str(parts.hostname), parts.port or 443, encrypted=parts.scheme == "https")
    except OSError as error:
        raise NotAllowed(_("There is no machine of this name.")) from error


def _judged(host: str, port: int, *, encrypted: bool) -> str:
    """Return an address of `host`. `NotAllowed` if any of its addresses is; `OSError` if it has none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a part of the name is empty or too long
        raise NotAllowed(_("There is no machine of this name.")) from error
    addresses = [ipaddress.ip_address(str(place[0]).partition("%")[0]) for *_rest, place in found]
    for address in addresses:
        if any(address in network for network in settings.OUTGOING_NETWORKS):
            continue
        if not is_public(address):
            raise NotAllowed(_("This address is not on the public Internet, and this site asks no other."))
        if not encrypted:
            raise NotAllowed(_("The address must begin with https://."))
    return str(addresses[0])


def is_public(address: IPAddress) -> bool:
    """Return whether `address` is one machine of the public Internet, also behind a translated address."""
    if isinstance(address, ipaddress.IPv6Address):
        behind = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            behind = ipaddress.IPv4Address(int(address) & _LAST_OF_IPV6)
        if behind is not None:
            return is_public(behind)
        if address not in _UNICAST:
            return False
    return address.is_global and not address.is_multicast


class _Judging:
    """What both kinds of connection have in common: they look where they go, and can be cut off."""

    def __init__(self, *args: Any, opened: Callable[[socket.socket], None], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._opened = opened

    def _new_conn(self) -> socket.socket:
        me: Any = self
        try:
            address = _judged(me.host, me.port, encrypted=isinstance(self, HTTPSConnection))
            line = create_connection((address, me.port), me.timeout, socket_options=me.socket_options)
        except socket.gaierror as error:
            raise NameResolutionError(me.host, me, error) from error
        except OSError as error:
            raise NewConnectionError(me, str(error)) from error
        self._opened(line)
        return line


class _Http(_Judging, HTTPConnection):
    pass


class _Https(_Judging, HTTPSConnection):
    pass


class _Adapter(HTTPAdapter):
    """One connection for each request, ended after `SECONDS` however slowly the other side speaks."""

    def __init__(self) -> None:
        self._opened: list[socket.socket] = []
        self._too_late = False
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        http, https = (partial(kind, opened=self._hold) for kind in (_Http, _Https))
        self.poolmanager.pool_classes_by_scheme = {
            "http": type("_HttpPool", (HTTPConnectionPool,), {"ConnectionCls": http}),
            "https": type("_HttpsPool", (HTTPSConnectionPool,), {"ConnectionCls": https}),
        }

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        self._too_late = False
        over = threading.Timer(SECONDS, self._cut)
        over.start()
        try:
            response = super().send(request, **{**kwargs, "stream": True, "timeout": SECONDS})
            with response.raw as raw:
                response.raw = io.BytesIO(raw.read(LONGEST_ANSWER, decode_content=False))
        except (HTTPError, OSError) as error:
            if isinstance(error, requests.RequestException):
                raise
            raise requests.ConnectionError(error, request=request) from error
        finally:
            over.cancel()
            self.poolmanager.clear()
            for line in self._opened:
                line.close()
            self._opened.clear()
        if self._too_late:  # a line that breaks off may look like the end of an answer
            raise requests.Timeout(f"no whole answer in {SECONDS:g} seconds", request=request)
        return response

    def _hold(self, line: socket.socket) -> None:
        # Encryption takes the socket away from who opened it; a second handle on it stays.
        self._opened.append(line.dup())
        if self._too_late:  # looking the name up and connecting took all the time
            self._cut()

    def _cut(self) -> None:
        self._too_late = True
        for line in self._opened:
            with contextlib.suppress(OSError):  # it has ended by itself
                line.shutdown(socket.SHUT_RDWR)
