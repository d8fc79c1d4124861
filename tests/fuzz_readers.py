"""Every reader of foreign text, with texts that it knows: what `tests/fuzz.py` changes and hands to it."""

from __future__ import annotations

from fuzz_asked import asked_readers
from fuzz_files import file_readers
from fuzz_hands import hand_readers
from fuzz_models import model_readers
from fuzz_texts import Reader
from fuzz_typed import typed_readers


def readers() -> list[Reader]:
    """All of them."""
    return [*typed_readers(), *asked_readers(), *hand_readers(), *file_readers(), *model_readers()]
