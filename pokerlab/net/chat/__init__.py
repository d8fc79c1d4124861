"""Language models as players, `chat:MODEL`: any server that speaks the chat-completions protocol.

- `settings.py`: the settings in a name, the budget and the prices of a run.
- `wording.py`: rules, table and history in words, and the templates of `prompts/` that they fill.
- `replies.py`: the action in an answer: strict reading, then named repairs.
- `client.py`: one call over HTTP, with a strict time limit.
- `journal.py`: every prompt and answer in a file as it comes, and a ledger of what was spent, shared by processes.
- `player.py`: the agent.
- `estimate.py`: calls and tokens of a run, before the first is paid for.
"""
