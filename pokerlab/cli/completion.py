"""`pokerlab completion`: completion scripts for shells."""

from __future__ import annotations

from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print a script for shell completion of commands, options and their values.

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
