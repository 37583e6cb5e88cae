# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile -t python-gil` records the waits of threads for the GIL."""
import subprocess
import sys
import sysconfig

import pytest
from conftest import RANGELINE

pytestmark = pytest.mark.skipif(sysconfig.get_config_var("Py_GIL_DISABLED") == 1,
                                reason="this Python has no GIL")

OPTIONS = ["-t", "python-gil"]

# Each thread computes for half a second.
COUNT = """
    import sys, threading, time

    def count():
        begin = time.perf_counter()
        end = time.thread_time() + 0.5
        while time.thread_time() < end:
            pass
        print(f"{threading.get_native_id()} {time.perf_counter() - begin}\\n", end="")

    threads = [threading.Thread(target=count) for _ in range(int(sys.argv[1]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def waits(recording):
    ranges = [r for r in recording.ranges() if r.get("domain") == "Python GIL"]
    assert {r["message"] for r in ranges} <= {"wait for the GIL"}
    return ranges


def total(ranges):
    return sum(r["duration"] for r in ranges) / 1e9


def test_threads_that_compute_wait_for_each_other(record):
    recording = record(COUNT, "2", options=OPTIONS)
    ranges = waits(recording)
    for line in recording.output.splitlines():
        thread, lasted = line.split()
        waited = total(r for r in ranges if r["tid"] == int(thread))
        assert 0.1 < waited < float(lasted) - 0.45


def test_a_long_wait_is_one_range(record):
    recording = record("""
        import threading
        event = threading.Event()
        thread = threading.Thread(target=event.wait)
        thread.start()
        event.set()
        sum(range(30_000_000))  # keeps the GIL, although others ask for it every 5 ms
        thread.join()
    """, options=OPTIONS)
    assert max(r["duration"] for r in waits(recording)) > 50_000_000


def test_other_waits_are_not_recorded(record):
    recording = record("""
        import queue, threading, time

        def idle():
            for _ in range(20):
                time.sleep(0.005)
            condition = threading.Condition()
            with condition:
                condition.wait(0.1)
            try:
                queue.Queue().get(timeout=0.1)
            except queue.Empty:
                pass
            threading.Event().wait(0.1)

        threads = [threading.Thread(target=idle) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    """, options=OPTIONS)
    assert total(waits(recording)) < 3 * 0.2


def test_every_process_of_a_run_is_recorded(record):
    recording = record("""
        import multiprocessing, os, threading, time

        def count():
            end = time.thread_time() + 0.1
            while time.thread_time() < end:
                pass

        def work(_):
            threads = [threading.Thread(target=count) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return os.getpid()

        if __name__ == "__main__":
            for method in "fork", "spawn":
                with multiprocessing.get_context(method).Pool(1) as pool:
                    print(*pool.map(work, [0]))
                    pool.close()
                    pool.join()
    """, options=OPTIONS)
    assert {r["pid"] for r in waits(recording)} >= set(map(int, recording.output.split()))


def test_ranges_of_the_program_are_as_without(record):
    recording = record("""
        import threading, time
        from rangeline import nvtx

        def count():
            for _ in range(50):
                with nvtx.annotate("step"):
                    end = time.thread_time() + 0.002
                    while time.thread_time() < end:
                        pass

        threads = [threading.Thread(target=count) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    """, options=OPTIONS)
    assert waits(recording)
    steps = [r for r in recording.ranges() if r["message"] == "step"]
    assert len(steps) == 100 and not any(r.get("unmatched") for r in steps)


def test_the_program_ends_as_alone(record, run_python):
    program = """
        import sys, threading
        def count():
            while True:
                pass
        for _ in range(2):
            threading.Thread(target=count, daemon=True).start()
        print(sum(range(1_000_000)))
        print("error", file=sys.stderr)
        sys.exit(7)
    """
    alone = run_python(program)
    recording = record(program, options=OPTIONS, check=False)
    assert (recording.status, recording.output, recording.errors) == (
        alone.returncode, alone.stdout, alone.stderr)
    assert waits(recording)


def test_one_thread_waits_for_nobody(record):
    recording = record(COUNT + "\n    count()\n", "0", options=OPTIONS)
    assert not recording.trace.exists()


def test_a_run_without_waits_says_so(tmp_path):
    done = subprocess.run([RANGELINE, "profile", "-t", "python-gil", sys.executable, "-c", "0"],
                          stderr=subprocess.PIPE, text=True, check=True, cwd=tmp_path)
    assert "no mark, and no thread waited for Python's GIL\n" in done.stderr
