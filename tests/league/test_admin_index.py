"""The admin's index: what a director uses most comes first, and every model has its place."""

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from league.admin_site import MODELS
from league.models import Event
from tests.league.admin_pages import text

pytestmark = pytest.mark.django_db


def test_index_begins_with_events(owner: Client, event: Event) -> None:
    shown = text(owner.get(reverse("admin:index")))
    listed = re.findall(r'class="model-(\w+)', shown.partition('id="content-main"')[2])
    assert listed[:4] == ["event", "entry", "round", "match"]
    assert listed[-2:] == ["scoresheet", "botmatch"]
    assert listed.index("player") < listed.index("clubrules") < listed.index("club")


def test_every_model_of_the_league_has_its_place() -> None:
    registered = {model.__name__ for model in admin.site._registry if model._meta.app_label == "league"}
    assert registered == set(MODELS)
