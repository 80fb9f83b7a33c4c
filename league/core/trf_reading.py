"""Reads FIDE's Tournament Report File from bytes to checked results: no database.

Columns and letters are those of TRF16 (FIDE Handbook C.04, annex 2) and of the version of 2026, of which the
records 142 (rounds), 162 and 299 (points), 202 or 212 (tie-breaks), 250 (virtual points) and 260 (who is kept
apart) are read; of what pairing programs have agreed, XXR (rounds). All other records are passed over.
Problems are collected, each with its line and player.
"""

import datetime
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations
from typing import Final

from league.core.hand_files.problems import CellProblem, FileRefused, Problems
from league.core.trf import Virtual
from league.core.trf_letters import LETTERS, USUAL, TrfKind, Worth
from scoring.core.messages import Sentence, mark
from scoring.core.plain_text import is_plain

LARGEST_TRF: Final = 1_000_000  # bytes; a thousand players in eleven rounds are two hundred thousand
MOST_PLAYERS: Final = 2_000
MOST_ROUNDS: Final = 99

# Columns are told from 0 here, in the format from 1.
_NUMBER, _NAME, _FIDE_ID = slice(4, 8), slice(14, 47), slice(57, 68)
_POINTS, _RANK, _FIRST_GAME, _GAME = slice(80, 84), slice(85, 89), 91, 10
_ASSIGNED, _GIVEN, _ROUND, _WHO, _EACH = 4, slice(13, 17), slice(19, 22), 23, 5
_VIRTUAL: Final = re.compile(r"250 .{4} ([ \d.]{4}) ([ \d]{3}) ([ \d]{3}) ([ \d]{4}) ([ \d]{4})$")
_APART: Final = re.compile(r"260 ([ \d]{3}) ([ \d]{3})((?: [ \d]{4}){2,})$")
_RECORD: Final = re.compile(r"[0-9A-Za-z#]{3}(?= |$)")
_TEAMS: Final = frozenset({"013", "310"})
_LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class ReadGame:
    """What a player has for a round: the opponent's number (0: none), `w`, `b` or "", a capital letter.

    `points` are None where they are those of the letter.
    """

    opponent: int = 0
    colour: str = ""
    result: str = "Z"
    points: Decimal | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is written, or nothing was won without play."""
        return self.result == "Z"


@dataclass(frozen=True, slots=True)
class ReadPlayer:
    """A player, as line `line` has him; `fide_id` is "" and `rank` None where the columns are blank.

    A `bonus`, or a penalty below 0, belongs to no game.
    """

    line: int
    number: int
    name: str
    fide_id: str
    points: Decimal
    rank: int | None
    games: Sequence[ReadGame]
    bonus: Decimal = Decimal(0)

    @property
    def called(self) -> str:
        """Number and name."""
        return f"{self.number} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTournament:
    """A tournament of one file, whose results agree with one another and with the points.

    `worth` are the points of letters, of which record 299 may have given others. `dates` are those of rounds,
    None where unknown. `tie_breaks` are as written; "" if the file does not say. `apart` are those who
    were kept apart in all rounds.
    """

    name: str
    players: Sequence[ReadPlayer]
    rounds: int
    rounds_told: int | None
    dates: Sequence[datetime.date | None]
    worth: Worth
    meets_all: bool
    tie_breaks: str
    virtual: Sequence[Virtual]
    apart: Sequence[tuple[int, int]]

    def points_of(self, game: ReadGame) -> Decimal:
        """The points that a game, or a round without one, is worth."""
        return self.worth[LETTERS[game.result].symbol] if game.points is None else game.points


def read_trf(data: bytes) -> ReadTournament:
    """Read a file; refuses (`file_refused`) with every problem that it has, by line and player.

    Refused as well: a file that is too large, not text, of teams, without players.
    """
    return _Reader(_text(data)).read()


def _text(data: bytes) -> str:
    if len(data) > LARGEST_TRF:
        size = LARGEST_TRF // 1_000_000
        raise FileRefused([_whole(mark("The file is larger than %(size)d MB.", size=size))])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if any(not is_plain(part) for part in re.split("[\r\n\t\x1a]", text)):
        raise FileRefused([_whole(mark("This is not text in UTF-8 or Latin-1."))])
    return text.rstrip("\x1a")


def _whole(message: Sentence) -> CellProblem:
    return CellProblem(0, "", message)


@dataclass
class _Reader:
    """A file while it is read."""

    text: str
    problems: Problems = field(default_factory=lambda: Problems(by_line=True))
    name: str = ""
    told: dict[str, tuple[int, str]] = field(default_factory=dict)
    # Records of which there may be several.
    lists: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: {"250": [], "260": [], "299": []})
    players: list[ReadPlayer] = field(default_factory=list)

    def read(self) -> ReadTournament:
        for number, line in enumerate(re.split("\r\n|\r|\n", self.text), start=1):
            self._line(number, line.rstrip())
        if not self.players and not self.problems:
            self._add(0, "", mark("There is no player in it: no line begins with 001."))
        rounds_told = self._rounds_told()
        self._count_players()
        self._check_numbers()
        worth = self._worth()
        rounds = self._rounds(worth)
        players = self._assigned([_with_rounds(player, rounds) for player in self.players])
        self._check_games({player.number: player for player in players})
        self._check_byes(players)
        name = " ".join(self.told.get("012", (0, ""))[1].split())[:_LONGEST_NAME]
        if not name:
            self._add(0, "", mark("The tournament has no name: record 012."))
        read = ReadTournament(
            name=name,
            players=players,
            rounds=rounds,
            rounds_told=rounds_told,
            dates=self._dates(rounds),
            worth=worth,
            meets_all=self._meets_all(),
            tie_breaks=self._tie_breaks(),
            virtual=self._virtual(),
            apart=self._apart(rounds_told or rounds, {player.number for player in players}),
        )
        # Points are compared once each result is one.
        if not self.problems:
            for player in players:
                self._check_points(read, player)
        self.problems.refuse_if_any()
        return read

    def _add(self, line: int, who: str, message: Sentence) -> None:
        self.problems.add(line, who, message)

    def _line(self, number: int, line: str) -> None:
        if not line:
            return
        if _RECORD.match(line) is None:
            self._add(number, "", mark("A line begins with the three letters or figures of its record."))
            return
        record, text = line[:3].upper(), line[4:]
        if record in _TEAMS:
            self._add(
                number, "", mark("This is a tournament of teams; only those of players are taken over.")
            )
        elif record == "001":
            self._player(number, line)
        elif record in self.lists:
            self.lists[record].append((number, line))
        else:
            self.told.setdefault(record, (number, line if record in ("132", "162") else text))

    def _player(self, line: int, text: str) -> None:
        who = f"{text[_NUMBER].strip()} {text[_NAME].strip()}".strip()
        number = _whole_number(text[_NUMBER])
        points = _decimal(text[_POINTS])
        rank = _whole_number(text[_RANK])
        malformed = [
            name
            for name, is_wrong in (
                (mark("the start number (columns 5–8)"), not number),
                (mark("the name (columns 15–47)"), not text[_NAME].strip()),
                (mark("the points (columns 81–84)"), points is None),
                (mark("the rank (columns 86–89)"), rank is None and text[_RANK].strip() != ""),
                (
                    mark("a blank column between two figures"),
                    any(text[at : at + 1].strip() for at in _BLANKS),
                ),
                (mark("a tab in place of blanks"), "\t" in text),
            )
            if is_wrong
        ]
        for what in malformed:
            self._add(line, who, mark("This is malformed: %(what)s.", what=what))
        games = [
            self._game(line, who, round_, text[at : at + _GAME])
            for round_, at in enumerate(range(_FIRST_GAME, len(text), _GAME), start=1)
        ]
        if len(games) > MOST_ROUNDS:
            self._add(line, who, mark("These are more than %(most)d rounds.", most=MOST_ROUNDS))
        if len(self.players) == MOST_PLAYERS:
            self._add(line, who, mark("These are more than %(most)d players.", most=MOST_PLAYERS))
        if number and points is not None and not malformed and len(self.players) < MOST_PLAYERS:
            name, fide_id = " ".join(text[_NAME].split()), text[_FIDE_ID].strip()
            fide_id = "" if fide_id.strip("0") == "" else fide_id
            self.players.append(ReadPlayer(line, number, name, fide_id, points, rank, games))

    def _game(self, line: int, who: str, round_: int, text: str) -> ReadGame:
        text = text.ljust(_GAME)
        opponent = _whole_number(text[:4]) if text[:4].strip() else 0
        colour, result = text[5].strip().lower().replace("-", ""), text[7].strip().upper() or "Z"
        if opponent is None or colour not in ("", "w", "b") or (text[4] + text[6] + text[8:]).strip():
            self._add(
                line,
                who,
                mark(
                    "Round %(round)d is malformed: “%(text)s” is not an opponent, a colour and a result.",
                    round=round_,
                    text=" ".join(text.split()),
                ),
            )
            return ReadGame()
        if result not in LETTERS:
            self._add(
                line,
                who,
                mark("Round %(round)d has an unknown result: “%(result)s”.", round=round_, result=result),
            )
            return ReadGame(opponent, colour)
        is_alone = LETTERS[result].kind is TrfKind.ALONE
        if opponent and is_alone:
            self._add(
                line,
                who,
                mark(
                    "Round %(round)d has an opponent, %(opponent)d, and no result of a game.",
                    round=round_,
                    opponent=opponent,
                ),
            )
        elif not opponent and (not is_alone or colour):
            self._add(line, who, mark("Round %(round)d has a game and no opponent.", round=round_))
        return ReadGame(opponent, colour, result)

    def _rounds_told(self) -> int | None:
        """The number of rounds the file says; refuses two that differ, and players who have more."""
        said = [(line, _whole_number(text)) for line, text in map(self.told.get, ("142", "XXR"), _NOT_TOLD)]
        for line, rounds in said:
            if line and not rounds:
                self._add(line, "", mark("This is not a number of rounds."))
        numbers = [(line, rounds) for line, rounds in said if rounds]
        if len({rounds for _line, rounds in numbers}) > 1:
            self._add(numbers[1][0], "", mark("The file says two numbers of rounds."))
        if not numbers:
            return None
        told = numbers[0][1]
        for player in self.players:
            if len(_written(player.games)) > told:
                self._add(
                    player.line,
                    player.called,
                    mark(
                        "Round %(round)d has a result, and the file says that there are %(told)d rounds.",
                        round=len(_written(player.games)),
                        told=told,
                    ),
                )
        return told

    def _rounds(self, worth: Worth) -> int:
        """The number of rounds in which something is worth anything: others are still to come."""
        if worth["A"]:
            return max((len(player.games) for player in self.players), default=0)
        written = [len(_written(player.games)) for player in self.players]
        assigned = [
            _whole_number(text[_ROUND]) or 0 for _line, text in self.lists["299"] if text[_ASSIGNED].strip()
        ]
        return max([*written, *assigned], default=0)

    def _count_players(self) -> None:
        line, text = self.told.get("062", (0, ""))
        told = re.match(r"\s*(\d{1,6})", text)
        if told and int(told[1]) != len(self.players) and not self.problems:
            self._add(
                line,
                "",
                mark(
                    "The file says %(told)d players and has %(found)d.",
                    told=int(told[1]),
                    found=len(self.players),
                ),
            )

    def _check_numbers(self) -> None:
        first: dict[int, int] = {}
        for player in self.players:
            before = first.setdefault(player.number, player.line)
            if before != player.line:
                self._add(
                    player.line,
                    player.called,
                    mark(
                        "Line %(line)d has the start number %(number)d too.",
                        line=before,
                        number=player.number,
                    ),
                )

    def _check_games(self, players: Mapping[int, ReadPlayer]) -> None:
        for player in players.values():
            for round_, game in enumerate(player.games, start=1):
                if game.opponent and LETTERS[game.result].kind is not TrfKind.ALONE:
                    self._check_game(players, player, round_, game)

    def _check_game(
        self, players: Mapping[int, ReadPlayer], player: ReadPlayer, round_: int, game: ReadGame
    ) -> None:
        said = {"round": round_, "other": game.opponent}
        other = players.get(game.opponent)
        if other is None or other is player:
            self._add(
                player.line,
                player.called,
                mark("Round %(round)d: there is no opponent with the number %(other)d.", **said),
            )
            return
        against = other.games[round_ - 1]
        if against.opponent != player.number:
            self._add(
                player.line,
                player.called,
                mark(
                    "Round %(round)d is against %(other)d, whose line %(line)d has another opponent.",
                    **said,
                    line=other.line,
                ),
            )
        # Of what both sides say one line is enough.
        elif player.number < other.number and {game.colour, against.colour} not in _COLOURS:
            self._add(
                player.line,
                player.called,
                mark("Round %(round)d: the colours of both sides against %(other)d contradict.", **said),
            )
        elif player.number < other.number and against.result not in LETTERS[game.result].against:
            self._add(
                player.line,
                player.called,
                mark(
                    "Round %(round)d: the result against %(other)d, “%(own)s”, and “%(theirs)s” in line "
                    "%(line)d are not of one game.",
                    **said,
                    own=game.result,
                    theirs=against.result,
                    line=other.line,
                ),
            )

    def _check_byes(self, players: Sequence[ReadPlayer]) -> None:
        """TRF16: one bye of the draw in a round."""
        for round_ in range(len(players[0].games) if players else 0):
            alone = [player for player in players if player.games[round_].result == "U"]
            for player in alone[1:]:
                self._add(
                    player.line,
                    player.called,
                    mark("Round %(round)d has a second bye of the draw (U).", round=round_ + 1),
                )

    def _check_points(self, read: ReadTournament, player: ReadPlayer) -> None:
        made = sum((read.points_of(game) for game in player.games), player.bonus)
        if made != player.points:
            self._add(
                player.line,
                player.called,
                mark(
                    "The points are %(told)s, and the results make %(made)s.",
                    told=str(player.points),
                    made=str(made),
                ),
            )

    def _worth(self) -> Worth:
        line, text = self.told.get("162", (0, ""))
        told: dict[str, Decimal] = {}
        for at in range(5, len(text), 9):
            symbol, points = text[at : at + 1].upper(), _decimal(text[at + 1 : at + 5])
            if symbol.strip() and (symbol not in "WDLAPX" or points is None):
                self._add(line, "", mark("This is malformed: %(what)s.", what=mark("the points of a result")))
            elif points is not None:
                told[symbol] = points
        worth = {**USUAL, "P": told.get("W", USUAL["W"]), **told}
        if not worth["W"] >= worth["D"] >= worth["L"]:
            self._add(line, "", mark("Such points for a win, a draw and a loss are not counted."))
        return worth

    def _assigned(self, players: Sequence[ReadPlayer]) -> Sequence[ReadPlayer]:
        """Return the players with the points that record 299 gives them."""
        games = {player.number: list(player.games) for player in players}
        bonus = dict.fromkeys(games, Decimal(0))
        for line, text in self.lists["299"]:
            if not _assign(text, games, bonus):
                what = mark("points, for what result, in which round and whose")
                self._add(line, "", mark("This is malformed: %(what)s.", what=what))
        return [replace(player, games=games[player.number], bonus=bonus[player.number]) for player in players]

    def _virtual(self) -> list[Virtual]:
        """Return the virtual points of the players from the first to one, as pairing programs have them."""
        found = []
        for _line, text in self.lists["250"]:
            told = _VIRTUAL.match(text.ljust(31))
            points = _decimal(told[1]) if told else None
            first, last, one, to = map(_whole_number, told.groups()[1:]) if told else [None] * 4
            if points and first and last and one == 1 and to:
                found.append(Virtual(points, first, last, to))
        return found

    def _apart(self, rounds: int, numbers: Collection[int]) -> list[tuple[int, int]]:
        """Return the pairs of those who do not meet in any round."""
        pairs: list[tuple[int, int]] = []
        for _line, text in self.lists["260"]:
            if (told := _APART.match(text)) and told[1].strip() in ("1", "001"):
                who = [int(number) for number in told[3].split() if int(number) in numbers]
                if (_whole_number(told[2]) or rounds) >= rounds:
                    pairs += combinations(who, 2)
        return pairs

    def _dates(self, rounds: int) -> list[datetime.date | None]:
        """The dates of record 132; of a tournament of one day that day."""
        _line, text = self.told.get("132", (0, ""))
        days = [
            _day(text[at : at + 8], "%y/%m/%d") for at in range(_FIRST_GAME, _FIRST_GAME + 10 * rounds, 10)
        ]
        first, last = (
            _day(self.told.get(record, (0, ""))[1].strip(), "%Y/%m/%d") for record in ("042", "052")
        )
        return [day or (first if first == last else None) for day in days]

    def _meets_all(self) -> bool:
        said = " ".join(self.told.get(record, (0, ""))[1] for record in ("092", "192"))
        return "roundrobin" in re.sub("[^a-z]", "", said.lower())

    def _tie_breaks(self) -> str:
        if "212" in self.told:
            return self.told["212"][1].strip()
        return f"PTS,{self.told['202'][1].strip()}" if "202" in self.told else ""


_COLOURS: Final = ({"w", "b"}, {""})
_NOT_TOLD: Final = ((0, ""), (0, ""))
# Between the number, the name, the points, the rank and the first round.
_BLANKS: Final = (3, 8, 13, 47, 79, 84, 89, 90)


def _assign(text: str, games: Mapping[int, list[ReadGame]], bonus: dict[int, Decimal]) -> bool:
    """Give the points of a line of record 299, in one round or all, to those named or all.

    False if it is malformed, or somebody named has no such result.
    """
    assigned, points = text[_ASSIGNED : _ASSIGNED + 1].upper().strip(), _decimal(text[_GIVEN])
    round_ = _whole_number(text[_ROUND].strip() or "0")
    who = [
        _whole_number(text[at : at + 4])
        for at in range(_WHO, len(text), _EACH)
        if text[at : at + 4].strip("0 ")
    ]
    named = [number for number in who if number is not None and number in games]
    if points is None or round_ is None or len(named) < len(who):
        return False
    if not assigned:
        bonus.update({number: bonus[number] + points for number in named})
        return bool(named)
    for number in named or games:
        own = games[number]
        meant = [
            at
            for at, game in enumerate(own)
            if LETTERS[game.result].assigned == assigned and round_ in (0, at + 1)
        ]
        if named and not meant:
            return False
        for at in meant:
            own[at] = replace(own[at], points=points)
    return any(letter.assigned == assigned for letter in LETTERS.values())


def _written(games: Sequence[ReadGame]) -> Sequence[ReadGame]:
    """The games up to the last with a result."""
    last = max(
        (at for at, game in enumerate(games, start=1) if not game.is_nothing or game.opponent), default=0
    )
    return games[:last]


def _with_rounds(player: ReadPlayer, rounds: int) -> ReadPlayer:
    """The player with just so many rounds."""
    games = [*player.games[:rounds], *[ReadGame()] * (rounds - len(player.games))]
    return replace(player, games=games)


def _whole_number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else None


def _decimal(text: str) -> Decimal | None:
    text = text.strip().replace(",", ".")
    return Decimal(text) if re.fullmatch(r"-?\d{1,3}(\.\d)?", text, re.ASCII) else None


def _day(text: str, form: str) -> datetime.date | None:
    try:
        return datetime.datetime.strptime(text, form).date()  # noqa: DTZ007
    except ValueError:
        return None
