"""A server of the chat-completions protocol that plays `rulebot` from the text of the prompt alone, and misbehaves."""

import json
import re
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.views import PublicView
from pokerlab.players.registry import agent

RULEBOT, RNG = agent("rulebot"), np.random.default_rng(0)
STREET = re.compile(r"^(?:pre-flop|flop|turn|river|street \d+)(?: \[.*\])?: (.*)$", re.M)


def table_of(messages):
    """The view that a prompt describes, from its text alone."""
    text = next(each["content"] for each in reversed(messages) if "Game: " in each["content"])
    text = text[text.index("Game: ") :]  # before it are notes and earlier hands
    (name,) = re.findall("^Game: (.*)$", text, re.M)
    (hand,) = re.findall("^Hand: (.*)$", text, re.M)
    (hole,) = re.findall("^Your cards: (.*)$", text, re.M)
    (board,) = re.findall("^Board: (.*)$", text, re.M)
    seats = re.findall(r"^Seat \d+: (Hero|Villain(?: \d)?)", text, re.M)
    rules = game(name)
    betting = Betting.start(rules)
    for line in STREET.findall(text):
        for said in line.split(", "):
            who, verb, to = re.fullmatch(
                r"(Hero|Villain(?: \d)?) (folds|checks|calls|bets|raises to) ?(\d*)(?: and is all-in)?", said
            ).groups()
            assert seats[betting.actor] == who
            betting = betting.after(
                {"folds": FOLD, "checks": CALL, "calls": CALL}.get(verb) or RaiseTo(int(to)),
            )
    dealt = () if board == "none" else cards(board)
    up = ((),) * rules.n_seats
    public = PublicView(rules, int(hand), tuple(seats), dealt, up, betting.steps, betting)
    return public.seen_by(seats.index("Hero"), cards(hole))


def rulebot_says(messages):
    """The answer of `rulebot`."""
    action = RULEBOT.act(table_of(messages), RNG)
    words = {"action": action.kind.name.lower()}
    return json.dumps({**words, "to": action.to} if action.kind is Kind.RAISE else words)


class Model:
    """Decides what the server does with each request. `says(n, messages)` returns the text of an answer, or a fault:
    a status with headers (and a body), "cut", "silence", "drip" or raw bytes of a response. `n` counts from 0."""

    def __init__(self, says=None):
        self.says = says or (lambda n, messages: rulebot_says(messages))
        self.asked, self.answered, self.headers = [], [], []
        self.lock = threading.Lock()
        self.usage = True
        self.hold_from, self.held, self.go_on = None, threading.Semaphore(0), threading.Event()

    def __len__(self):
        return len(self.asked)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        model = self.server.model
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with model.lock:
            n = len(model.asked)
            model.asked.append((self.path, body))
            model.headers.append(dict(self.headers))
            said = model.says(n, body["messages"])
        if model.hold_from is not None and n >= model.hold_from:
            model.held.release()
            model.go_on.wait()
            return
        with suppress(OSError):
            self.reply(said, body, model)

    def reply(self, said, body, model):
        if isinstance(said, tuple):
            status, headers, *rest = said
            content = rest[0] if rest else b'{"error": "x"}'
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            return
        if said == "silence":
            time.sleep(1.5)
            return
        message = {"role": "assistant", "content": said}
        data = {"choices": [{"message": message, "finish_reason": "stop"}]}
        if model.usage:
            words = sum(len(each["content"].split()) for each in body["messages"])
            data["usage"] = {"prompt_tokens": words, "completion_tokens": len(str(said).split())}
        content = said if isinstance(said, bytes) else json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if said == "cut":
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            self.connection.close()
        elif said == "drip":
            for _ in range(30):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.1)
        else:
            self.wfile.write(content)
            with model.lock:
                model.answered.append(json.dumps(body))


@contextmanager
def serving(model):
    """The address of a server with this model."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.model = model
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        model.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
