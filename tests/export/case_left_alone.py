# SPDX-License-Identifier: Apache-2.0
"""SQLite files in any state that other programs leave are read without being changed."""
import sqlite3
import subprocess
import sys

import traces

THREAD = 0x0001000000000000 | 100 << 24 | 101


def fill(path, *settings, ids="id INTEGER PRIMARY KEY", n=2):
    """Writes `n` nested ranges with registered names; returns the open database."""
    db = sqlite3.connect(path)
    for setting in settings:
        db.execute(f"PRAGMA {setting}")
    db.execute(f"CREATE TABLE StringIds ({ids}, value)")
    db.execute("CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, globalTid)")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)",
                   ((i, f"range {i}") for i in range(n)))
    db.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, NULL, ?, ?)",
                   ((i, 2 * n - i, i, THREAD) for i in range(n)))
    db.commit()
    return db


def fill_and_close(path, **options):
    fill(path, **options).close()
    return path


def copied(path, to):
    """A copy by `cp` in the middle of writing: closing the file in this process would
    drop its locks."""
    to.mkdir()
    for file in path.parent.glob(path.name + "*"):
        subprocess.run(["cp", str(file), str(to / file.name)], check=True)
    return to / path.name


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def names(path):
    return [one["message"] for one in traces.ranges(path)]


def test_files_with_a_write_ahead_log_are_read_and_nothing_is_left_beside_them():
    folder = traces.WORK / "log"
    folder.mkdir()
    path = folder / "what?is#100%25.sqlite"
    db = fill(path, "journal_mode = WAL", "wal_autocheckpoint = 0")
    try:
        assert sorted(names(path)) == ["range 0", "range 1"]  # its writer is active
        left = copied(path, traces.WORK / "left")
        (left.parent / (left.name + "-shm")).unlink()
    finally:
        db.close()
    for of_nobody in left, path:
        before = contents(of_nobody.parent)
        assert sorted(names(of_nobody)) == ["range 0", "range 1"]
        assert contents(of_nobody.parent) == before


def test_a_file_whose_writer_was_killed_is_refused_and_left_as_it_was():
    folder = traces.WORK / "killed"
    folder.mkdir()
    path = folder / "run.sqlite"
    db = fill(path)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)",
                   ((i, "x" * 500) for i in range(10, 200)))
    left = copied(path, traces.WORK / "hot")
    locked = traces.run(traces.RANGELINE, "info", path, ok=False)
    db.close()
    assert (locked.returncode, locked.stderr.decode()) == (1, (
        f'rangeline: cannot read SQLite export: path="{path}": database is locked\n'))
    before = contents(left.parent)
    refused = traces.run(traces.RANGELINE, "info", left, ok=False)
    assert (refused.returncode, refused.stderr.decode()) == (1, (
        f'rangeline: cannot read SQLite export: path="{left}": incomplete, its writer '
        "was interrupted\nhint: `nsys export -t sqlite REPORT.nsys-rep` recreates it\n"))
    assert contents(left.parent) == before


def test_texts_without_a_key_are_looked_for_once():
    path = traces.WORK / "keyless.sqlite"
    fill_and_close(path, ids="id INTEGER", n=100000)
    done = traces.run(traces.RANGELINE, "info", path, timeout=20)
    assert b"100,000 pushes" in done.stdout, done.stdout
    (one,) = names(fill_and_close(traces.WORK / "few.sqlite", ids="id INTEGER", n=1))
    assert one == "range 0"


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
