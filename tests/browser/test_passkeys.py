"""A passkey, made by a browser's own authenticator, signs in without name and password."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.looks]

PASSWORD = "a long way home 7"


@pytest.mark.dear("drives a browser through making and using a passkey")
def test_a_passkey_signs_in(page: Page, live_server: LiveServer, complaints: list[str]) -> None:
    UserFactory.create(username="kim", password=PASSWORD)
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
            }
        },
    )
    # Browsers have passkeys for names, not for numbers.
    site = live_server.url.replace("127.0.0.1", "localhost")
    page.goto(f"{site}/login/")
    page.get_by_label("Name, or e-mail").fill("kim")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.goto(f"{site}/account/factors/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name").fill("my telephone")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/recovery-codes/")
    page.goto(f"{site}/account/factors/webauthn/")
    expect(page.get_by_text("my telephone")).to_be_visible()

    page.goto(f"{site}/account/")
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{site}/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/me/")
    expect(page.get_by_text("Signed in as kim")).to_be_visible()
    assert complaints == []
