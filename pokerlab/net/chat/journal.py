"""Journal of a player's prompts and answers, and ledger of what a run has spent.

The journal is one line of JSON for each call, written as soon as it ends. A resumed run requests only answers that are
not in it, and anyone who has the run directory can replay the run without a key. Answers are looked up by a digest of
the request and its occurrence: how often the same request was made before in this match.

The ledger is shared by all processes of a run, which lock it. The maximum cost of a call is reserved before the call
and corrected afterwards, so that calls in progress, including those of a killed process, can never exceed the budget.

>>> ledger = ChatLedger(None, ChatBudget(calls=1))
>>> reserved = ledger.reserve(tokens=700, seconds=60, money=0)
>>> ledger.settle(reserved, Spent(tokens=420, seconds=1.5))
>>> ledger.reserve(tokens=700, seconds=60, money=0)
Traceback (most recent call last):
pokerlab.net.chat.journal.BudgetSpent: the budget of calls is spent: 1 of 1 used; ...
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.errors import PokerlabError
from pokerlab.files import json_of
from pokerlab.net.chat.settings import AMOUNTS, ChatBudget

LEAST_SECONDS = 1.0
LARGEST_AMOUNT = 1e15  #: in one entry of a ledger
"""No call is made if the budget has fewer seconds left than this."""

LEDGER_FILE = "ledger.jsonl"


class BudgetSpent(PokerlabError):  # noqa: N818 - it reads as what it is
    """Raised if the next call could exceed the budget."""


class Spent(NamedTuple):
    """Amounts spent: calls, tokens, seconds and money."""

    calls: float = 0
    tokens: float = 0
    seconds: float = 0
    money: float = 0


class ChatLedger:
    """The spending of all processes of a run, in an append-only file; in memory without a path."""

    def __init__(self, path: Path | None, budget: ChatBudget) -> None:
        self._path, self._budget = path, budget
        self._read, self.spent = 0, Spent()

    def reserve(self, *, tokens: float, seconds: float, money: float) -> Spent:
        """Reserve the maximum cost of a call; fewer seconds than requested may be granted. Raises `BudgetSpent`."""
        with self._locked() as file:
            left = {name: getattr(self._budget, name) - getattr(self.spent, name) for name in AMOUNTS}
            wanted = Spent(1, tokens, min(seconds, left["seconds"]), money)
            for name in AMOUNTS:
                if left[name] < (LEAST_SECONDS if name == "seconds" else getattr(wanted, name)):
                    used, limit = getattr(self.spent, name), getattr(self._budget, name)
                    rest = "" if used >= limit else f", and the next call may need {getattr(wanted, name):,.6g}"
                    raise BudgetSpent(
                        f"the budget of {name} is spent: {used:,.6g} of {limit:,.6g} used{rest}; with a larger "
                        "--chat-budget the same command resumes"
                    )
            self._add(file, wanted)
            return wanted

    def settle(self, reserved: Spent, actual: Spent) -> None:
        """Replace the amounts reserved for a call by its actual cost; the call itself still counts."""
        difference = Spent(0, *(now - before for now, before in zip(actual[1:], reserved[1:], strict=True)))
        with self._locked() as file:
            self._add(file, difference)

    def _add(self, file: int | None, amount: Spent) -> None:
        if file is None:
            self.spent = _sum(self.spent, amount)
            return
        line = (json.dumps(amount) + "\n").encode()
        os.write(file, line)
        self._catch_up(file)

    def _catch_up(self, file: int) -> None:
        """Add the amounts that were written since the last read."""
        text = os.pread(file, os.fstat(file).st_size - self._read, self._read)
        whole = text[: text.rfind(b"\n") + 1]
        for line in whole.splitlines():
            try:
                spent = Spent(*json_of(line))
                if not all(abs(getattr(spent, name)) <= LARGEST_AMOUNT for name in AMOUNTS):
                    raise ValueError(f"an amount of {line!r} is too large")
                self.spent = _sum(self.spent, spent)
            except (ValueError, TypeError):
                raise PokerlabError(f"{self._path} is damaged; the budget cannot be held") from None
        self._read += len(whole)

    @contextmanager
    def _locked(self) -> Iterator[int | None]:
        """Context with the file, locked and read up to its end."""
        if self._path is None:
            yield None
            return
        import fcntl

        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._catch_up(file)
            yield file
        finally:
            os.close(file)


def _sum(one: Spent, other: Spent) -> Spent:
    return Spent(*(a + b for a, b in zip(one, other, strict=True)))


class ChatJournal:
    """Calls of one player in one match; in memory until `keep` names a file."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._calls: dict[tuple[str, int], list[dict[str, Any]]] = {}
        self._occurrences: Counter[str] = Counter()

    def keep(self, path: Path) -> None:
        """Continue the journal in a file; drops an incomplete last line, which remains if its process was killed."""
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_bytes() if path.is_file() else b""
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            os.truncate(path, len(whole))  # no moment at which the answers before it are missing
        for line in whole.splitlines():
            try:
                entry = json_of(line)
                self._calls.setdefault((entry["key"], entry["occurrence"]), []).append(entry)
            except (ValueError, LookupError, TypeError):
                raise PokerlabError(f"{path} is damaged; remove it, and its answers will be requested again") from None

    def place(self, body: Mapping[str, Any]) -> tuple[str, int]:
        """Digest of a request, and its occurrence, which grows by one whenever the same request is made."""
        key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:32]
        self._occurrences[key] += 1
        return key, self._occurrences[key] - 1

    def calls(self, place: tuple[str, int]) -> list[dict[str, Any]]:
        """Calls made for a request: those that failed, then the one that was answered, if any."""
        return self._calls.get(place, [])

    def add(self, place: tuple[str, int], entry: Mapping[str, Any]) -> None:
        """Add a call to the journal."""
        whole = {"key": place[0], "occurrence": place[1], **entry}
        self._calls.setdefault(place, []).append(whole)
        if self._path is not None:
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                text = (json.dumps(whole, ensure_ascii=False) + "\n").encode(errors="replace")
                while text:
                    text = text[os.write(file, text) :]
            finally:
                os.close(file)
