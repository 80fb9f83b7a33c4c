"""`manage.py bots list` lists the bots, `arena` measures their strength, `choices` what they choose.

`manage.py bots learn` learns anew how types of opponents discard, `tune` tunes anew how `expert` plays out.
"""

import io
import json
import re
import sys
import tomllib
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool
from importlib import metadata
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from platform import python_version
from statistics import fmean
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _
from tqdm import tqdm

import games
from games.arena import tuning
from games.arena.choices import PLACE as CHOICES
from games.arena.choices import ShippedChoices, usual_choices
from games.arena.kept import KeptPairs
from games.arena.learning import (
    FEWEST_HANDS,
    MOST_HANDS,
    TYPES,
    discards_of_pool,
    learn,
    likelihoods,
    to_document,
)
from games.arena.pairs import ARENA_RULES, label
from games.arena.playing import MOST_PROCESSES, every_level, games_between, known_strategies, play_arena
from games.arena.ratings import rate
from games.arena.shipped import PLACE, Circumstances, ShippedArena
from games.bots import STRATEGIES
from games.bots.base import HouseBot, Strategy, named
from games.bots.field import FIELD
from games.bots.kernel import kernel, quickest
from games.bots.policies import DIGEST, OWN_POLICY, PLAYOUTS_PLACE, SHEDS_PLACE
from games.errors import GameError
from games.management.printing import aligned, choices_table, document, table
from games.models import BotRating
from games.processes import cores
from games.services.strength import kept_ratings, store_arena
from games.tables.dealing import derived_seed
from games.tables.play import BotError
from scoring.core.errors import ScoringError
from scoring.core.skills import Skill, shown, shown_spread
from scoring.documents.knobs import rules_from_text
from scoring.words.messages import translated


class Command(BaseCommand):
    help = "Lists the bots, measures their strength in the arena, or weighs their choices."

    def add_arguments(self, parser: CommandParser) -> None:
        whats = parser.add_subparsers(dest="what", required=True, metavar="{list,arena,learn,tune,choices}")
        listing = whats.add_parser("list", help="the strategies, their levels, and their ratings")
        arena = whats.add_parser(
            "arena",
            help="all against all",
            description=(
                "All bots play each other on the same packs, each game a second time with the seats swapped."
                " Prints the results with 95 % intervals, and replaces the stored ratings and results of"
                " these bots. The same seed gives the same games on any number of cores."
            ),
        )
        arena.add_argument(
            "--games", metavar="N", type=int, required=True, help="games between any two bots, an even number"
        )
        arena.add_argument(
            "--bots",
            metavar="B,B…",
            help="the bots, as in simple,expert:3; by default the whole house at its default levels",
        )
        arena.add_argument(
            "--levels", action="store_true", help="every level of a strategy, not only its default"
        )
        arena.add_argument(
            "--level-games",
            metavar="N",
            type=int,
            help="games between two of which one has levels, so that it thinks longer; by default as many",
        )
        arena.add_argument("--seed", metavar="S", type=int, default=1, help="seed of the packs")
        arena.add_argument(
            "--rules",
            metavar="K=V,…",
            help=(
                "other rules, as in preset=standard,target=200, under which nothing is stored; by default"
                " those of published results, preset=online,next_dealer=alternate"
            ),
        )
        arena.add_argument(
            "--processes",
            metavar="P",
            type=int,
            default=min(cores(), MOST_PROCESSES),
            help="by default one per core",
        )
        arena.add_argument(
            "--keep",
            metavar="FILE",
            type=Path,
            help=(
                "keep the games in this file as they are played; what it has of the same bots, rules, packs"
                " and version is not played again"
            ),
        )
        choices = whats.add_parser(
            "choices",
            help="how far their choices agree with expert's",
            description=(
                "Every choice of the bots in these hands against steady is weighed, as members' choices are."
                " The same seed gives the same figures."
            ),
        )
        choices.add_argument("--hands", metavar="N", type=int, required=True, help="hands of each bot")
        choices.add_argument("--seed", metavar="S", type=int, default=1, help="seed of the packs")
        choices.add_argument(
            "--write", action="store_true", help="make these the figures that the program comes with"
        )
        kept = arena.add_mutually_exclusive_group()
        kept.add_argument("--no-store", action="store_true", help="only print")
        kept.add_argument(
            "--write",
            action="store_true",
            help="in place of storing them, make these the figures that the program comes with",
        )
        learning = whats.add_parser(
            "learn",
            help="how types of opponents discard",
            description=(
                "The styles of the pool play each other, and what `expert` takes to make a discard likely"
                " is learned from them. Prints how likely the discards of hands that were kept aside are by"
                " that, also those of styles held out. Needs numpy. The same seed plays the same games."
            ),
        )
        learning.add_argument("--hands", metavar="N", type=int, default=4000, help="hands to play")
        learning.add_argument("--seed", metavar="S", type=int, default=1, help="seed of the games")
        learning.add_argument(
            "--write", action="store_true", help="make these the weights that the program plays by"
        )
        tune = whats.add_parser(
            "tune",
            help="how expert plays hands out",
            description=(
                "When `expert` knocks in the hands that it plays out is tuned against the types of opponents"
                " it reckons with: a few minutes of one core. Prints the points a hand on other packs. Needs"
                " numba. The same seed finds the same numbers."
            ),
        )
        tune.add_argument(
            "--hands", metavar="N", type=int, default=tuning.USUAL_HANDS, help="hands against each type"
        )
        tune.add_argument("--seed", metavar="S", type=int, default=1, help="seed of the packs")
        tune.add_argument(
            "--write", action="store_true", help="make these the numbers that the program plays by"
        )
        for each in (listing, arena):
            each.add_argument(
                "--field", action="store_true", help="include the opponents that exist only for measuring"
            )
            each.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # JSON is UTF-8 whatever the terminal's encoding; a table stays readable without a dash.
            if options.get("format") == "json":
                sys.stdout.reconfigure(encoding="utf-8")
            else:
                sys.stdout.reconfigure(errors="replace")
        if what == "list":
            self._list(**options)
        elif what == "learn":
            self._learn(**options)
        elif what == "tune":
            self._tune(**options)
        elif what == "choices":
            self._choices(**options)
        else:
            self._arena(**options)

    def _list(self, *, field: bool, format: str, **options: Any) -> None:
        bots = [
            bot
            for strategy in _offered(known_strategies(settings.BOT_STRATEGIES), field=field)
            for bot in every_level(strategy)
        ]
        kept = kept_ratings(bots)
        rows = [_listed(bot, kept.get(label(bot))) for bot in bots]
        if format == "json":
            self.stdout.write(json.dumps({"bots": rows}))
            return
        for line in aligned([_heads(), *[_cells(row) for row in rows]], texts=2):
            self.stdout.write(line)

    def _learn(self, *, hands: int, seed: int, write: bool, **options: Any) -> None:
        if find_spec("numpy") is None:
            raise CommandError(_("Learning needs numpy, from requirements-bots.txt."), returncode=2)
        if not FEWEST_HANDS <= hands <= MOST_HANDS:
            said = _("The number of hands is from %(fewest)s to %(most)s.")
            raise CommandError(said % {"fewest": FEWEST_HANDS, "most": MOST_HANDS}, returncode=2)
        discards = list(discards_of_pool(hands, seed))
        weights = learn(discards)
        heads = ("", _("learned"), _("all alike"))
        rows = [
            (style, f"{by_weights:.3f}", f"{alike:.3f}")
            for style, (by_weights, alike) in sorted(likelihoods(discards, weights).items())
        ]
        self.stdout.write(_("The mean logarithm of the chance of a discard of the hands kept aside:"))
        for line in aligned([heads, *rows], texts=1):
            self.stdout.write(line)
        if write:
            self._play_by(to_document(weights, hands=hands, seed=seed), SHEDS_PLACE)

    def _tune(self, *, hands: int, seed: int, write: bool, **options: Any) -> None:
        if find_spec("numba") is None:
            raise CommandError(_("Tuning needs numba, from requirements-bots.txt."), returncode=2)
        if not tuning.FEWEST_HANDS <= hands <= tuning.MOST_HANDS:
            said = _("The number of hands is from %(fewest)s to %(most)s.")
            raise CommandError(
                said % {"fewest": tuning.FEWEST_HANDS, "most": tuning.MOST_HANDS}, returncode=2
            )
        made_by = kernel(compiled=True)
        with tqdm(desc=_("Tuning"), unit=" " + _("hands"), disable=None) as bar:
            tuned = tuning.tune(made_by, hands, seed, progress=bar.update)
        blocks = (tuning.START, OWN_POLICY, tuned)
        first, in_force, found = [
            tuning.points_by_part(made_by, block, hands, derived_seed(seed, "other")) for block in blocks
        ]
        heads = ("", _("to begin with"), _("in force"), _("tuned"))
        rows = [
            (name, *[f"{fmean(part[number] for part in parts):.2f}" for parts in (first, in_force, found)])
            for number, name in enumerate(TYPES)
        ]
        self.stdout.write(_("Points a hand against each type, on other packs:"))
        for line in aligned([heads, *rows], texts=1):
            self.stdout.write(line)
        said = _("Tuned is ahead of what is in force by %(points)s ± %(error)s.")
        ahead = tuning.ahead(found, in_force)
        self.stdout.write(said % {"points": f"{ahead.points:.2f}", "error": f"{ahead.error:.2f}"})
        if write:
            self._play_by(tuning.to_document(tuned, hands=hands, seed=seed), PLAYOUTS_PLACE)

    def _play_by(self, numbers: Mapping[str, Any], place: Path) -> None:
        _write(place, numbers, indent=None)
        said = _("The program now plays by these numbers: %(file)s.")
        self.stdout.write(said % {"file": place.name})
        # The figures that it comes with were measured by others.
        self.stdout.write(_("Now write the figures anew, with `bots arena` and `bots choices`."))

    def _choices(self, *, hands: int, seed: int, write: bool, **options: Any) -> None:
        if hands < 1:
            raise CommandError(_("Say how many hands: at least one."), returncode=2)
        bots = [HouseBot.of(strategy) for strategy in STRATEGIES.values()]
        with tqdm(total=hands * len(bots), desc=_("Choices"), unit=" " + _("hands"), disable=None) as bar:
            found = [usual_choices(bot, hands, seed, progress=bar.update) for bot in bots]
        found.sort(key=lambda one: (-one.agreement.mean_cost, one.name))
        for line in choices_table(found):
            self.stdout.write(line)
        if write:
            _write(CHOICES, ShippedChoices(_circumstances(1), seed, hands, tuple(found)).to_document())
            self.stdout.write(
                _("The program now comes with these figures: %(file)s.") % {"file": CHOICES.name}
            )

    def _arena(
        self,
        *,
        games: int,
        bots: str | None,
        levels: bool,
        level_games: int | None,
        field: bool,
        seed: int,
        rules: str | None,
        processes: int,
        keep: Path | None,
        no_store: bool,
        write: bool,
        format: str,
        **options: Any,
    ) -> None:
        known = known_strategies(settings.BOT_STRATEGIES)
        try:
            by = ARENA_RULES if rules is None else rules_from_text(rules)
            if write and by != ARENA_RULES:
                said = _("The program comes with figures by the arena's own rules.")
                raise CommandError(said, returncode=2)
            players = _players(bots, known, field=field, levels=levels)
            is_stored = not (no_store or write) and by == ARENA_RULES
            former = kept_ratings(players) if is_stored else {}
            version = _version()
            kept = None if keep is None else KeptPairs(keep, players, seed=seed, rules=by, version=version)
            with tqdm(
                total=sum([games_between(*pair, games, level_games) for pair in combinations(players, 2)]),
                desc=_("Arena"),
                unit=" " + _("games"),
                disable=None,
                leave=False,
                smoothing=0,
            ) as bar:
                arena = play_arena(
                    players,
                    games,
                    level_games=level_games,
                    seed=seed,
                    rules=by,
                    processes=processes,
                    paths=settings.BOT_STRATEGIES,
                    progress=bar.update,
                    kept=kept,
                )
        except BotError as failure:
            said = _("%(failure)s Nothing was stored.") % {"failure": translated(failure.message)}
            raise CommandError(said, returncode=1) from None
        except (GameError, ScoringError) as refusal:
            raise CommandError(translated(refusal.placed), returncode=2) from None
        except OSError as failure:
            if keep is None:
                raise
            said = _("%(file)s cannot be written: %(reason)s.") % {"file": keep, "reason": failure.strerror}
            raise CommandError(said, returncode=1) from None
        except BrokenProcessPool:
            raise CommandError(_("A process of the arena died. Nothing was stored.")) from None
        except KeyboardInterrupt:
            raise CommandError(_("Interrupted. Nothing was stored."), returncode=130) from None
        ratings = rate(arena.meetings, {name: Skill(row.mu, row.sigma) for name, row in former.items()})
        if is_stored:
            store_arena(arena=arena, ratings=ratings, rated_at=timezone.now())
        if write:
            circumstances = _circumstances(processes)
            figures = ShippedArena.of(arena, ratings, circumstances, level_games or games)
            _write(PLACE, figures.to_document())
        if format == "json":
            self.stdout.write(json.dumps({**document(arena, ratings), "is_stored": is_stored}))
            return
        for line in table(arena, ratings):
            self.stdout.write(line)
        self.stdout.write("")
        if is_stored:
            self.stdout.write(_("Ratings and results were stored."))
        elif write:
            self.stdout.write(_("The program now comes with these figures: %(file)s.") % {"file": PLACE.name})
        elif no_store:
            self.stdout.write(_("Nothing was stored."))
        else:
            self.stdout.write(_("Nothing was stored, because these are other rules."))


def _heads() -> tuple[str, ...]:
    return ("", "", _("samples"), _("rating"), _("games"))


def _offered(known: Mapping[str, Strategy], *, field: bool) -> list[Strategy]:
    """The strategies of the house and the site, with `field` also those of the field."""
    return [strategy for name, strategy in known.items() if field or name not in FIELD]


def _write(place: Path, numbers: Mapping[str, Any], *, indent: int | None = 1) -> None:
    text = json.dumps(numbers, indent=indent, ensure_ascii=False)
    place.write_text(text + "\n", encoding="utf-8")


def _circumstances(processes: int) -> Circumstances:
    is_compiled = quickest() is not kernel(compiled=False)
    day = timezone.now().date().isoformat()
    return Circumstances(_version(), day, processes, python_version(), is_compiled, DIGEST)


def _version() -> str:
    """The version of this program, installed or in a clone."""
    clone = Path(games.__file__).resolve().parents[1] / "pyproject.toml"
    if not clone.exists():
        return metadata.version("ginleague")
    version: str = tomllib.loads(clone.read_text(encoding="utf-8"))["project"]["version"]
    return version


def _players(text: str | None, known: Mapping[str, Strategy], *, field: bool, levels: bool) -> list[HouseBot]:
    """The bots to play, with `levels` each at all of its levels; refuses unknown ones with `GameError`."""
    if text is None:
        return [
            bot
            for strategy in _offered(known, field=field)
            for bot in (every_level(strategy) if levels else [HouseBot.of(strategy)])
        ]
    players = [_player(part.strip(), known) for part in text.split(",")]
    if field:
        named_already = {bot.strategy.name for bot in players}
        players += [HouseBot.of(each) for name, each in FIELD.items() if name not in named_already]
    return players


def _player(text: str, known: Mapping[str, Strategy]) -> HouseBot:
    name, colon, level = text.partition(":")
    number: Any = int(level) if re.fullmatch(r"[0-9]{1,9}", level) else level
    return HouseBot.of(named(name, known), number if colon else None)


def _listed(bot: HouseBot, rating: BotRating | None) -> dict[str, Any]:
    return {
        "bot": label(bot),
        **bot.to_document(),
        "is_default": bot.level == bot.strategy.default_level,
        "sentence": translated(bot.strategy.sentence),
        "rating": None if rating is None else shown(rating.mu),
        "spread": None if rating is None else shown_spread(rating.sigma),
        "games": 0 if rating is None else rating.games,
    }


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        _("%(bot)s (default)") % row if row["level"] is not None and row["is_default"] else row["bot"],
        row["sentence"],
        "" if row["samples"] is None else str(row["samples"]),
        "" if row["rating"] is None else f"{row['rating']} ± {row['spread']}",
        str(row["games"] or ""),
    )
