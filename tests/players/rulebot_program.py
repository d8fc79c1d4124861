"""A program that plays `rulebot` from the lines of `cmd:`; the tests seat it, and the match must be rulebot's own."""

import json
import sys

import numpy as np

from pokerlab.cards.card import card
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.views import PublicView
from pokerlab.players.registry import agent

rulebot, rng = agent("rulebot"), np.random.default_rng(0)


def answer(data):
    rules = game(data["game"]["name"])
    betting = Betting.start(rules)
    for taken in data["actions"]:
        action = {"fold": FOLD, "call": CALL}.get(taken["action"]) or RaiseTo(taken["to"])
        betting = betting.after(action)
    board, up = tuple(map(card, data["board"])), ((),) * rules.n_seats
    public = PublicView(rules, data["hand"], tuple(data["names"]), board, up, betting.steps, betting)
    action = rulebot.act(public.seen_by(data["seat"], tuple(map(card, data["hole"]))), rng)
    return str(action)


if __name__ == "__main__":
    for line in sys.stdin:
        data = json.loads(line)
        print("{}" if data["type"] == "hello" else answer(data), flush=True)
