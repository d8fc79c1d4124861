"""The agent `chat:MODEL` describes the table to a language model in words, and reads the action in its answer.

If an answer cannot be used, the model is told the reason and answers again, at most `tries` times in total; then the
player checks, or folds to a bet. A call that fails (HTTP 429 or 500, a cut connection, silence) is repeated after a
pause. If this fails too, the match ends with an error and can be resumed: a server that is down says nothing about how
a model plays. All events are counted by name in `talk_counts`, and every prompt and answer is in the journal.

>>> chat_agent("llama3:8b?memory=hand").settings.memory
'hand'
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View
from pokerlab.net.chat.client import CallFailed, Completion, complete, hide
from pokerlab.net.chat.journal import LEDGER_FILE, ChatJournal, ChatLedger, Spent
from pokerlab.net.chat.replies import Reply, UnusableReply, passive, read_part, read_reply
from pokerlab.net.chat.settings import KEY, PLACE_FILE, SCHEME, URL, ChatPlace, ChatSettings
from pokerlab.net.chat.wording import MOST_NOTES, Prompts, hand_words, template_files

CALL_TRIES = 6
"""Calls for one answer before a match ends with an error."""

PAUSE_SECONDS = 0.5
"""Half of the pause before the second call for an answer; it doubles with every further call, up to `MOST_PAUSE`."""

MOST_PAUSE = 30.0
MOST_HANDS = 5
"""Maximum number of finished hands that a prompt with notes describes: the latest since the last decision."""

Message = dict[str, str]


class Asked(Protocol):
    """Interface for getting an answer to a request: over HTTP, or from a stand-in that costs nothing."""

    def __call__(self, url: str, body: Mapping[str, Any], *, key: str, seconds: float) -> Completion: ...


def chat_agent(rest: str) -> ChatAgent:
    """Make the agent `chat:rest`; it makes no call before its first decision."""
    settings = ChatSettings.of_name(rest)
    return (NotingChatAgent if settings.memory == "notes" else ChatAgent)(settings, name=f"{SCHEME}{rest}")


def chat_files(rest: str) -> tuple[Path, ...]:
    """The files with the prompt templates of `chat:rest`, including the lab's own."""
    return tuple(template_files(ChatSettings.of_name(rest).prompts).values())


class ChatAgent:
    """A language model at the table."""

    def __init__(
        self, settings: ChatSettings, *, name: str = "", ask: Asked = complete, place: ChatPlace | None = None
    ) -> None:
        self.settings, self._name, self._ask = settings, name or f"{SCHEME}{settings.model}", ask
        self._prompts = Prompts(settings.prompts)
        self._place = ChatPlace.of_options() if place is None else place
        self._journal, self._ledger = ChatJournal(), ChatLedger(None, self._place.budget)
        self._wait: float | None = None  # seconds that the server wants us to wait
        self._labels: dict[str, str] = {}
        self._hand, self._said = -1, list[Message]()  # the messages of the hand so far, with memory of the hand
        self.talk_counts: Counter[str] = Counter()
        self.said: list[dict[str, Any]] = []  # in the last hand: the questions, the answers, and how they were read

    def keep_talk(self, path: Path) -> None:
        """Write every prompt and answer to `path`.chat.jsonl, and reuse the answers already there. The server's address
        and the budget come from a file in the same folder, which also has the ledger shared by all players of a run."""
        self._place = ChatPlace.read(path.parent / PLACE_FILE)
        self._ledger = ChatLedger(path.parent / LEDGER_FILE, self._place.budget)
        self._journal.keep(path.with_name(f"{path.name}.chat.jsonl"))

    def end_talk(self) -> None:
        """Do nothing, since every answer was written when it arrived."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Describe the table to the model in words, and return the action that it chooses."""
        self._label(view)
        self.talk_counts["decisions"] += 1
        question = {"role": "user", "content": self._prompts.decision(view, self._labels, self._session())}
        first = {"role": "system", "content": self._prompts.system(view.rules, notes=self.settings.memory == "notes")}
        messages, rejected = [first, *self._earlier(view), question], list[dict[str, str]]()
        for _ in range(self.settings.tries):
            text = self._answer(messages, view)
            try:
                reply = read_reply(text, view)
            except UnusableReply as error:
                self.talk_counts[f"asked again: {error.kind}"] += 1
                again = {"role": "user", "content": self._prompts.again(view, str(error))}
                messages = [*messages, {"role": "assistant", "content": text}, again]
                rejected.append({"answer": read_part(text), "unusable": error.kind, "again": again["content"]})
            else:
                self._take(reply, question, text)
                said = {"answer": read_part(text), "unusable": "", "rejected": rejected}
                self._note(view, question, ", ".join(f"repaired: {repair}" for repair in reply.repairs), said)
                return reply.action
        action, word = passive(view)
        self.talk_counts[f"gave up: {word}"] += 1
        *before, last = rejected
        said = {"answer": last["answer"], "unusable": last["unusable"], "rejected": before}
        self._note(view, question, f"gave up: {word}", said)
        self._said += [question, {"role": "assistant", "content": f'{{"action": "{word.removesuffix("ed")}"}}'}]
        return action

    def _take(self, reply: Reply, question: Message, text: str) -> None:
        for repair in reply.repairs:
            self.talk_counts[f"repaired: {repair}"] += 1
        self._said += [question, {"role": "assistant", "content": text}]

    def _note(self, view: View, question: Message, note: str, said: Mapping[str, Any]) -> None:
        """Store the answers to a decision, to be recorded with its hand (`games.history.SAID`)."""
        self.said = [each for each in self.said if each["hand"] == view.hand]
        about = {"hand": view.hand, "step": len(view.actions), "asked": question["content"], "note": note}
        self.said.append({**about, **said})

    def _earlier(self, view: View) -> list[Message]:
        """Messages of the hand so far, if the player remembers them."""
        if view.hand != self._hand:
            self._hand, self._said = view.hand, []
        return self._said if self.settings.memory == "hand" else []

    def _session(self) -> str:
        """Part of a prompt about earlier hands."""
        return ""

    def _label(self, view: View) -> None:
        """Give each player a label for prompts: Hero, and Villain for the others in their order around the table."""
        n = view.rules.n_seats
        for step in range(n):
            name = view.names[(view.seat + step) % n]
            if name not in self._labels:
                others = len(self._labels)
                self._labels[name] = "Hero" if not others else "Villain" if n == 2 else f"Villain {others}"

    # --- calls --------------------------------------------------------------------------------------------------------

    def _answer(self, messages: list[Message], view: View) -> str:
        """Answer to messages, from the journal if it is there, otherwise from the server."""
        body = self.settings.body(messages)
        place = self._journal.place(body)
        for call in list(self._journal.calls(place)):  # including calls that failed before the run was resumed
            self._count(call)
            if "answer" in call:
                return str(call["answer"])
        for failed in range(CALL_TRIES):
            if failed:
                time.sleep(min(PAUSE_SECONDS * 2**failed if self._wait is None else self._wait, MOST_PAUSE))
            call = self._call(body, view)
            self._journal.add(place, call)
            self._count(call)
            if "answer" in call:
                return str(call["answer"])
        raise AgentError(
            f"hand {view.hand}: {self._name}: {CALL_TRIES} calls for one answer failed, the last with "
            f"{call['problem']!r}; the same command resumes"
        )

    def _call(self, body: Mapping[str, Any], view: View) -> dict[str, Any]:
        """Make one call within the budget. Return its entry in the journal."""
        if not self._place.url:
            raise PokerlabError(f"{self._name} needs a server: --chat-url http://HOST:PORT/v1, or {URL}")
        key, model = _key(), self.settings.model
        most_prompt = sum(len(each["content"].encode()) + 16 for each in body["messages"])  # a token has a byte or more
        most_answer = self.settings.answer_tokens
        money = self._place.money(model, most_prompt, most_answer)
        reserved = self._ledger.reserve(tokens=most_prompt + most_answer, seconds=self.settings.seconds, money=money)
        began = time.monotonic()
        about = {"hand": view.hand, "street": view.street, "seat": view.seat, "url": self._place.url, "request": body}
        try:
            done = self._ask(self._place.url, body, key=key, seconds=0.95 * reserved.seconds)
        except CallFailed as error:
            seconds, self._wait = time.monotonic() - began, error.wait
            cost = reserved if error.may_cost else Spent()
            self._ledger.settle(reserved, Spent(1, cost.tokens, seconds, cost.money))
            return {**about, "problem": error.kind, "seconds": round(seconds, 3)}
        except PokerlabError as error:  # it was refused, and costs nothing
            self._ledger.settle(reserved, Spent(1, seconds=time.monotonic() - began))
            raise AgentError(f"hand {view.hand}: {self._name}: {hide(str(error), key)}") from None
        seconds = time.monotonic() - began
        n_prompt = most_prompt if done.prompt_tokens is None else done.prompt_tokens
        n_answer = most_answer if done.answer_tokens is None else done.answer_tokens
        money = self._place.money(model, n_prompt, n_answer)
        self._ledger.settle(reserved, Spent(1, n_prompt + n_answer, seconds, money))
        counted = {"prompt_tokens": n_prompt, "answer_tokens": n_answer, "seconds": round(seconds, 3)}
        answer = hide(done.text, key)
        return {**about, "answer": answer, "finish": hide(done.finish, key), **counted, **_read(answer, view)}

    def _count(self, call: Mapping[str, Any]) -> None:
        self.talk_counts["calls"] += 1
        if "problem" in call:
            self.talk_counts[f"failed: {call['problem']}"] += 1
            return
        for name in ("prompt_tokens", "answer_tokens"):
            self.talk_counts[name.replace("_", " ")] += call[name]
        if call["finish"] == "length":
            self.talk_counts["cut at the limit of tokens"] += 1


def _key() -> str:
    """The key; '' if there is none. A key that is invalid in an HTTP header is refused here, because http.client would
    print it."""
    key = os.environ.get(KEY, "").strip()
    if not re.fullmatch("[!-~]*", key):
        raise PokerlabError(f"{KEY} has a space or another character that a key cannot have")
    return key


def _read(answer: str, view: View) -> dict[str, Any]:
    """Journal entry for an answer: the action read from it, or why it is unusable."""
    try:
        reply = read_reply(answer, view)
    except UnusableReply as error:
        return {"unusable": error.kind, "because": str(error)}
    return {"action": str(reply.action), "repairs": list(reply.repairs)}


class NotingChatAgent(ChatAgent):
    """A model that keeps notes over the match and sees how hands ended."""

    _notes = ""

    def __init__(self, settings: ChatSettings, **how: Any) -> None:
        super().__init__(settings, **how)
        self._ended: list[str] = []

    def observe(self, hand: HandHistory) -> None:
        """Remember the end of the hand, as our seat saw it, for the next prompt."""
        if set(hand.names) <= set(self._labels):  # otherwise we have never acted
            self._ended = [*self._ended, hand_words(hand, self._labels)][-MOST_HANDS:]

    def _session(self) -> str:
        notes = f"Your notes: {self._notes or 'none'}"
        return "\n\n".join([*self._ended, notes]) + "\n"

    def _take(self, reply: Reply, question: Message, text: str) -> None:
        super()._take(reply, question, text)
        self._ended = []
        if reply.notes is not None:
            if len(reply.notes) > MOST_NOTES:
                self.talk_counts["notes cut"] += 1
            self._notes = reply.notes[:MOST_NOTES]
