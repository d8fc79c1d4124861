"""`pokerlab new`: files to start from."""

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
    """Write an agent of your own into this folder: NAME.py with a policy, a memory and explanations, and its tests.

    It plays hold'em of any size as it stands, and `verify agent` finds nothing to complain about.

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
    """Write the templates of the prompts that language models chat:MODEL get, to be changed.

    Placeholders such as $cards stand for the table; a $ is written $$. Files may be left out: the lab's own take their
    place. The text of the templates is part of a run's identity.

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
