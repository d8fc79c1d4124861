"""Settings of `chat:MODEL`, and a run's connection to the server: its address, its budget and the prices of models.

Settings that may change an answer are in the agent's name, so that they belong to a run's identity:

>>> ChatSettings.of_name("llama3:8b?memory=hand&temperature=0.5").body([])["temperature"]
0.5
>>> ChatSettings.of_name("llama3?memry=hand")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: chat:llama3 has no setting 'memry'; did you mean memory?

A budget limits calls, tokens (of prompts and answers), seconds of waiting and money:

>>> ChatBudget.parse(["calls=1000", "tokens=2M", "money=2.50"])
ChatBudget(calls=1000, tokens=2000000, seconds=inf, money=2.5)
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any, Literal, get_args

from pokerlab.errors import FileError, PokerlabError, name_hint
from pokerlab.runs.processes import SECRETS

URL, BUDGET = "POKERLAB_CHAT_URL", "POKERLAB_CHAT_BUDGET"
KEY = SECRETS[0]
"""Environment variables: the server's address, the budget if no option gives it, and the key for the server."""

SCHEME = "chat:"
PLACE_FILE = "chat.json"
Memory = Literal["none", "hand", "notes"]
TokensField = Literal["max_tokens", "max_completion_tokens"]
_SIZES = {"k": 10**3, "M": 10**6, "G": 10**9}


@dataclass(frozen=True)
class ChatSettings:
    """Settings of a language model that plays poker."""

    model: str
    temperature: float | None = None  # None: the server's default
    # what the model remembers: nothing, its earlier decisions in the hand, or notes over the session
    memory: Memory = "none"
    prompts: str = ""  # folder with templates that replace the lab's
    answer_tokens: int = 500  # most tokens of an answer
    tokens_field: TokensField = "max_tokens"  # the field of the protocol for `answer_tokens`
    tries: int = 3  # answers requested before the player checks or folds
    seconds: float = 60.0  # time limit of a call

    @classmethod
    def of_name(cls, rest: str) -> ChatSettings:
        """Parse the settings in `chat:rest`, such as `MODEL?memory=hand&temperature=0`."""
        model, _, query = rest.partition("?")
        if not model:
            raise PokerlabError("chat alone is not an agent: write chat:MODEL[?SETTINGS]")
        given: dict[str, Any] = {}
        for item in filter(None, query.split("&")):
            name, _, text = item.partition("=")
            if name not in SETTINGS:
                raise PokerlabError(f"chat:{model} has no setting {name!r}; {name_hint(name, SETTINGS)}")
            given[name] = _value(f"{name} of chat:{model}", name, text)
        return cls(model, **given)

    def body(self, messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        """Request to send to the server. It is the key of stored answers, so it contains everything that may change an
        answer."""
        asked: dict[str, Any] = {"model": self.model, "messages": list(messages), self.tokens_field: self.answer_tokens}
        return asked if self.temperature is None else {**asked, "temperature": self.temperature}


SETTINGS = tuple(each.name for each in fields(ChatSettings) if each.name != "model")
"""Names of the settings that may follow a model's name; the registry has their meanings."""


def _value(what: str, name: str, text: str) -> Any:
    choices = {"memory": get_args(Memory), "tokens_field": get_args(TokensField)}.get(name)
    if choices is not None:
        if text not in choices:
            raise PokerlabError(f"{what} is one of {', '.join(choices)}, not {text!r}")
        return text
    if name == "prompts":
        return text
    most, least = {"temperature": (2, 0), "answer_tokens": (10**6, 1), "tries": (20, 1), "seconds": (3600, 1)}[name]
    number = _number(text)
    if number is None or not least <= number <= most or (name in ("answer_tokens", "tries") and number % 1):
        raise PokerlabError(f"{what} is a number from {least} to {most}, not {text!r}")
    return float(number) if name in ("temperature", "seconds") else int(number)


def _number(text: str) -> Fraction | None:
    """Parse a number such as 2.50, 500k or 2M."""
    found = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?)([kMG]?)", text.strip())
    return None if found is None else Fraction(found[1]) * _SIZES.get(found[2], 1)


@dataclass(frozen=True)
class ChatBudget:
    """The most that a run may spend; a call that could exceed it is not made."""

    calls: float = inf
    tokens: float = inf
    seconds: float = inf
    money: float = inf

    @classmethod
    def parse(cls, items: Sequence[str]) -> ChatBudget:
        """Parse a budget from items such as `calls=500`."""
        given: dict[str, float] = {}
        for item in items:
            name, _, text = item.partition("=")
            number = _number(text)
            if name not in AMOUNTS or number is None:
                raise PokerlabError(f"{item!r} is no budget: it is written calls=500,tokens=2M,seconds=3600,money=5")
            given[name] = float(number) if number % 1 else int(number)
        return cls(**given)

    def __str__(self) -> str:
        limits = {name: getattr(self, name) for name in AMOUNTS if getattr(self, name) != inf}
        return ", ".join(f"{name} {limit:,}" for name, limit in limits.items()) or "none"


AMOUNTS = tuple(each.name for each in fields(ChatBudget))


@dataclass(frozen=True)
class ChatPlace:
    """The server's address, the budget and the prices. They are not part of a run's identity, and never contain
    a key."""

    url: str = ""
    budget: ChatBudget = field(default_factory=ChatBudget)
    # for each model, the price of a million tokens of prompts, and of answers
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of_options(
        cls, url: str | None = None, budget: Sequence[str] | None = None, prices: Sequence[str] = ()
    ) -> ChatPlace:
        """Make it from options; a missing address or budget is taken from the environment."""
        if budget is None:
            budget = [item for item in os.environ.get(BUDGET, "").split(",") if item]
        url = (os.environ.get(URL, "") if url is None else url).rstrip("/")
        if url and not re.fullmatch(r"https?://[^/\s@?#]+(/[^\s?#]*)?", url):
            raise PokerlabError(f"{url!r} is not the address of a server: it is written http://HOST:PORT/v1")
        return cls(url, ChatBudget.parse(budget), dict(map(_price, prices)))

    def check(self, models: Sequence[str]) -> None:
        """Refuse a budget of money for models without a price."""
        missing = [model for model in models if model not in self.prices]
        if self.budget.money != inf and missing:
            raise PokerlabError(f"a budget of money needs the price of {missing[0]}: --chat-prices {missing[0]}=IN/OUT")

    def money(self, model: str, prompt_tokens: float, answer_tokens: float) -> float:
        """The price of a call; 0 for a model without a price."""
        of_prompt, of_answer = self.prices.get(model, (0.0, 0.0))
        return (prompt_tokens * of_prompt + answer_tokens * of_answer) / 1e6

    def content(self) -> bytes:
        """Content of the file `PLACE_FILE`."""
        budget = {name: limit for name, limit in asdict(self.budget).items() if limit != inf}
        data = {"url": self.url, "budget": budget, "prices": {name: list(each) for name, each in self.prices.items()}}
        return (json.dumps(data, indent=2) + "\n").encode()

    @classmethod
    def read(cls, path: Path) -> ChatPlace:
        """Read the file written with `content`; if it is missing, use the environment."""
        if not path.is_file():
            return cls.of_options()
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            prices = {name: (float(first), float(second)) for name, (first, second) in data["prices"].items()}
            budget = dict(data["budget"])
            if not all(type(number) in (int, float) and 0 <= number < inf for number in budget.values()):
                raise ValueError("a budget is made of numbers")
            if not all(0 <= number < inf for both in prices.values() for number in both):
                raise ValueError("a price is a number")
            return replace(cls.of_options(str(data["url"]), []), budget=ChatBudget(**budget), prices=prices)
        except (
            PokerlabError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            OverflowError,
            RecursionError,
        ) as error:
            raise FileError(f"{path} is damaged; remove it, and the same command writes it again") from error


def _price(item: str) -> tuple[str, tuple[float, float]]:
    model, _, text = item.rpartition("=")
    prices = [_number(part) for part in text.split("/")]
    if not model or len(prices) != 2 or None in prices:
        raise PokerlabError(f"{item!r} is no price: it is written MODEL=IN/OUT, money for a million tokens")
    return model, (float(prices[0] or 0), float(prices[1] or 0))


def chat_models(names: Sequence[str]) -> dict[str, ChatSettings]:
    """The settings of the agents `chat:MODEL` among `names`, by name.

    >>> list(chat_models(["caller", "chat:llama3"]))
    ['chat:llama3']
    """
    return {name: ChatSettings.of_name(name.removeprefix(SCHEME)) for name in names if name.startswith(SCHEME)}
