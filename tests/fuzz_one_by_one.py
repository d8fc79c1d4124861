"""Each number and word of the texts that readers know replaced: `python tests/fuzz_one_by_one.py --seconds 5`.

`fuzz.py` changes texts in several places at random, and so seldom puts the worst number in the one place where it does
harm. Here every place has its turn, which takes minutes.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from fuzz import NUMBERS, WORDS, TooSlow, checked, where


def one_by_one(samples: Sequence[str]) -> list[str]:
    """Texts in which one number or word is another, in random order; those with very long numbers come first."""
    texts = []
    for text in [sample for sample in samples if len(sample) < 4000][:40]:
        for token in re.finditer(r"-?\d+(?:\.\d+)?|\w+", text):
            others = NUMBERS if token[0].lstrip("-")[0].isdigit() else WORDS
            news = [*others, "", "9" * 5000, "[" * 3000]
            texts += [(len(new) < 5000, text[: token.start()] + new + text[token.end() :]) for new in news]
    random.Random(7).shuffle(texts)
    return [text for _, text in sorted(texts, key=lambda each: each[0])]


def replaced(reader, seconds: float) -> Iterator[tuple[str, BaseException]]:
    """Failures, one of a kind, of a reader on texts `one_by_one`, for some seconds of the processor's time."""
    known, samples = set(), reader.samples()
    with suppress(Exception):
        reader.read(samples[0])  # what is compiled at its first use is not a text's time
    until = time.process_time() + seconds
    for text in one_by_one(samples):
        if time.process_time() > until:
            return
        try:
            checked(reader, text)
        except (Exception, TooSlow) as error:
            if where(reader, error) not in known:
                known.add(where(reader, error))
                yield text, error


def main() -> int:
    """Print the failures of every reader."""
    from fuzz_readers import readers

    parser = argparse.ArgumentParser(description="Replace each number and word of the texts that readers know.")
    parser.add_argument("--seconds", type=float, default=5.0, help="of processor time for each reader (default 5)")
    parser.add_argument("--only", default="", help="readers whose names contain one of these, separated by commas")
    given = parser.parse_args()
    chosen = [each for each in readers() if any(part in each.name for part in given.only.split(",")) and each.samples()]
    n_failures = 0
    for reader in chosen:
        for text, error in replaced(reader, given.seconds):
            n_failures += 1
            print(f"{where(reader, error)}: {error}\n  on {text!r}"[:600], flush=True)
    print(f"{len(chosen)} readers for {given.seconds:g} s of processor time each, {n_failures} failures")
    return 1 if n_failures else 0


if __name__ == "__main__":
    sys.exit(main())
