"""Journals of live tables: what was played is played again from them, and nothing that happens to a disk harms one."""

import asyncio
import os

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, asked, my_turn, open_table, over, play, sat

from pokerlab.errors import FileError
from pokerlab.web.hall import Hall
from pokerlab.web.journal import Journal, read_journal
from pokerlab.web.live_table import LiveTable
from pokerlab.web.server import application
from pokerlab.web.table_settings import TableSettings


def test_a_table_goes_on_after_a_restart_in_the_middle_of_a_hand(tmp_path):
    """Two servers, one after the other, play the same hands to the same chips as one that is never stopped."""

    async def first(folder, stop):
        hall, app, made = await open_table(folder, asked("nolimit3p", "You", "random", "rulebot"))
        seat = sat(app, made, 0)
        await play(seat, 6)
        seat.say({"type": "ready", "hand": 5})
        await seat.until(lambda s: s.table["hand"] == 6 and my_turn(s))
        if stop:
            await seat.leave()
            hall.close()
            again = Hall(folder, ())
            app = application(again, hosts=[HOST])
            seat = sat(app, made, 0)
            await seat.until(my_turn)
        turn = seat.table["turn"]
        seat.say({"type": "act", "turn": turn, "action": "c"})
        await seat.until(lambda s: s.table["turn"] != turn and (my_turn(s) or over(s)))
        table = seat.table
        await seat.leave()
        return table

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole, stopped = asyncio.run(first(tmp_path / "a", False)), asyncio.run(first(tmp_path / "b", True))
    assert whole["hand"] == 6
    assert whole == stopped


def test_a_table_that_cannot_keep_what_happens_stops_and_says_so(tmp_path, monkeypatch):
    """A full disk: nothing has happened that is not in the journal, everyone is told, and later the table goes on."""
    room, write = [0], os.write

    def written(file, line):
        if not room[0]:
            raise OSError(28, "No space left on device")
        room[0] -= 1
        return write(file, line)

    async def go():
        room[0] = 2  # for the settings and the deal
        hall, app, made = await open_table(tmp_path, asked("leduc", "You", "caller"))
        desk, seat = hall._desks[made["name"]], sat(app, made, 0)
        await seat.until(my_turn)
        seat.say({"type": "act", "turn": [0, 0], "action": "c"})
        await seat.until(lambda s: s.last["type"] == "refused")
        refused, turn = seat.last["why"], desk.table.turn
        room[0] = 1  # for what you do, and not for the answer of the agent
        seat.say({"type": "act", "turn": [0, 0], "action": "c"})
        await seat.until(lambda s: s.table["stopped"])
        stopped, at = seat.table["stopped"], desk.table.turn
        room[0] = 10
        await seat.leave()
        seat = sat(app, made, 0)
        await seat.until(lambda s: my_turn(s) and not s.table["stopped"])
        await seat.leave()
        return refused, turn, stopped, at, seat.table["turn"], read_journal(desk.path)[1]

    monkeypatch.setattr("pokerlab.web.journal.os.write", written)
    refused, turn, stopped, at, later, entries = asyncio.run(go())
    assert refused == "the table's journal cannot be written: No space left on device"
    assert stopped == f"the table has stopped: {refused}"
    assert turn == (0, 0) and at == (0, 1) and later == [0, 2]
    assert entries == [[0, "deal"], [0, "c"], [0, "c"]]


def test_a_table_that_cannot_be_kept_is_not_set_up(tmp_path, monkeypatch):
    closed = []
    monkeypatch.setattr(LiveTable, "close", lambda table: closed.append(table))
    hall = Hall(tmp_path / "tables", ("caller",))
    (tmp_path / "tables").rmdir()
    (tmp_path / "tables").symlink_to("/proc/nowhere")
    with pytest.raises(FileError, match="the table's journal cannot be written"):
        asyncio.run(hall.set_up(asked("leduc", "You", "caller")))
    assert len(closed) == 1


def test_a_line_for_which_there_is_no_room_leaves_the_journal_as_it_was(tmp_path, monkeypatch):
    journal = Journal.begin(tmp_path / "t.journal", {})
    journal.add([0, "deal"])
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, line: write(file, line[:5]))
    with pytest.raises(FileError, match="the table's journal cannot be written: No space left"):
        journal.add([0, "c"])
    monkeypatch.undo()
    journal.add([0, "f"])
    journal.close()
    assert read_journal(journal.path)[1] == [[0, "deal"], [0, "f"]]


def test_tables_at_which_nothing_happened_for_long_are_deleted_when_asked_to(tmp_path):
    from time import time

    hall = Hall(tmp_path, ())
    for name, days in (("0123456789aa", 100), ("0123456789ab", 1)):
        Journal.begin(tmp_path / f"{name}.journal", {}).close()
        os.utime(tmp_path / f"{name}.journal", (time() - days * 86400,) * 2)
    assert hall.remove_unused(90) == 1
    assert [path.stem for path in tmp_path.iterdir()] == ["0123456789ab"]


def test_a_damaged_journal_is_one_line_and_a_cut_off_line_is_left_out(tmp_path):
    path = tmp_path / "t.journal"
    journal = Journal.begin(path, {"settings": {}})
    journal.add([0, "deal"])
    journal.add([0, "c"])
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    assert read_journal(path)[1] == [[0, "deal"]]
    Journal.go_on(path).add([0, "f"])
    assert read_journal(path)[1] == [[0, "deal"], [0, "f"]]
    path.write_bytes(whole.replace(b"deal", b"dead"))
    with pytest.raises(FileError, match="line 2 does not match its checksum"):
        read_journal(path)
    assert path.stat().st_mode & 0o077 == 0


def test_a_journal_that_is_closed_writes_into_no_other_file(tmp_path):
    journal = Journal.begin(tmp_path / "one.journal", {})
    journal.close()
    other = Journal.begin(tmp_path / "other.journal", {})  # which has the number that the first one had
    with pytest.raises(FileError, match="Bad file descriptor"):
        journal.add([0, "c"])
    assert read_journal(other.path) == ({}, [])
    other.close()


def test_a_table_that_cannot_be_played_again_leaves_no_file_open(tmp_path, monkeypatch):
    closed = []
    monkeypatch.setattr(Journal, "close", lambda journal: closed.append(journal.path))
    path = tmp_path / "0123456789ab.journal"
    settings = TableSettings.from_data(asked("leduc", "You", "caller"))
    Journal.begin(path, {"settings": settings.data(), "tokens": {}, "invited": []}).add(
        [0, "c"]
    )  # before anything was dealt
    with pytest.raises(FileError, match="cannot be replayed"):
        asyncio.run(Hall(tmp_path, ()).desk("0123456789ab"))
    assert closed == [path]
