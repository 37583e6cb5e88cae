# SPDX-License-Identifier: Apache-2.0
"""An export is complete or absent, and errors are reported."""
import itertools
import os
import pathlib
import pty
import re
import resource
import signal
import stat
import subprocess
import sys
import time

import traces

KINDS = "sqlite perfetto chrome jsonl json csv folded speedscope nvtxt arrow".split()


def attempt(kind, out, *options, trace=None, **more):
    return traces.run(traces.RANGELINE, "export", "-t", kind, "-o", out, *options,
                      trace or traces.everything(), ok=False, **more)


def folder(name):
    path = traces.WORK / name
    path.mkdir()
    return path


def test_what_exists_is_replaced_only_with_leave():
    for kind in KINDS:
        out = folder(f"exists-{kind}") / "out"
        out.write_text("precious")
        done = attempt(kind, out)
        assert done.returncode == 1, done
        assert b"File exists\nhint:" in done.stderr and b"-f" in done.stderr
        assert out.read_text() == "precious" and len(os.listdir(out.parent)) == 1
        assert attempt(kind, out, "-f").returncode == 0
        assert out.stat().st_size > len("precious")
        assert os.listdir(out.parent) == ["out"]


def test_a_full_disk_leaves_nothing_behind():
    def limit():  # a limit of the file size fails like a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    for kind in KINDS:
        if kind == "folded":
            continue  # only a few lines for any trace
        out = folder(f"full-{kind}") / "out"
        done = attempt(kind, out, trace=traces.everything(70000), preexec_fn=limit)
        assert done.returncode == 1, (kind, done)
        assert done.stderr.startswith(b"rangeline: cannot write "), (kind, done.stderr)
        assert not os.listdir(out.parent), (kind, os.listdir(out.parent))


def test_a_report_that_finds_no_room_is_written_by_the_next_run():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    place = folder("full-report")
    command = [traces.RANGELINE, "stats", "-r", "nvtx_pushpop_trace", "-o", place / "run",
               traces.everything(70000)]
    done = traces.run(*command, ok=False, preexec_fn=limit)
    assert done.returncode == 1 and b"rangeline: cannot write " in done.stderr, done
    assert not os.listdir(place), os.listdir(place)
    assert b"SKIPPED" not in traces.run(*command).stderr
    assert os.listdir(place) == ["run_nvtx_pushpop_trace.csv"]


def test_whoever_ends_it_finds_nothing_left():
    out = folder("ended") / "out"
    commands = (["export", "-t", "chrome", "-o", out],
                ["export", "-t", "arrow", "-o", out], ["view", "--html", out],
                ["stats", "-r", "nvtx_pushpop_trace", "-o", out])
    for command, number in itertools.product(commands, (signal.SIGINT, signal.SIGTERM)):
        running = subprocess.Popen([traces.RANGELINE, *command, traces.everything(200_000)],
                                   env=traces.environment())
        while not os.listdir(out.parent) and running.poll() is None:
            time.sleep(0.001)
        running.send_signal(number)
        assert running.wait() == -number, command
        assert not os.listdir(out.parent), command


def test_a_full_device_is_told_of():
    if not os.path.exists("/dev/full"):
        raise traces.Skipped("no /dev/full")
    for kind in KINDS[1:]:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [traces.RANGELINE, "export", "-t", kind, "-o", "-", traces.everything()],
                stdout=full, stderr=subprocess.PIPE, env=traces.environment(), check=False)
        assert done.returncode == 1 and b"No space left on device" in done.stderr, done


def test_an_output_without_a_reader_ends_silently():
    for kind in KINDS[1:]:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [traces.RANGELINE, "export", "-t", kind, "-o", "-", traces.everything()],
            stdout=writing, stderr=subprocess.PIPE, env=traces.environment(), check=False)
        os.close(writing)
        assert done.returncode == 0 and not done.stderr, done


def test_devices_and_pipes_are_written_to_and_stay():
    place = folder("special")
    os.mkfifo(place / "pipe")
    os.symlink("/dev/full", place / "device")
    for options in [], ["-f"]:
        pipe = os.open(place / "pipe", os.O_RDWR | os.O_NONBLOCK)
        assert attempt("folded", place / "pipe", *options).returncode == 0
        assert b";outer;inner " in os.read(pipe, 1 << 16)
        os.close(pipe)
        done = attempt("csv", place / "device", *options)
        assert done.returncode == 1 and b"No space left on device" in done.stderr, done
        done = attempt("sqlite", place / "pipe", *options)
        assert done.returncode == 1 and b"not a regular file" in done.stderr, done
    assert sorted(os.listdir(place)) == ["device", "pipe"]
    assert stat.S_ISFIFO((place / "pipe").lstat().st_mode)
    assert (place / "device").is_symlink()


def test_a_folder_is_refused_at_once_and_a_link_is_followed():
    place = folder("links")
    os.symlink("run.csv", place / "link")
    (place / "run.csv").write_text("old")
    for options in [], ["-f"]:
        done = attempt("csv", place, *options)
        assert done.returncode == 1 and b"Is a directory" in done.stderr, done
        assert b"hint" not in done.stderr, done
    assert attempt("csv", place / "link").returncode == 1
    assert attempt("csv", place / "link", "-f").returncode == 0
    assert (place / "link").is_symlink()
    assert (place / "run.csv").read_text().startswith("type,")


def test_a_folder_that_is_not_there_is_told_of():
    for kind in KINDS:
        done = attempt(kind, traces.WORK / "nowhere/out")
        assert done.returncode == 1 and b"No such file or directory" in done.stderr, done


def test_the_format_follows_from_the_name():
    place = folder("by-name")
    begins = {"a.json": b'{"', "b.csv": b"type,", "c.speedscope.json": b'{"$schema"',
              "d.jsonl": b'{"table"', "e.folded": b"everything;", "f": b"SQLite format 3",
              "g.csv.gz": b"\x1f\x8b"}
    for name, beginning in begins.items():
        done = traces.run(traces.RANGELINE, "export", "-o", place / name,
                          traces.everything(), ok=False)
        if b"built without" in done.stderr:
            continue
        assert (place / name).read_bytes().startswith(beginning), (name, done)
    for name, way in ("f.out", b"give the type with -t"), (
            "f.html", b"`rangeline view --html "):
        done = traces.run(traces.RANGELINE, "export", "-o", place / name,
                          traces.everything(), ok=False)
        assert done.returncode == 2 and way in done.stderr, done
        assert not (place / name).exists()
    for name in "a.csv.xz", "a.csv.bz2":
        done = attempt("csv", place / name)
        assert done.returncode == 2 and b"not one of .gz, .zst" in done.stderr, done


def test_an_option_of_another_format_is_refused():
    out = folder("options") / "out"
    for kind, *option in (
            ("chrome", "--schema", "3.28"), ("csv", "--weight", "calls"),
            ("folded", "--tracks", "category"), ("jsonl", "--indexes"),
            ("otf2", "--tables", "x"), ("perfetto", "--lazy=false"),
            ("arrow", "--indexes")):
        done = attempt(kind, out, *option)
        assert done.returncode == 2 and b" requires type " in done.stderr, (kind, done)
        assert not out.exists()
    done = attempt("jsonlin", out)
    assert done.returncode == 2 and b"--type=jsonlines " in done.stderr, done


def test_nsyss_names_of_types_are_understood_or_lead_to_what_there_is():
    out = folder("nsys") / "out"
    for option in "--separate-strings=true", "--separate-strings":
        done = attempt("jsonlines", out, "-f", option)
        assert done.returncode == 0 and b"--separate-strings has no effect" in done.stderr
        assert out.read_bytes().startswith(b'{"table":"')
    for kind, way in ("hdf", b"use parquetdir"), ("text", b"`rangeline print`"), (
            "info", b"`rangeline info`"):
        done = attempt(kind, out)
        assert done.returncode == 2 and b"hint: " + way in done.stderr, done


def test_a_database_is_no_stream():
    for out in "-", "run.sqlite.gz":
        done = attempt("sqlite", out)
        assert done.returncode == 2 and b"cannot be streamed or compressed" in done.stderr, done


def test_the_default_name_is_the_traces():
    place = folder("names")
    trace = place / "run.rln"
    trace.write_bytes(traces.everything().read_bytes())
    for kind, name in ("sqlite", "run.sqlite"), ("chrome", "run.json"), (
            "speedscope", "run.speedscope.json"):
        done = traces.run(traces.RANGELINE, "export", "-t", kind, trace)
        assert (place / name).exists() and name.encode() in done.stderr
    done = traces.run(traces.RANGELINE, "export", cwd=place, ok=False)
    assert done.returncode == 1 and b"newest trace" in done.stderr


def test_profile_exports_when_the_program_has_ended():
    place = folder("profiled")
    command = [traces.RANGELINE, "profile", "-o", place / "run", "--export",
               "sqlite,chrome", "--export=chrome,none"]
    program = ["sh", "-c", f"{traces.BUILD}/bin/everything; exit 3"]
    assert traces.run(*command, *program, ok=False).returncode == 3
    assert sorted(os.listdir(place)) == ["run.json", "run.rln", "run.sqlite"]
    (place / "run.rln").unlink()
    again = traces.run(*command, "sh", "-c", f"touch {place}/ran", ok=False)
    assert again.returncode == 2, again
    assert b'run.sqlite": File exists\nhint: ' in again.stderr, again
    assert sorted(os.listdir(place)) == ["run.json", "run.sqlite"]  # nothing has run
    assert traces.run(*command, "-f", "true", *program, ok=False).stderr.count(
        b"wrote ") == 2
    wrong = traces.run(*command, "--export", "csv,hdf", "true", ok=False)
    assert wrong.returncode == 2 and b"sqlite|perfetto" in wrong.stderr
    assert b"use parquetdir" in wrong.stderr
    for same in ["--export=json"], ["--export", "csv,json"]:
        wrong = traces.run(*command, "-f", *same, "touch", place / "ran", ok=False)
        assert wrong.returncode == 2 and b"`rangeline export -t json -o FILE`" in wrong.stderr
    for list_ in "", "csv,", ",csv", "csv,,sqlite":
        assert traces.run(*command, f"--export={list_}", "true", ok=False).returncode == 2
    assert not (place / "ran").exists()


def test_profile_takes_the_list_of_nvtx_jls_tests():
    place = folder("julia")
    traces.run(traces.RANGELINE, "profile", "--output", place / "basic",
               "--export=json,sqlite", "--trace=nvtx", traces.BUILD / "bin/everything")
    assert sorted(os.listdir(place)) == ["basic.json", "basic.rln", "basic.sqlite"]
    assert (place / "basic.json").read_bytes().startswith(b'{"data":[')


def test_a_number_is_free_if_that_of_the_export_is():
    place = folder("numbers")
    (place / "report1.json").write_text("precious")
    done = traces.run(traces.RANGELINE, "profile", "--export=chrome",
                      traces.BUILD / "bin/everything", cwd=place)
    assert sorted(os.listdir(place)) == ["report1.json", "report2.json", "report2.rln"], done
    assert (place / "report1.json").read_text() == "precious"


def test_a_terminal_shows_how_far_it_is():
    out = folder("bar") / "out"
    child, terminal = pty.fork()
    if child == 0:
        os.execve(traces.RANGELINE, ["rangeline", "export", "-t", "chrome", "-o", str(out),
                                     str(traces.everything(200_000))], traces.environment())
    while not os.listdir(out.parent):
        time.sleep(0.001)
    os.kill(child, signal.SIGSTOP)
    time.sleep(1.1)  # progress is shown only after a second
    os.kill(child, signal.SIGCONT)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # no process is left
            break
        if not piece:
            break
        shown += piece
    assert os.waitpid(child, 0)[1] == 0
    assert b"/out  [#" in shown and b" million events/s  " in shown, shown
    assert re.search(rb" left\x1b\[K\r\x1b\[Krangeline: wrote \S+/bar/out, [0-9.]+ MiB\r\n$",
                     shown), shown


def test_it_says_what_it_wrote():
    place = folder("said")
    command = [traces.RANGELINE, "export", "-f", "-t", "csv", traces.empty()]
    said = traces.run(*command, "-o", place / "run.csv").stderr
    size = (place / "run.csv").stat().st_size
    assert f"rangeline: wrote {place}/run.csv, {size} bytes\n".encode() in said, said
    assert b"wrote" not in traces.run(*command, "-q", "-o", place / "run.csv").stderr
    for path in "-", "/dev/null":
        said = traces.run(*command, "-o", path).stderr
        assert (b"rangeline: wrote /dev/null\n" in said) == (path != "-"), said


def test_an_empty_trace_gives_empty_exports():
    for kind in KINDS:
        assert attempt(kind, folder(f"empty-{kind}") / "out", trace=traces.empty()).returncode == 0


def test_memory_does_not_grow_with_the_trace():
    trace = traces.everything(200_000)
    for kind in KINDS:
        place = folder(f"long-{kind}")
        peak = traces.peak_kib(traces.RANGELINE, "export", "-t", kind, "-o",
                               place / "out", trace)
        assert peak < 70_000, (kind, peak)
        pathlib.Path(place / "out").unlink()


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
