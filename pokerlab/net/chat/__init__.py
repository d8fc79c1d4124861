"""Language models as players, `chat:MODEL`, on any server with the chat-completions protocol.

- `settings.py`: settings in an agent's name, and the budget and prices of a run.
- `wording.py`: rules, table and history in words, and the templates of `prompts/` that they fill.
- `replies.py`: find the action in an answer, first by strict reading, then by named repairs.
- `client.py`: one call over HTTP, with a strict time limit.
- `journal.py`: saves every prompt and answer as it occurs; and a ledger of the costs, shared by processes.
- `player.py`: the agent.
- `estimate.py`: estimates the calls and tokens of a run before the first is paid for.
"""
