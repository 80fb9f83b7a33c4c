"""When schedules recur: by the club's clock, over both changes of the clocks, and what is refused."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.recurrence import Recurrence, Unit, end_of_day, next_after, next_times
from league.errors import LeagueError
from tests.refusals import refuses

UTC = datetime.UTC
PARIS = ZoneInfo("Europe/Paris")
APIA = ZoneInfo("Pacific/Apia")


def at(text: str, zone: datetime.tzinfo = UTC) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def walls(text: str, starts_at: datetime.datetime, count: int, zone: ZoneInfo = PARIS) -> list[str]:
    """The first times as the club's clock shows them."""
    first = starts_at - datetime.timedelta(seconds=1)
    return [
        f"{moment.astimezone(zone):%m-%d %H:%M}" for moment in next_times(text, starts_at, zone, first, count)
    ]


# Clocks in Paris go forward on 2026-03-29 at 02:00 (to 03:00) and back on 2026-10-25 at 03:00 (to 02:00).
WORKED = {
    "an evening stays an evening as summer comes": (
        "FREQ=DAILY",
        at("2026-03-28T19:00", PARIS),
        ["03-28 19:00", "03-29 19:00", "03-30 19:00"],
    ),
    "and as it ends": (
        "FREQ=WEEKLY;BYDAY=SU,MO",
        at("2026-10-19T19:00", PARIS),
        ["10-19 19:00", "10-25 19:00", "10-26 19:00"],
    ),
    "a time that is missing comes an hour later": (
        "FREQ=DAILY",
        at("2026-03-28T02:30", PARIS),
        ["03-28 02:30", "03-29 03:30", "03-30 02:30"],
    ),
    "a time that comes twice is meant once": (
        "FREQ=DAILY",
        at("2026-10-24T02:30", PARIS),
        ["10-24 02:30", "10-25 02:30", "10-26 02:30"],
    ),
    "hours go on through the missing one": (
        "FREQ=HOURLY",
        at("2026-03-29T00:30", PARIS),
        ["03-29 00:30", "03-29 01:30", "03-29 03:30", "03-29 04:30"],
    ),
    "and come twice when clocks go back": (
        "FREQ=HOURLY",
        at("2026-10-25T01:30", PARIS),
        ["10-25 01:30", "10-25 02:30", "10-25 02:30", "10-25 03:30"],
    ),
    "minutes too": (
        "FREQ=MINUTELY;INTERVAL=20",
        at("2026-03-29T01:30", PARIS),
        ["03-29 01:30", "03-29 01:50", "03-29 03:10"],
    ),
    "a month without a 31st is left out": (
        "FREQ=MONTHLY",
        at("2026-01-31T19:00", PARIS),
        ["01-31 19:00", "03-31 19:00", "05-31 19:00"],
    ),
    "every other week": (
        "FREQ=WEEKLY;INTERVAL=2",
        at("2026-11-02T19:00", PARIS),
        ["11-02 19:00", "11-16 19:00", "11-30 19:00"],
    ),
    "so many times, and no more": (
        "FREQ=DAILY;COUNT=2",
        at("2026-11-02T19:00", PARIS),
        ["11-02 19:00", "11-03 19:00"],
    ),
    "so many half hours": (
        "FREQ=MINUTELY;INTERVAL=30;COUNT=2",
        at("2026-11-02T19:00", PARIS),
        ["11-02 19:00", "11-02 19:30"],
    ),
    "to the end of a day": (
        "FREQ=DAILY;UNTIL=20261103T225959Z",
        at("2026-11-02T23:30", PARIS),
        ["11-02 23:30", "11-03 23:30"],
    ),
    "a first time on no chosen weekday is passed over": (
        "FREQ=WEEKLY;BYDAY=WE",
        at("2026-11-02T19:00", PARIS),
        ["11-04 19:00", "11-11 19:00"],
    ),
    "once": ("", at("2026-11-02T19:00", PARIS), ["11-02 19:00"]),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_example(name: str) -> None:
    text, starts_at, expected = WORKED[name]
    assert walls(text, starts_at, len(expected)) == expected


@pytest.mark.parametrize(
    "text",
    ["", "FREQ=DAILY;COUNT=2", "FREQ=MINUTELY;INTERVAL=5;COUNT=2", "FREQ=WEEKLY;UNTIL=20261101T000000Z"],
)
def test_nothing_comes_after_the_last_time(text: str) -> None:
    assert next_after(text, at("2026-11-02T19:00"), UTC, at("2026-12-24T00:00")) is None


def test_first_time_that_is_the_second_of_two_equal_ones_stays_it() -> None:
    second = at("2026-10-25T01:30")  # 02:30 in Paris, after clocks went back
    assert next_after("FREQ=DAILY", second, PARIS, second - datetime.timedelta(seconds=1)) == second
    assert next_after("FREQ=DAILY", second, PARIS, second) == at("2026-10-26T01:30")


def test_time_that_is_missing_is_still_to_come_when_clocks_have_passed_it() -> None:
    starts_at = at("2026-03-28T02:30", PARIS)
    passed = at("2026-03-29T03:10", PARIS)
    assert next_after("FREQ=DAILY", starts_at, PARIS, passed) == at("2026-03-29T03:30", PARIS)


def test_day_that_a_clock_leaves_out_is_made_up_on_the_next() -> None:
    """Samoa had no 30 December 2011."""
    starts_at = at("2011-12-29T19:00", APIA)
    assert walls("FREQ=DAILY", starts_at, 3, APIA) == ["12-29 19:00", "12-31 19:00", "01-01 19:00"]


def test_occurrence_long_after_the_first_is_found_at_once() -> None:
    found = next_after("FREQ=MINUTELY;INTERVAL=5", at("1990-01-01T00:00"), UTC, at("2026-11-02T19:03"))
    assert found == at("2026-11-02T19:05")


MOMENTS = st.integers(-(2**31), 2**32).map(lambda seconds: datetime.datetime.fromtimestamp(seconds, UTC))
RULES = st.builds(
    Recurrence,
    unit=st.just(Unit.WEEKS),
    interval=st.integers(1, 999),
    weekdays=st.sets(st.integers(0, 6)).map(lambda days: tuple(sorted(days))),
    count=st.none() | st.integers(1, 9999),
) | st.builds(
    Recurrence,
    unit=st.sampled_from([Unit.MINUTES, Unit.HOURS, Unit.DAYS, Unit.MONTHS]),
    interval=st.integers(5, 999),
    until=st.none() | MOMENTS,
)


@given(RULES)
def test_text_says_the_rule(rule: Recurrence) -> None:
    assert Recurrence.from_text(rule.to_text()) == rule


@given(RULES, MOMENTS, st.integers(0, 2000))
def test_next_time_is_later(rule: Recurrence, starts_at: datetime.datetime, days: int) -> None:
    after = starts_at + datetime.timedelta(days=days)
    times = next_times(rule.to_text(), starts_at, PARIS, after, 3)
    assert times == sorted(set(times))
    assert all(moment > after for moment in times)


def test_end_of_a_day_is_the_clubs() -> None:
    assert end_of_day(datetime.date(2026, 11, 3), PARIS) == at("2026-11-03T22:59:59")


NONSENSE = [
    ("every monday", "unknown_recurrence"),
    ("FREQ=YEARLY", "unknown_recurrence"),
    ("FREQ=SECONDLY", "unknown_recurrence"),
    ("INTERVAL=2", "unknown_recurrence"),
    ("FREQ=DAILY;FREQ=WEEKLY", "unknown_recurrence"),
    ("FREQ=DAILY;BYHOUR=9", "unknown_recurrence"),
    ("FREQ=WEEKLY;BYDAY=1MO", "unknown_recurrence"),
    ("FREQ=WEEKLY;BYDAY=", "unknown_recurrence"),
    ("FREQ=DAILY;COUNT=many", "unknown_recurrence"),
    ("FREQ=DAILY;COUNT=²", "unknown_recurrence"),
    ("FREQ=DAILY;UNTIL=20261301T000000Z", "unknown_recurrence"),
    ("FREQ=DAILY;", "unknown_recurrence"),
    ("FREQ=MINUTELY", "too_often"),
    ("FREQ=MINUTELY;INTERVAL=4", "too_often"),
    ("FREQ=DAILY;INTERVAL=0", "out_of_range"),
    ("FREQ=DAILY;INTERVAL=1000", "out_of_range"),
    ("FREQ=DAILY;COUNT=0", "out_of_range"),
    ("FREQ=DAILY;BYDAY=MO", "weekdays"),
    ("FREQ=WEEKLY;BYDAY=MO,MO", "weekdays"),
    ("FREQ=DAILY;COUNT=2;UNTIL=20261231T000000Z", "until_or_count"),
]


@pytest.mark.parametrize(("text", "code"), NONSENSE)
def test_nonsense_is_refused_with_a_sentence(text: str, code: str) -> None:
    with refuses(LeagueError, code) as refusal:
        next_after(text, at("2026-11-02T19:00"), UTC, at("2026-11-02T19:00"))
    assert str(refusal.value.message).endswith(".")
