"""`pokerlab icm`: prize equities of tournament stacks."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Count, Json, Seed, count_of, print_answer
from pokerlab.cli.requested import numbers, split
from pokerlab.estimates import Estimate
from pokerlab.runs.vocabulary import TERMS


def icm(
    *,
    stacks: Annotated[str, Parameter(help=TERMS["stacks"])],
    prizes: Annotated[str, Parameter(help=TERMS["prizes"])],
    samples: Annotated[Count | None, Parameter(help=TERMS["samples"])] = None,
    seed: Seed = 7,
    as_json: Json = False,
) -> None:
    """Compute the prize money that tournament stacks are worth, by the independent chip model (Malmuth-Harville).

    The result is exact for up to 20 players; for more, 100,000 finishing orders are sampled, with 95% intervals.

    For example:

        pokerlab icm --stacks 5000,3000,2000 --prizes 50,30,20
        pokerlab icm --stacks 12k,9k,4k,1k --prizes 100,60,40 --json
    """
    from pokerlab.table.icm import icm as equities

    chips, paid = [count_of(text) for text in split(stacks, ",", "stacks")], numbers(prizes, ",", "prizes")
    values = equities(chips, paid, samples=samples, seed=seed)
    sampled = values[0].kind == "interval"
    rows = tuple(
        (f"{i}", f"{stack:,}", f"{stack / sum(chips):.2%}", _text(value), f"{value.mean / (sum(paid) or 1):.2%}")
        for i, (stack, value) in enumerate(zip(chips, values, strict=True), 1)
    )
    table = AnswerTable(("player", "chips", "of all chips", "equity", "of all prizes"), rows)
    how = f"{values[0].n:,} sampled finishing orders, seed {seed}; 95% intervals" if sampled else "exact"
    data = {"prizes": paid, "method": "sampled" if sampled else "exact", "seed": seed if sampled else None}
    players = [{"stack": stack, **value.data()} for stack, value in zip(chips, values, strict=True)]
    answer = Answer(lines=(f"Malmuth-Harville, {how}",), tables=(table,), data={**data, "players": players})
    print_answer(answer, as_json=as_json)


def _text(value: Estimate) -> str:
    return f"{value.mean:,.3f}" + (f" ± {value.half_width:.3f}" if value.kind == "interval" else "")
