"""The settings of a club night that is measured: the real ones, and one address more."""

from deploy.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.night.urls"
