"""`pokerlab new`: write starting files for an agent or for prompts."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from pokerlab.cli.output import say

ABOUT = """Write files to start from.

For example:

    pokerlab new agent my_agent
    pokerlab new prompts my_prompts"""

new = App(name="new", help=ABOUT, help_format="plaintext")


@new.command
def agent(name: str, /) -> None:
    """Write a new agent to this folder: NAME.py with a policy, a memory and explanations, and its tests.

    The new agent already plays hold'em of any bet size, and passes `verify agent`.

    For example:

        pokerlab new agent my_agent
        pokerlab verify agent py:my_agent:MyAgent
        pokerlab match --agents py:my_agent:MyAgent,rulebot --hands 500 --duplicate --out runs/my_agent

    Parameters
    ----------
    name
        Name of the module, as in my_agent; the class is then MyAgent.
    """
    from pokerlab.verify.new_agent import class_of, write_agent

    for path in write_agent(name, Path()):
        say(f"written to {path}")
    say(f"check it: pokerlab verify agent py:{name}:{class_of(name)}")


@new.command
def prompts(folder: Path, /) -> None:
    """Write the templates of the prompts for language models (agents chat:MODEL), for you to edit.

    Placeholders such as $cards stand for the state of the table; write $$ for a dollar sign. You may delete files: the
    lab's own templates replace them. The text of the templates is part of a run's identity.

    For example:

        pokerlab new prompts my_prompts
        pokerlab match --agents "chat:llama3?prompts=my_prompts,rulebot" --hands 50 --dry-run

    Parameters
    ----------
    folder
        A new or empty folder.
    """
    from pokerlab.net.chat.wording import write_templates

    for path in write_templates(folder):
        say(f"written to {path}")
