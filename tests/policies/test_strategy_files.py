"""Strategy files: strategies are loaded as saved, and files that do not fit are refused in one line."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.cards.card import cards
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import (
    STRATEGY,
    STRATEGY_FILE,
    about_strategy,
    load_strategy,
    rules_of_strategy,
    save_strategy,
    stored_bytes,
    tree_digest,
)
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.trees.action_abstraction import abstraction_of, save_abstraction, tree_for


def some_strategy(name="leduc", sizes=None):
    tree, cells = tree_for(game(name), sizes), Lossless(game(name))
    rng = np.random.default_rng(1)
    sums = [rng.random((len(edges), n)) for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)]
    return Strategy.from_sums(tree, cells, sums)


def rewritten(path, **changes):
    """Rewrite the file with another header and valid checksums."""
    about, arrays = read_arrays(path, STRATEGY)
    write_arrays(path, STRATEGY, {**about, **changes}, {name: np.array(array) for name, array in arrays.items()})


@pytest.mark.parametrize(("name", "sizes"), [("leduc", None), ("leduc-nolimit", "0.5p once, 1p | fcpa")])
def test_a_strategy_is_loaded_exactly_as_saved(tmp_path, name, sizes):
    strategy, made = some_strategy(name, sizes), {"algorithm": "cfr+", "iterations": 7, "exploitability": None}
    save_strategy(tmp_path / "s.bin", strategy, made)
    found = load_strategy(tmp_path / "s.bin", game(name))
    assert all(np.array_equal(a, b) for a, b in zip(found.strategy.p, strategy.p, strict=True))
    assert {**made, "version": found.about["version"]} == found.about
    assert found.strategy.tree.rules == game(name)
    assert [side.text for side in found.strategy.tree.sizes] == [side.text for side in strategy.tree.sizes]
    assert about_strategy(tmp_path / "s.bin")["tree"]["decisions"] == strategy.tree.n_decisions


@pytest.mark.parametrize("board", ["Ks7h2d5c8s", "Ks7s2h5h"], ids=["river", "turn of alike suits"])
def test_a_solved_subgame(tmp_path, board):
    """Board and ranges are in the rules, so the file has the same contents as other strategies."""
    subgame = make_subgame(board, ("AK, 66:0.25", "QQ, AJ, T9s"), pot=100, stack=150, sizes="1p")
    solved = solve(SubgameCfr(subgame), iterations=20, every=20).strategy
    save_strategy(tmp_path / STRATEGY_FILE, solved, {"algorithm": "dcfr"})
    found = load_strategy(tmp_path, subgame.tree.rules).strategy
    assert all(np.array_equal(a, b) for a, b in zip(found.p, solved.p, strict=True))
    assert rules_of_strategy(tmp_path) == subgame.tree.rules
    assert np.array_equal(found.cells.of_board(cards(board))[0], subgame.cells.of_board(cards(board))[0])
    with pytest.raises(FileError, match=r"is a strategy for .* subgame, not for .* subgame: they differ in .*ranges"):
        load_strategy(tmp_path, replace(subgame.tree.rules, ranges=("AK", "QQ")))


def test_a_large_subgame_takes_two_bytes_a_number(tmp_path):
    subgame = make_subgame("Ks7h2d5c", ("60%", "60%"), pot=100, stack=300, sizes="0.5p, 1p")
    save_strategy(tmp_path / "s.bin", subgame.uniform(), {})
    numbers = subgame.tree.counts(subgame.cells.n_cells)[1]
    assert stored_bytes(numbers) == 2 * numbers < (tmp_path / "s.bin").stat().st_size < 2 * numbers + 20_000


def test_a_tree_that_no_text_describes_is_stored(tmp_path):
    strategy = some_strategy("leduc-nolimit", "fcpa")
    moved = replace(strategy.tree, to=strategy.tree.to * 0.97, size=(None,) * strategy.tree.n_edges)
    save_strategy(tmp_path / "s.bin", replace(strategy, tree=moved), {}, store_tree=True)
    found = load_strategy(tmp_path / "s.bin").strategy
    assert np.array_equal(found.tree.to, moved.to)
    assert found.tree.actions(0) == moved.actions(0) != strategy.tree.actions(0)
    assert found.tree.describe(5) == moved.describe(5)
    save_strategy(tmp_path / "t.bin", replace(strategy, tree=moved), {})
    with pytest.raises(FileError, match="for another betting tree"):
        load_strategy(tmp_path / "t.bin")


@pytest.mark.parametrize("compact", [False, True])
def test_a_file_of_bet_sizes_may_be_deleted(tmp_path, compact):
    sizes = tmp_path / "sizes.bin"
    save_abstraction(sizes, abstraction_of(tree_for(game("leduc-nolimit"), "0.7p, all-in | fcpa")), {})
    strategy = some_strategy("leduc-nolimit", f"@{sizes}")
    save_strategy(tmp_path / "s.bin", strategy, {}, compact=compact)
    sizes.unlink()
    found = load_strategy(tmp_path / "s.bin", game("leduc-nolimit")).strategy
    assert found.tree.actions(0) == strategy.tree.actions(0) == (CALL, RaiseTo(1.4), RaiseTo(399))
    assert tree_digest(found.tree) == tree_digest(strategy.tree)
    save_strategy(tmp_path / "again.bin", found, {}, compact=compact)
    assert tree_digest(load_strategy(tmp_path / "again.bin").strategy.tree) == tree_digest(strategy.tree)


def test_a_file_with_the_strategy_of_one_seat(tmp_path):
    strategy = some_strategy("leduc-nolimit", "0.5p, 1p, all-in")
    for seat in (None, 1):
        save_strategy(tmp_path / f"{seat}.bin", strategy, {}, compact=True, seat=seat)
    assert (tmp_path / "1.bin").stat().st_size < 0.7 * (tmp_path / "None.bin").stat().st_size
    whole, found = load_strategy(tmp_path / "None.bin").strategy, load_strategy(tmp_path / "1.bin", seat=1).strategy
    for decision, actor in enumerate(strategy.tree.actor):
        p = found.at(decision)
        assert np.array_equal(p, whole.at(decision)) if actor == 1 else np.allclose(p, 1 / len(p))
    with pytest.raises(FileError, match="holds only the strategy of seat 1, not of every seat"):
        load_strategy(tmp_path / "1.bin")
    with pytest.raises(PokerlabError, match="leduc-nolimit has seats 0 to 1, not 2"):
        save_strategy(tmp_path / "2.bin", strategy, {}, seat=2)


def test_sixteen_bits_are_close_and_sum_to_one(tmp_path):
    strategy = some_strategy()
    save_strategy(tmp_path / "s.bin", strategy, {}, exact=False)
    found = load_strategy(tmp_path / "s.bin").strategy
    assert max(np.abs(a - b).max() for a, b in zip(found.p, strategy.p, strict=True)) < 2e-5
    for decision in range(strategy.tree.n_decisions):
        assert found.at(decision).sum(axis=0) == pytest.approx(1, abs=1e-6)
    exact = tmp_path / "exact.bin"
    save_strategy(exact, strategy, {})
    assert (tmp_path / "s.bin").stat().st_size < exact.stat().st_size / 2


def sharp_strategy():
    """Like a solved strategy: most actions never taken, some very rarely, one decision with only the last action."""
    strategy = some_strategy("leduc-nolimit", "0.5p, 1p, all-in")
    sums = [np.where(p < 0.25, 0, p**8) for p in strategy.p]
    for street_sums in sums:
        street_sums[-3:] = [[0.0], [0.0], [1.0]]
    return Strategy.from_sums(strategy.tree, strategy.cells, sums)


@pytest.mark.parametrize("strategy", [some_strategy(), sharp_strategy()], ids=["mixed", "sharp"])
def test_compact_files_are_close_and_keep_zero_probabilities(tmp_path, strategy):
    save_strategy(tmp_path / "s.bin", strategy, {"algorithm": "cfr+"}, compact=True)
    found = load_strategy(tmp_path / "s.bin", strategy.tree.rules)
    assert found.about["algorithm"] == "cfr+"
    for decision in range(strategy.tree.n_decisions):
        was, now = strategy.at(decision), found.strategy.at(decision)
        assert np.abs(now - was).max() <= (len(was) - 1) / 2 / 255
        assert now.sum(axis=0) == pytest.approx(1, abs=1e-6)
        assert (now[was == 0] == 0).all()
        assert (now[was.argmax(axis=0), np.arange(was.shape[1])] == now.max(axis=0)).all()
        assert (now > 0)[was > was.max(axis=0) / 500].all()  # only what is 510 times rarer can vanish


def test_a_compact_file_written_again_is_the_same(tmp_path):
    save_strategy(tmp_path / "one.bin", sharp_strategy(), {}, compact=True)
    save_strategy(tmp_path / "two.bin", load_strategy(tmp_path / "one.bin").strategy, {}, compact=True)
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()


def test_compact_files_are_small_and_can_hold_their_tree(tmp_path):
    strategy = sharp_strategy()
    numbers = sum(p.size for p in strategy.p)
    save_strategy(tmp_path / "s.bin", strategy, {}, compact=True)
    deflated = read_arrays(tmp_path / "s.bin", STRATEGY)[1]
    assert sum(array.nbytes for array in deflated.values()) < numbers / 2
    moved = replace(strategy.tree, to=strategy.tree.to * 0.97, size=(None,) * strategy.tree.n_edges)
    save_strategy(tmp_path / "t.bin", replace(strategy, tree=moved), {}, compact=True, store_tree=True)
    found = load_strategy(tmp_path / "t.bin").strategy
    assert np.array_equal(found.tree.to, moved.to)
    assert all(np.array_equal(a, b) for a, b in zip(found.p, load_strategy(tmp_path / "s.bin").strategy.p, strict=True))
    with pytest.raises(PokerlabError, match="exact or compact, not both"):
        save_strategy(tmp_path / "u.bin", strategy, {}, compact=True, exact=True)


def test_damage_of_a_compact_file_is_one_line(tmp_path):
    path = tmp_path / "s.bin"
    save_strategy(path, some_strategy(), {}, compact=True)
    content = path.read_bytes()
    path.write_bytes(content[:-100])
    with pytest.raises(FileError, match=r"s\.bin is truncated"):
        load_strategy(path)
    path.write_bytes(content)
    about, arrays = read_arrays(path, STRATEGY)
    kept = {name: np.array(array) for name, array in arrays.items()}
    at = content.index(kept["p1"].tobytes())
    path.write_bytes(content[: at + 20] + bytes([content[at + 20] ^ 1]) + content[at + 21 :])
    with pytest.raises(FileError, match="the checksum of p1 does not match"):
        load_strategy(path)
    # Files that were written wrongly, which checksums cannot detect.
    write_arrays(path, STRATEGY, about, {**kept, "p1": kept["p1"][:-9]})
    with pytest.raises(FileError, match="damaged: its probabilities cannot be decompressed"):
        load_strategy(path)
    write_arrays(path, STRATEGY, about, {**kept, "p1": kept["p0"]})
    with pytest.raises(FileError, match=r"damaged: it has 42 probabilities, its tree and cells need \(70, 9\)"):
        load_strategy(path)


def test_another_game_is_refused(tmp_path):
    save_strategy(tmp_path / "s.bin", some_strategy(), {})
    with pytest.raises(FileError, match=r"s.bin is a strategy for leduc, not for kuhn$"):
        load_strategy(tmp_path / "s.bin", game("kuhn"))
    with pytest.raises(FileError, match="not for leduc: they differ in stacks"):
        load_strategy(tmp_path / "s.bin", game("leduc").with_stacks((9, 9)))


def test_damage_is_one_line(tmp_path):
    path = tmp_path / "s.bin"
    save_strategy(path, some_strategy(), {})
    content = path.read_bytes()
    path.write_bytes(content[:-500])
    with pytest.raises(FileError, match="is truncated"):
        load_strategy(path)
    path.write_bytes(content[:-100] + b"\xff" * 100)
    with pytest.raises(FileError, match="checksum"):
        load_strategy(path)
    path.write_bytes(content[:40])
    with pytest.raises(FileError, match="damaged"):
        load_strategy(path)
    path.write_text("no strategy")
    with pytest.raises(FileError, match="not a pokerlab file"):
        load_strategy(path)
    with pytest.raises(FileError, match="cannot read"):
        load_strategy(tmp_path / "none.bin")


def test_another_layout_tree_or_cells_are_refused(tmp_path):
    path = tmp_path / "s.bin"
    save_strategy(path, some_strategy(), {})
    about = about_strategy(path)
    rewritten(path, layout=99)
    with pytest.raises(FileError, match="has strategy layout 99; this pokerlab reads layouts 1 and 2"):
        load_strategy(path)
    rewritten(path, layout=1, tree={**about["tree"], "digest": "0", "decisions": 35})
    with pytest.raises(FileError, match=r"for another betting tree \(35 decisions; .* now give 36\); solve it again"):
        load_strategy(path)
    rewritten(path, tree=about["tree"], cells={**about["cells"], "recipe": "other"})
    with pytest.raises(FileError, match="other lossless buckets than the installed ones"):
        load_strategy(path)
    rewritten(path, cells={**about["cells"], "name": "pr99x"})
    with pytest.raises(FileError, match=r"s.bin: "):
        load_strategy(path)


def test_the_header_is_plain_json(tmp_path):
    save_strategy(tmp_path / "s.bin", some_strategy(), {"algorithm": "lp"})
    about = about_strategy(tmp_path / "s.bin")
    assert json.loads(json.dumps(about)) == about
    assert set(about) == {"layout", "version", "rules", "sizes", "tree", "cells", "made"}
