"""Figures of Hawkin (2014), chapters 5 to 7: values run by run, each figure with the next, for the other player."""

from __future__ import annotations

from pokerlab.estimates import Estimate
from pokerlab.experiments.bets.curves import GENERATED, PLAYERS, VALUE, curves_experiment, gain, printed_curves
from pokerlab.experiments.experiment import Section, bare_rows

BOARDS = {
    "variant": "lcfr", "iterations": 300, "n": 50, "value_iterations": 250, "boards": 32, "value_boards": 8192,
}  # fmt: skip
FEW_BOARDS = {
    "variant": "lcfr", "iterations": 60, "n": 20, "value_iterations": 60, "boards": 2, "value_boards": 100,
}  # fmt: skip
"""Settings where cells forget, full and quick."""

SHORT = "RE-BETS [0.8, 1], short runs"
ON_BOARDS = {
    "cards": "pr5", "what": "measured on boards", "measured": True, "value_iterations": 3200, "within_mbb": 5,
    "boards": 32, "value_boards": 8192,
}  # fmt: skip
IN_IR570 = {
    "cards": "ir570", "what": "its sizes used in IR-570", "value_iterations": 250, "boards": 32, "value_boards": 8192,
}  # fmt: skip
USED_IN_IR570 = ["IR-100, one range", "IR-100, two ranges"]
IR100 = [f"IR-100, {ranges}" for ranges in ("one range", "two ranges", "three ranges", "three ranges, 50 extra bets")]
MORE = [f"IR-100, three ranges, {extra}" for extra in ("1 extra bet", "25 extra bets", "100 extra bets")]
ACPC = [f"IR-100 and ACPC_2011, {ranges}" for ranges in ("one range", "two ranges", "three ranges pruned")]
AGAINST_ACPC = {"cards": "ir100", "opponent": "acpc_2011"}
ACPC_ITSELF = Estimate(146.88, 145.79, 147.97, None, kind="interval")  # Tables 7.7 and 7.8


EXPERIMENTS = (
    curves_experiment(
        "5-4",
        [SHORT],
        cites="Hawkin (2014), section 5.8.1, figures 5.4 to 5.6, Tables 5.3, A.1 and A.2",
        about=(
            "Exact iterations where the thesis has 10 million sampled ones a run; half as many as in figure 6.1, where "
            "it has 20 million."
        ),
        quick={"levels": [], "histogram": {f"{SHORT}, {PLAYERS[0]}": 1}},
        full={
            "iterations": 750,
            "levels": ["h_pf", "h_f", "h_t", "h_r", "h_ftr", "acpc_2011"],
            "histogram": {f"{SHORT}, {PLAYERS[0]}": 8, f"{SHORT}, {PLAYERS[1]}": 6},
        },
        extra={
            gain({}): bare_rows({f"{SHORT}, {PLAYERS[0]}": 48, f"{SHORT}, {PLAYERS[1]}": 88}),
            GENERATED: bare_rows(
                {f"{SHORT}, {PLAYERS[0]}, run 8": 2_930_050, f"{SHORT}, {PLAYERS[1]}, run 6": 3_121_775}
            ),
        },
    ),
    curves_experiment(  # three default ranges lead to the same value
        "6-1",
        ["RE-BETS [0.4, 0.6]", "RE-BETS [0.8, 1]", "RE-BETS [1.2, 1.4]"],
        cites="Hawkin (2014), section 6.2, figures 6.1 and 6.2, Tables A.3 and A.4",
        about="Exact iterations where the thesis has 20 million sampled ones a run.",
    ),
    curves_experiment(  # ranges of fixed ratio and of fixed width
        "6-3",
        ["one range", "RE-BETS [0.8, 1]"],
        cites="Hawkin (2014), section 6.4.1, figures 6.3 and 6.4, Tables A.5 and A.6",
        about="Exact iterations where the thesis has 20 million sampled ones a run.",
    ),
    curves_experiment(
        "6-5",
        ["one range", "two ranges", "three ranges"],
        cites="Hawkin (2014), section 6.5.2, figures 6.5 and 6.6, Tables A.7, A.8, 6.2 and 6.3",
        about="Exact iterations where the thesis has 20, 45 and 70 million sampled ones a run.",
    ),
    curves_experiment(  # trees pruned to the important bets
        "6-7",
        ["two ranges, 1 extra bet", "two ranges, 25 extra bets"],
        cites="Hawkin (2014), section 6.7, figures 6.7 and 6.8, Tables A.9, A.10, 6.2 and 6.3",
        about=(
            "Exact iterations where the thesis has 45 million sampled ones a run. Its curves of one and two ranges are "
            "those of figure 6.5."
        ),
    ),
    curves_experiment(  # absolute bounds and statistical ones
        "7-1",
        ["one range"],
        cites="Hawkin (2014), section 7.1, figures 7.1 and 7.2, Tables A.11 and A.12",
        about="What the same strategies are worth by best responses and on sampled boards, where cells remember.",
        quick={"also_in": {**ON_BOARDS, "value_iterations": 400, "boards": 2, "value_boards": 200}},
        full={"also_in": ON_BOARDS},
        extra=printed_curves([f"one range, {ON_BOARDS['what']}"]),
    ),
    curves_experiment(
        "7-3",
        [*IR100, *MORE],
        cites="Hawkin (2014), section 7.2, figures 7.3 to 7.8, Tables A.13 to A.18, 7.1 and 7.2",
        about="Iterations on sampled boards, all hands on each; the thesis: 60 to 80 million sampled hands a run.",
        quick={"cards": "ir100", **FEW_BOARDS},
        full={
            "cards": "ir100",
            **BOARDS,
        },
    ),
    curves_experiment(
        "7-9",
        ["IR-570, one range", "IR-570, two ranges", "IR-570, three ranges"],
        cites="Hawkin (2014), section 7.3, figures 7.9 and 7.10, Tables A.19 and A.20",
        about="Iterations on sampled boards, all hands on each; the thesis: 100 to 160 million sampled hands a run.",
        quick={"cards": "ir570", **FEW_BOARDS, "runs_of": {}},
        full={
            "cards": "ir570",
            **BOARDS,
            "runs_of": {"IR-570, two ranges": 2, "IR-570, three ranges": 6},
        },
    ),
    curves_experiment(
        "7-11",
        USED_IN_IR570,
        cites="Hawkin (2014), section 7.4, figures 7.11 and 7.12, Tables A.21 and A.22",
        about=(
            "Sizes are found with the buckets of IR-100; what they are worth is measured there and with those of "
            "IR-570."
        ),
        quick={
            "cards": "ir100",
            **FEW_BOARDS,
            "also_in": {**IN_IR570, "value_iterations": 20, "boards": 2, "value_boards": 40},
        },
        full={
            "cards": "ir100",
            **BOARDS,
            "also_in": {
                **IN_IR570,
                "only": {
                    f"{IR100[1]}, player one": [1, 2, 3, 5, 7, 8, 10],
                    f"{IR100[1]}, player two": [1, 2, 3, 5, 7, 8, 10],
                },
            },
        },
        extra=printed_curves([f"{name}, {IN_IR570['what']}" for name in USED_IN_IR570]),
    ),
    curves_experiment(
        "7-15",
        ACPC,
        cites="Hawkin (2014), section 7.5, figures 7.15 to 7.18, Tables A.25 to A.28, 7.7 and 7.8",
        about="Iterations on sampled boards, all hands on each; the thesis: 70 and 80 million sampled hands a run.",
        quick={
            **AGAINST_ACPC,
            **FEW_BOARDS,
            "iterations": 3,
            "value_iterations": 3,
            "value_boards": 4,
            "boards_of": {},
            "runs_of": {},
            "compared": False,
        },  # ACPC_2011 against itself is far larger
        full={
            **AGAINST_ACPC,
            **BOARDS,
            "boards": 16,
            "value_boards": 4096,
            "boards_of": dict.fromkeys(ACPC[1:], 8),
            "runs_of": {f"{ACPC[0]}, player one": 7, f"{ACPC[0]}, player two": 8, ACPC[1]: 1, ACPC[2]: 2},
        },
        extra={f"ACPC_2011, {VALUE}": Section({"both": ACPC_ITSELF}, "level", "ACPC_2011", "", VALUE)},
    ),
)
