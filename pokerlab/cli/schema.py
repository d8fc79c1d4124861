"""`pokerlab schema`: formats of messages for bots in other languages."""

from __future__ import annotations

import json


def schema(kind: str = "", /) -> None:
    """Print the JSON Schema of the messages that a program cmd:PROGRAM reads and writes.

    A program reads one JSON object per line, and answers the greeting ("hello") and every view with one line. The docs
    page speaking.md has programs in Python, JavaScript and C.

    For example:

        pokerlab schema
        pokerlab schema view
        pokerlab match --agents "cmd:node bot.js,rulebot" --hands 500 --duplicate

    Parameters
    ----------
    kind
        Only one kind of line: hello, reply (to hello), view, action (the answer to a view) or hand (finished).
    """
    from pokerlab.notation.view_lines import schema as schema_of

    print(json.dumps(schema_of(kind), indent=2))
