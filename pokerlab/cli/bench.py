"""`pokerlab bench`: measure speed, beside other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.output import Flag, Json, console, print_json, table
from pokerlab.runs.vocabulary import TERMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from pokerlab.bench import Benchmark, BenchmarkResult


def bench(
    *names: str,
    list_names: Annotated[bool, Flag, Parameter(name="--list", help=TERMS["list"])] = False,
    as_json: Json = False,
) -> None:
    """Measure our speed and that of each installed peer library, in one run, on one pinned core or on all cores.

    A figure is the best of several rounds, without warm-up and compilation. The peers come with the extra `peers`: pip
    install 'pokerlab[peers]'.

    For example:

        pokerlab bench
        pokerlab bench evaluate --json
        pokerlab bench --list

    Parameters
    ----------
    names
        Names of benchmarks. Default: all.
    """
    from pokerlab.bench import NoDataError, benchmarks, pinned, run_benchmark

    chosen = benchmarks(names)
    if list_names and as_json:
        print_json({"benchmarks": [{"name": each.name, "about": each.about} for each in chosen]})
        return
    if list_names:
        for each in chosen:
            console().print(f"{each.name:<14} {each.about}")
        return
    with pinned() as core:
        if as_json:
            results, left_out = [], {}
            for each in chosen:
                try:
                    results.append(_as_json(run_benchmark(each)))
                except NoDataError as error:
                    left_out[each.name] = str(error)
            print_json({"core": core, "benchmarks": results} | ({"left_out": left_out} if left_out else {}))
            return
        out = console()
        cold = [each.name for each in chosen if each.cold]
        included = f"; {' and '.join(cold)}: one run, compilation included" if cold else ""
        out.print(f"{_cores(chosen, core)}, best rounds, compilation excluded{included}")
        for each in chosen:
            out.print(f"\n[bold]{each.name}[/]: {each.about}" + (f"; {each.note}" if each.note else ""))
            try:
                out.print(_table(run_benchmark(each)))
            except NoDataError as error:
                out.print(f"left out: {error}", markup=False)
                continue
            for line in each.remarks:
                out.print(line)


def _cores(chosen: Sequence[Benchmark], core: int | None) -> str:
    """Phrase for the cores that the benchmarks use."""
    everywhere = [each.name for each in chosen if each.every_core]
    if len(everywhere) == len(chosen):
        return "every core"
    one = "one core" if core is None else f"one core (number {core})"
    return f"{one}, but every core for {' and '.join(everywhere)}" if everywhere else one


def _as_json(result: BenchmarkResult) -> dict[str, Any]:
    benchmark = result.benchmark
    about = {"name": benchmark.name, "about": benchmark.about, "unit": benchmark.unit, "note": benchmark.note,
             "every_core": benchmark.every_core, "cold": benchmark.cold}  # fmt: skip
    ours = {"per_second": result.ours.per_second, "seconds": result.ours.seconds, "rounds": result.ours.rounds}
    peers = {
        name: figure and {"per_second": figure.per_second, "rounds": figure.rounds, "ratio": result.ratio(name)}
        for name, figure in result.peers.items()
    }
    return {**about, "pokerlab": ours, "peers": peers, "remarks": list(benchmark.remarks)}


def _table(result: BenchmarkResult) -> Table:
    rows = [("pokerlab", _rate(result.ours.per_second), _duration(result.ours.seconds), "")]
    for name, figure in result.peers.items():
        if figure is None:
            rows.append((name, "not installed", "", ""))
        else:
            times = f"x {_rate(result.ratio(name) or 0)}"
            rows.append((name, _rate(figure.per_second), _duration(figure.seconds), times))
    return table(("", f"{result.benchmark.unit} a second", "each", "we are"), rows, plain=True)


def _rate(per_second: float) -> str:
    """
    >>> _rate(193.2e6), _rate(12.345)
    ('193 million', '12.3')
    """
    if per_second >= 1e6:
        return f"{per_second / 1e6:.3g} million"
    return f"{per_second:,.0f}" if per_second >= 100 else f"{per_second:.3g}"


def _duration(seconds: float) -> str:
    """
    >>> _duration(5.2e-9), _duration(0.0123), _duration(2)
    ('5.2 ns', '12.3 ms', '2 s')
    """
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
