"""A lesson for every kind of game: sentences that follow the house rules."""

from collections.abc import Mapping
from typing import Final

from league.learn.lessons.captains import CAPTAINS
from league.learn.lessons.cutthroat import CUTTHROAT_GIN
from league.learn.lessons.gin import GIN
from league.learn.lessons.jersey import JERSEY_GIN
from league.learn.lessons.lesson import Lesson
from league.learn.lessons.one_pack import PARTNERS
from league.learn.lessons.rummy import RUMMY

LESSONS: Final[Mapping[str, Lesson]] = {
    lesson.kind: lesson for lesson in (GIN, CUTTHROAT_GIN, CAPTAINS, JERSEY_GIN, PARTNERS, RUMMY)
}
