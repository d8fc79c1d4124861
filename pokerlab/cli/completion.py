"""`pokerlab completion`."""

from __future__ import annotations

from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print a script that completes commands, options and their values in a shell.

    For example:

        pokerlab completion bash > ~/.local/share/bash-completion/completions/pokerlab
        pokerlab completion zsh > ~/.zfunc/_pokerlab
        pokerlab completion fish > ~/.config/fish/completions/pokerlab.fish

    Parameters
    ----------
    shell
        bash, zsh or fish.
    """
    from pokerlab.cli import COMMANDS, application

    print(application(*COMMANDS).generate_completion(shell=shell), end="")
