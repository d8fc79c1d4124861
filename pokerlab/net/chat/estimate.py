"""Estimate the calls and tokens of language models in a run, from a few hands with a stand-in for the model.

The stand-in never folds or raises, so its hands are long; a model that folds more needs fewer calls. Prompts are
estimated as one token per four characters, answers by their maximum number of tokens, and time by the limit of every
call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from pokerlab.games.protocols import Agent
from pokerlab.games.rules import Rules
from pokerlab.net.chat.client import Completion
from pokerlab.net.chat.player import ChatAgent, NotingChatAgent
from pokerlab.net.chat.settings import AMOUNTS, ChatPlace, TokensField, chat_models
from pokerlab.runs.workers import attribute
from pokerlab.table.match import MatchPlan, play_match

HANDS = 20
CHARACTERS_PER_TOKEN = 4
_ANSWER = '{"action": "call"}'


def _calls(url: str, body: Mapping[str, Any], *, key: str, seconds: float) -> Completion:
    """Answer every request with the action `call`, without a server."""
    n = sum(len(message["content"]) for message in body["messages"])
    most = next(body[name] for name in get_args(TokensField) if name in body)
    return Completion(_ANSWER, "stop", n // CHARACTERS_PER_TOKEN, int(most))


def stand_in(name: str, *, alone: bool = False) -> ChatAgent:
    """Make a player that writes the prompts of `chat:MODEL` and always takes the action `call`, without a server; with
    `alone`, prompts omit the messages and hands before a decision."""
    settings = chat_models([name])[name]
    if alone and settings.memory == "hand":
        settings = replace(settings, memory="none")
    kind = NotingChatAgent if settings.memory == "notes" and not alone else ChatAgent
    return kind(settings, name=name, ask=_calls, place=ChatPlace("http://nowhere"))


@dataclass(frozen=True)
class ChatEstimate:
    """Estimated calls, tokens, maximum seconds and price of a run, by agent."""

    by_agent: Mapping[str, Mapping[str, float]]
    place: ChatPlace

    def total(self, name: str) -> float:
        """The total of an amount over all agents: calls, tokens or money."""
        return sum(amounts[name] for amounts in self.by_agent.values())

    def words(self) -> str:
        """The estimate and the budget as one line."""
        parts = []
        for agent, amounts in self.by_agent.items():
            price = f", money {amounts['money']:,.2f}" if amounts["money"] else ""
            parts.append(
                f"{agent}: about {amounts['calls']:,.0f} calls, {amounts['prompt tokens']:,.0f} tokens of prompts, at "
                f"most {amounts['answer tokens']:,.0f} of answers, at most {amounts['seconds']:,.0f} seconds{price}"
            )
        return f"{'; '.join(parts)}; budget: {self.place.budget}{self._stops()}"

    def _stops(self) -> str:
        """Text on which part of the budget would stop the run. The limit in seconds may not, since calls seldom take
        all of their time."""
        short = [name for name in AMOUNTS if self.total(name) > getattr(self.place.budget, name)]
        sure = [name for name in short if name != "seconds"]
        stops = f"; it would stop at the budget of {sure[0]}" if sure else ""
        if "seconds" in short:
            mean = self.place.budget.seconds / self.total("calls")
            stops += f"; it would stop at the budget of seconds if a call took more than {mean:.2g} s on average"
        return stops

    def data(self) -> dict[str, Any]:
        """The estimate as JSON values."""
        return {agent: dict(amounts) for agent, amounts in self.by_agent.items()}


def chat_estimate(plans: Sequence[MatchPlan], place: ChatPlace, *, make: str) -> ChatEstimate:
    """Play a few hands at every table with stand-ins, and scale their calls and tokens to the whole run."""
    totals: dict[str, Counter[str]] = {}
    tables: dict[tuple[str, ...], int] = Counter()
    for plan in plans:
        tables[plan.entrants] += plan.hands
    for plan in {plan.entrants: plan for plan in plans}.values():
        for name, counts in _sample(plan, make).items():
            share = tables[plan.entrants] / min(HANDS, plan.hands)
            totals.setdefault(name, Counter()).update({what: n * share for what, n in counts.items()})
    return _estimate(totals, place)


def spots_estimate(names: Sequence[str], game: str | Rules, spots: int, place: ChatPlace) -> ChatEstimate:
    """Estimate the cost of querying each model at single decisions of a game for two, from the mean prompt over a few
    hands in which two stand-ins call everything."""
    totals: dict[str, Counter[str]] = {}
    for name in chat_models(names):
        counts = _alone(name, game)
        totals[name] = Counter()
        totals[name].update({what: n * spots / counts["calls"] for what, n in counts.items()})
    return _estimate(totals, place)


def _alone(name: str, game: str | Rules) -> Counter[str]:
    """The `talk_counts` of a model that plays both seats of a few hands, if every decision is a separate
    conversation."""
    players: list[ChatAgent] = []

    def make(entrant: str) -> Agent:
        players.append(stand_in(entrant, alone=True))
        return players[-1]

    play_match(MatchPlan(game, (name, name), hands=HANDS, seed=7), make)
    return players[0].talk_counts + players[1].talk_counts


def _estimate(totals: Mapping[str, Counter[str]], place: ChatPlace) -> ChatEstimate:
    models, by_agent = chat_models(list(totals)), {}
    for name, counted in totals.items():
        amounts = {what: float(counted[what]) for what in ("calls", "prompt tokens", "answer tokens")}
        amounts["tokens"] = amounts["prompt tokens"] + amounts["answer tokens"]
        amounts["seconds"] = amounts["calls"] * models[name].seconds
        amounts["money"] = place.money(models[name].model, amounts["prompt tokens"], amounts["answer tokens"])
        by_agent[name] = amounts
    return ChatEstimate(by_agent, place)


def _sample(plan: MatchPlan, make: str) -> dict[str, Counter[str]]:
    """The `talk_counts` of each model in a few hands of a match."""
    made: list[tuple[str, ChatAgent]] = []

    def maker(entrant: str) -> Agent:
        if not chat_models([entrant]):
            agent: Agent = attribute(make)(entrant)
            return agent
        made.append((entrant, stand_in(entrant)))
        return made[-1][1]

    play_match(replace(plan, hands=min(HANDS, plan.hands)), maker)
    counts: dict[str, Counter[str]] = {}
    for entrant, player in made:
        counts.setdefault(entrant, Counter()).update(player.talk_counts)
    return counts
