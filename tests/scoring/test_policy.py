"""The policy that scoring asks, named by a setting."""

from typing import Any

from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError
from scoring.models import Scoresheet
from scoring.policy import SheetAction, policy
from scoring.services import (
    accept_difference,
    correct_deals,
    open_sheet,
    record_deals,
    reseat_sheet,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, won
from tests.refusals import refuses
from tests.scoring.conftest import ANN_AND_BOB

ASKED: list[tuple[str, SheetAction, str | None]] = []


class NotingPolicy:
    """Allows everything and notes what it was asked."""

    def allows(self, actor: Any, action: SheetAction, sheet: Scoresheet | None) -> bool:
        ASKED.append((actor.name, action, None if sheet is None else sheet.code))
        return True

    def refusal(self, actor: Any, action: SheetAction, sheet: Scoresheet | None) -> None:
        return None

    def visible(self, actor: Any, queryset: Any) -> Any:
        return queryset

    def own_sides(self, actor: Any, sheet: Scoresheet) -> frozenset[int]:
        return frozenset()


class NobodyPolicy(NotingPolicy):
    """Forbids everything."""

    def allows(self, actor: Any, action: SheetAction, sheet: Scoresheet | None) -> bool:
        return False


def test_policy_is_the_one_the_setting_names(settings: Any) -> None:
    settings.SCORING_POLICY = f"{__name__}.NotingPolicy"
    assert type(policy()).__name__ == "NotingPolicy"
    settings.SCORING_POLICY = f"{__name__}.NobodyPolicy"
    assert type(policy()).__name__ == "NobodyPolicy"


def test_every_service_asks(sheet: Scoresheet, settings: Any) -> None:
    settings.SCORING_POLICY = f"{__name__}.NotingPolicy"
    ASKED.clear()
    common: dict[str, Any] = {"actor": OPERATOR, "sheet": sheet}
    other = open_sheet(actor=OPERATOR, rules=sheet.rules, sides=ANN_AND_BOB)
    reseat_sheet(actor=OPERATOR, sheet=other, sides=ANN_AND_BOB)
    record_deals(**common, deals=[won("Ann", "Bob", 1)], paper=Paper(lines=9))
    correct_deals(**common, changes={1: won("Ann", "Bob", 2)}, reason="two")
    stop_sheet(**common)
    accept_difference(**common, reason="so it is")
    sign_sheet(**common)
    void_sheet(**common, reason="no")
    names = [action for _, action, _ in ASKED]
    # Who signs is asked also whether he may attest the paper for both sides.
    signing = ["sign", "correct"]
    assert names == ["open", "open", "record", "correct", "stop", "accept", *signing, "void"]
    assert {code for _, action, code in ASKED if action != "open"} == {sheet.code}
    assert {actor for actor, _, _ in ASKED} == {"The tests"}


def test_repeated_key_is_answered_to_whose_it_is_and_to_nobody_else(sheet: Scoresheet, settings: Any) -> None:
    """He was told already; what he may by now does not make it untrue."""
    told = record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1)], key="one")
    settings.SCORING_POLICY = f"{__name__}.NobodyPolicy"
    again = record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1)], key="one")
    assert (again.repeated, again.to_document()) == (True, told.to_document())
    other = Actor(ActorKind.IMPORT, "other", "Other")
    with refuses(RecordingError, "not_allowed"):
        record_deals(actor=other, sheet=sheet, deals=[won("Ann", "Bob", 1)], key="one")
