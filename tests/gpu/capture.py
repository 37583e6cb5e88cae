# SPDX-License-Identifier: Apache-2.0
"""GPU work is recorded from a fake CUPTI, and nothing of it harms the program.

    capture.py BUILD_DIR [TEST]
"""
import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
RANGELINE = BUILD / "bin" / "rangeline"
PLAYER = BUILD / "bin" / "player"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="rangeline-gpu-"))
# The sizes that records have had, by kind.
SIZES = {8: [176, 184, 192], 10: [200, 208, 216, 224, 232, 248], 1: [88, 96, 112], 22: [96], 2: [88, 104],
         5: [40], 4: [40], 38: [40, 56], 17: [40, 48, 56], 51: [48, 56]}


def environment(cupti="12", **variables):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("RANGELINE", "CUDA_", "NVTX_", "FAKE_"))}
    folders = [BUILD / "fakes"]
    if cupti:
        folders.append(BUILD / "fakes" / f"cupti-{cupti}")
    env["LD_LIBRARY_PATH"] = ":".join(str(f) for f in folders)
    # LeakSanitizer crashes where it stops the thread of the recorder.
    env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    env.update(variables)
    return env


def play(script, *options, name="run", ok=True, **variables):
    """Records the player; returns what the command said and the trace's path."""
    trace = WORK / f"{name}.rln"
    done = subprocess.run([RANGELINE, "profile", "-t", "cuda,nvtx", "-f", "true", "-o", trace,
                           *options, PLAYER, *script.split()], env=environment(**variables),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=60)
    assert not ok or done.returncode == 0, done.stderr.decode()
    return done, trace


def rangeline(*command):
    done = subprocess.run([RANGELINE, *command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def events(trace, *types):
    all_events = [json.loads(line) for line in rangeline("print", "--json", trace).splitlines()]
    return [e for e in all_events if e["type"] in types]


def work(trace):
    return collections.Counter(e["name"] for e in events(trace, "gpu"))


def report(name, trace):
    text = rangeline("stats", "-q", "-r", name, "-f", "csv", trace)
    return [line.split(",") for line in text.splitlines()[1:]]


def losses(trace):
    """What `info` says of them, (number, what) or (0, why nothing was recorded); the marks
    say the same."""
    info = json.loads(rangeline("info", "--json", trace))
    marks = [e for e in events(trace, "mark") if e.get("domain") == "rangeline.cuda"]
    if not marks:
        assert "gpu_loss" not in info and "gpu_refusal" not in info, info
        return None
    lost = [m["payloads"][0]["value"]["lost"] for m in marks]
    assert sum(lost) == info.get("gpu_lost", 0), (marks, info)
    key = "gpu_loss" if lost[-1] else "gpu_refusal"
    assert marks[-1]["message"] == info[key], (marks, info)
    return sum(lost), info[key]


def test_kernels_belong_to_the_ranges_that_launched_them():
    done, trace = play("init push step launch wide launch 1:gemm 2 pop launch gemm")
    assert done.stdout == b""
    assert work(trace) == {"wide": 1, "gemm": 3}, work(trace)
    first = events(trace, "gpu")[0]
    assert first["stream"] == "GPU 0/context 1/stream 7" and first["duration"] == 50000
    assert first["payloads"][0]["value"]["gridX"] == 10, first["payloads"]
    assert first["payloads"][0]["value"]["blockZ"] == 22
    assert {e["stream"] for e in events(trace, "gpu")} == {
        "GPU 0/context 1/stream 7", "GPU 1/context 2/stream 13"}
    (step,) = report("nvtx_gpu_proj_sum", trace)
    assert (step[0], step[10]) == (":step", "3"), step
    rows = {(row[0], row[-1]): row[5] for row in report("nvtx_kern_sum", trace)}
    assert rows[":step", "gemm"] == "2" and rows["", "gemm"] == "1", rows
    (calls,) = report("cuda_api_sum", trace)
    assert (calls[2], calls[-1]) == ("4", "cudaLaunchKernel")


def recorded_on_a_gpu(name):
    """What tests/gpu/device/ programs did on an H200."""
    trace = WORK / f"{name}.rln"
    kept = ROOT / "tests" / "gpu" / "recordings" / f"{name}.rln.gz"
    trace.write_bytes(gzip.decompress(kept.read_bytes()))
    return trace


def test_what_was_recorded_on_a_gpu_still_reads_the_same():
    replay = recorded_on_a_gpu("replay")
    assert work(replay) == {"nothing": 60, "spin": 40, "[CUDA Stream sync]": 1}, work(replay)
    operations = {row[0]: (row[4], row[10]) for row in report("nvtx_gpu_proj_sum", replay)}
    assert operations == {":most": ("15", "15"), ":each fourth": ("5", "5")}, operations
    trace = recorded_on_a_gpu("transformer")
    operations = {row[0]: (row[4], row[10]) for row in report("nvtx_gpu_proj_sum", trace)}
    assert operations[":step 6"] == ("1", "81") and operations[":copy"] == ("8", "8")
    # The backward pass launches its kernels from a thread of its own.
    adopted = {row[0]: row[10] for row in report("nvtx_gpu_proj_sum:adopt", trace)}
    assert operations[":backward"] == ("8", "8") and int(adopted[":backward"]) > 1000, adopted
    kernels = {row[0]: int(row[5]) for row in report("nvtx_kern_sum:adopt", trace)}
    assert kernels[":optimizer"] > 0, kernels


def test_all_that_is_recorded_has_its_name_and_place():
    _, trace = play("init launch k copy 4096 set 64 peer 128 sync wait overhead graph driver k")
    assert work(trace) == {
        "k": 2, "node": 1, "[CUDA memcpy Host-to-Device]": 1, "[CUDA memset]": 1,
        "[CUDA memcpy Peer-to-Peer]": 1, "[CUDA Context sync]": 1,
        "[CUDA Stream sync]": 1}, work(trace)
    rows = {row[-1]: row for row in report("cuda_gpu_trace", trace)}
    copy = rows["[CUDA memcpy Host-to-Device]"]
    assert copy[12:16] == ["0.004", "409.600", "Pageable", "Device"], copy
    assert rows["[CUDA memset]"][14:16] == ["Device", ""]
    assert rows["k"][3:12] == ["10", "11", "12", "20", "21", "22", "32", "0.001", "0.002"]
    calls = collections.Counter(e["name"] for e in events(trace, "call"))
    assert calls == {"cudaLaunchKernel_v7000": 1, "cuLaunchKernel": 1,
                     "cudaMemcpyAsync_v3020": 2, "cudaMemsetAsync_v3020": 1,
                     "cudaGraphLaunch_v10000": 1, "[Buffer flush (Profiler)]": 1}, calls
    waits = {e["stream"] for e in events(trace, "gpu") if "sync" in e["name"]}
    assert waits == {"GPU 0/context 1", "GPU 0/context 1/stream 7"}


def test_gpus_have_their_names():
    _, trace = play("init gpu 0 gpu 1 gpu 0 launch k launch 1:k launch 5@k wait")
    info = json.loads(rangeline("info", "--json", trace))
    first, second = info["gpus"]
    assert first == {"pid": first["pid"], "device": 0, "name": "Fake GPU",
                     "uuid": "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f",
                     "memory": 80 << 30, "multiprocessors": 132, "capability": "9.0"}
    assert (second["device"], second["name"]) == (1, "Fake GPU Ti")
    assert info["events"] == 0 and info["deferred"] == 0, info
    assert f"GPU 1 of process {first['pid']}: Fake GPU Ti\n" in rangeline("info", trace)
    devices = [row[16] for row in report("cuda_gpu_trace", trace)]
    assert devices == ["Fake GPU (0)", "Fake GPU Ti (1)", "Fake GPU (0)"], devices


def test_names_are_demangled_with_the_librarys_help():
    library = subprocess.run(["sh", "-c", "ldconfig -p | sed -n 's/.*libstdc++.so.6.*=> //p'"],
                             stdout=subprocess.PIPE, check=False).stdout.decode().split()
    if not library or "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    _, trace = play("init launch _Z4stepIfEvPT_i", LD_PRELOAD=library[0])
    assert work(trace) == {"void step<float>(float*, int)": 1}, work(trace)
    assert report("cuda_gpu_kern_sum:base", trace)[0][-1] == "step"
    assert report("cuda_gpu_kern_sum:mangled", trace)[0][-1] == "_Z4stepIfEvPT_i"


def test_every_size_of_every_record_reads_the_same():
    script = "init gpu 0 launch k copy 4096 set 64 peer 128 sync overhead driver k graph"
    _, trace = play(script, "--cuda-graph-trace=graph")
    expected = work(trace)
    assert expected["[CUDA graph]"] == 1 and len(expected) == 6, expected
    for step in range(6):
        sizes = ",".join(f"{kind}={known[min(step, len(known) - 1)]}"
                         for kind, known in SIZES.items())
        _, trace = play(script, "--cuda-graph-trace=graph", FAKE_SIZES=sizes)
        assert work(trace) == expected and not losses(trace), (sizes, work(trace))
        assert report("cuda_gpu_trace", trace)[0][16] == "Fake GPU (0)", sizes


def test_records_that_say_nothing_are_counted():
    _, trace = play("init launch k untimed reversed short unknown launch k")
    assert work(trace) == {"k": 2}, work(trace)
    assert losses(trace) == (3, "records of GPU work that could not be read"), losses(trace)
    text = rangeline("info", trace)
    assert "gpu lost    3 x records of GPU work that could not" in text, text
    found = subprocess.run([RANGELINE, "check", trace], stdout=subprocess.PIPE, check=False)
    assert b"3 x  records of GPU work that could not be read" in found.stdout, found.stdout


def test_what_cupti_drops_is_counted():
    done, trace = play("init launch k drop 12 sleep 1300 drop 30 launch k")
    assert work(trace) == {"k": 2}
    assert losses(trace) == (42, "GPU work that CUPTI dropped"), losses(trace)
    assert b"GPU work is incomplete: 42 x GPU work that CUPTI dropped" in done.stderr
    done, _ = play("init launch k drop 12", "--stats=true")
    assert done.stderr.count(b"GPU work is incomplete: 12 x GPU work") == 1, done.stderr


def test_calls_are_on_the_threads_that_made_them():
    # After 20 ms, the thread has begun by the kernel's clock.
    _, trace = play("init push outer thread push inner sleep 20 launch k sleep 1500 pop end"
                    " launch k pop")
    rows = {row[0]: row[10] for row in report("nvtx_gpu_proj_sum", trace)}
    assert rows == {":outer": "1", ":inner": "1"}, rows


def test_a_thread_is_known_at_once_if_no_other_has_begun():
    # Processes of others may begin just then: once in ten is enough.
    for _ in range(10):
        _, trace = play("init thread push inner launch k sleep 300 pop end")
        if report("nvtx_gpu_proj_sum", trace):
            return
    raise AssertionError("the call had no thread ten times")


def test_a_thread_that_had_ended_is_not_taken_for_another():
    _, trace = play("init thread push A sleep 20 launch a sleep 1300 pop end thread push B launch b pop end")
    calls = {e["name"]: e for e in events(trace, "call")}
    assert [e["tid"] == 0 for e in events(trace, "call")] == [False, True], calls
    assert losses(trace) == (1, "calls whose thread is unknown"), losses(trace)
    assert [row[0] for row in report("nvtx_gpu_proj_sum", trace)] == [":A"]


def test_threads_are_looked_for_between_flushes():
    script = " ".join(f"thread push T{i} node {i} sleep 20 launch k{i} sleep 400 pop end"
                      for i in range(1, 7))
    _, trace = play(f"init launch first {script}", "--cuda-own", "--cuda-flush-interval=3600000")
    calls = events(trace, "call")
    launches = [e["tid"] for e in calls if e["name"].startswith("cudaLaunch")]
    nodes = [e["tid"] for e in calls if e["name"] == "Graph Node Creation"]
    assert launches[1:] == nodes and not losses(trace), (launches, nodes, losses(trace))
    rows = sorted(row[0] for row in report("nvtx_gpu_proj_sum", trace))
    assert rows == [f":T{i}" for i in range(1, 7)], rows


def test_an_unseen_thread_is_not_taken_for_its_successor():
    # All have the same value of pthread_self(), and most are never seen.
    script = " ".join(f"thread node {i} launch k{i} sleep {i % 4} end" for i in range(1, 60))
    _, trace = play(f"init launch first {script} thread node 60 sleep 30 launch k60 sleep 300 end",
                    "--cuda-own", "--cuda-flush-interval=3600000")
    tids = {"node": [], "launch": []}
    for e in events(trace, "call"):
        tids["node" if e["name"] == "Graph Node Creation" else "launch"].append(e["tid"])
    pairs = list(zip(tids["node"], tids["launch"][1:]))
    assert len(pairs) == 60 and all(launch in (0, node) for node, launch in pairs), pairs
    n_unknown = [launch for _, launch in pairs].count(0)
    assert losses(trace) == (n_unknown, "calls whose thread is unknown") and pairs[-1][1], pairs


def test_many_streams_and_long_names_are_recorded():
    names = "".join(f"launch {i}@{'n' * 900}{i} " for i in range(200))
    _, trace = play(f"init {names} {names}")
    assert sum(work(trace).values()) == 400 and not losses(trace)
    assert len({e["stream"] for e in events(trace, "gpu")}) == 200


def test_a_wait_is_on_the_gpu_of_its_context():
    _, trace = play("init context wait2 launch 1:k")
    (wait,) = [e for e in events(trace, "gpu") if "sync" in e["name"]]
    assert wait["stream"] == "GPU 1/context 2/stream 13", wait


def test_names_of_any_length_need_no_stack_of_the_program():
    library = subprocess.run(["sh", "-c", "ldconfig -p | sed -n 's/.*libstdc++.so.6.*=> //p'"],
                             stdout=subprocess.PIPE, check=False).stdout.decode().split()
    if not library or "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    name = "_Z1fI" + "".join(f"N1a{len(str(i)) + 1}b{i}E" for i in range(60)) + "EvT_"
    _, trace = play(f"init small launch {name} complete end", LD_PRELOAD=library[0])
    assert list(work(trace))[0].startswith("void f<a::b0, a::b1"), work(trace)


def test_an_export_gives_the_same_reports():
    _, trace = play("init gpu 1 push step launch k 3 copy 4096 pop set 64 peer 128 sync wait overhead "
                    "push other driver 1:k graph pop launch k")
    export = WORK / "run.sqlite"
    subprocess.run([RANGELINE, "export", "-q", "-t", "sqlite", "-f", "true", "-o", export, trace],
                   check=True)
    for name in ["cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum",
                 "cuda_api_gpu_sum", "cuda_kern_exec_sum", "nvtx_gpu_proj_sum",
                 "nvtx_gpu_proj_trace", "nvtx_kern_sum", "cuda_gpu_trace"]:
        ours, theirs = report(name, trace), report(name, export)
        assert ours and ours == theirs, (name, ours, theirs)
    gpus = [json.loads(rangeline("info", "--json", path))["gpus"] for path in (trace, export)]
    assert gpus[0] == gpus[1] and len(gpus[0]) == 1, gpus


def test_all_readers_agree_on_what_overlaps_a_window():
    _, trace = play("init push step launch a sleep 2 pop launch c", "-c", "nvtx", "-p", "step")
    assert work(trace) == {"a": 1, "c": 1}, work(trace)
    printed = [json.loads(line) for line in
               rangeline("print", "--json", "--window", "0", trace).splitlines()]
    reported = rangeline("stats", "-q", "-r", "cuda_gpu_kern_sum", "-f", "csv", "--window", "0",
                         trace).splitlines()[1:]
    exported = WORK / "window.jsonl"
    rangeline("export", "-q", "-t", "jsonl", "-f", "true", "-o", exported, "--window", "0", trace)
    assert [e["name"] for e in printed if e["type"] == "gpu"] == ["a"], printed
    assert [row.split(",")[-1] for row in reported] == ["a"], reported
    assert b'"a"' in exported.read_bytes() and b'"c"' not in exported.read_bytes()


def test_a_killed_program_has_lost_the_last_second():
    done, trace = play("init launch k 5 sleep 1500 launch late kill", ok=False)
    assert done.returncode != 0
    assert work(trace)["k"] == 5, work(trace)
    _, trace = play("init launch k 5 sleep 1500 launch late _exit")
    assert work(trace)["k"] == 5, work(trace)


def test_the_flush_interval_bounds_what_a_killed_program_loses():
    _, trace = play("init push step pop launch k 5 sleep 1500 kill",
                    "--cuda-flush-interval=3599999", name="hour", ok=False)
    assert not work(trace), work(trace)
    # Shorter than the usual second. The end does not wait for a longer one.
    _, trace = play("init launch k 5 sleep 600 kill", "--cuda-flush-interval=10", name="short",
                    ok=False)
    assert work(trace) == {"k": 5}, work(trace)
    _, trace = play("init launch k 5", "--cuda-flush-interval=3600000")
    assert work(trace) == {"k": 5} and not losses(trace), losses(trace)
    for ms, why in {"9": "too small", "3600001": "too large", "0": "too small",
                    "99999999999999999999": "too large", "x": "not a whole number"}.items():
        # Another tool's injection hides no error.
        for others in [{}, {"CUDA_INJECTION64_PATH": "/theirs.so"}]:
            done, _ = play("init", f"--cuda-flush-interval={ms}", ok=False, **others)
            assert done.returncode == 2, ms
            assert f'cuda-flush-interval="{ms}": {why}'.encode() in done.stderr, done.stderr
            assert (b"use 10 to 3600000 milliseconds" in done.stderr) == (ms != "x"), done.stderr


def test_work_that_runs_at_the_end_is_recorded_by_force():
    _, trace = play("init keep launch k 3 sleep 1200 launch k")
    assert work(trace) == {"k": 4}, work(trace)


def test_many_buffers_are_used_again():
    _, trace = play("init launch k 40000")
    assert work(trace) == {"k": 40000}, work(trace)
    assert len(events(trace, "call")) == 40000
    assert not losses(trace), losses(trace)


def test_a_child_records_nothing_and_ends():
    # AddressSanitizer's allocator is locked for ever in a child that is forked while a
    # thread begins.
    done, trace = play("init launch k sleep 100 fork launch child push there pop complete end "
                       "launch k")
    assert done.stderr.count(b"the child") == 0, done.stderr
    assert work(trace) == {"k": 2}, work(trace)
    assert report("nvtx_sum", trace)[0][-1] == ":there"


def test_a_program_without_gpu_work_ends_at_once():
    begin = time.monotonic()
    play("init push step pop", FAKE_CUPTI_HANG="1")
    play("push step pop", FAKE_CUPTI_HANG="1")
    assert time.monotonic() - begin < 2


def test_a_flush_that_hangs_delays_the_end_by_two_seconds():
    begin = time.monotonic()
    done, trace = play("init push step launch k pop", FAKE_CUPTI_HANG="1")
    assert 1.5 < time.monotonic() - begin < 10 and done.returncode == 0
    assert report("nvtx_sum", trace)[0][-1] == ":step"
    assert losses(trace)[0] == 1 and "did not hand over" in losses(trace)[1], losses(trace)


def test_errors_leave_the_program_alone_and_say_why():
    why = {"cuptiSubscribe=39": "another tool records GPU work",
           "cuptiSubscribe=15": "CUPTI finds no GPU that the driver serves",
           "cuptiActivityRegisterCallbacks=999": "CUPTI finds no GPU that the driver serves",
           "cuptiActivityEnable=35": "CUPTI_ERROR_35",
           "cuptiActivityEnableRuntimeApi=7": None}
    for error, reason in why.items():
        done, trace = play("init push step launch k pop off", FAKE_CUPTI_FAIL=error)
        assert report("nvtx_sum", trace)[0][-1] == ":step", error
        if not reason:
            continue
        assert losses(trace) == (0, reason), (error, losses(trace))
        assert f"no GPU work was recorded: {reason}" in done.stderr.decode(), done.stderr
        assert done.stdout == b"off\n", (error, done.stdout)
        assert not work(trace)
    for function in ["cuptiActivityFlushAll", "cuptiActivityGetNumDroppedRecords"]:
        _, trace = play("init launch k sleep 1200 launch k", FAKE_CUPTI_FAIL=f"{function}=999")
        assert work(trace) == {"k": 2}, function


def test_without_cupti_the_program_runs_and_says_so():
    done, trace = play("push step pop", cupti=None)
    assert not losses(trace)
    assert b"no kernel and no copy was recorded: the program used no GPU" in done.stderr
    _, trace = play("push step pop init", cupti=None)
    assert losses(trace) == (0, "there is no CUPTI library: install it, or name it with --cupti")
    _, trace = play("push step pop init", f"--cupti={__file__}", cupti=None)
    assert losses(trace) == (0, "the CUPTI library that --cupti names cannot be loaded")
    done, trace = play("init launch k", f"--cupti={BUILD}/fakes/cupti-12/libcupti.so.12",
                       cupti=None)
    assert work(trace) == {"k": 1} and b"note" not in done.stderr, done.stderr


def test_runs_without_a_gpu_say_what_to_look_at():
    has_gpu = any(pathlib.Path("/dev", name).exists() for name in ["nvidiactl", "nvgpu", "dxg"])
    for script in ["push step pop", ""]:
        done, trace = play(script, name="none", ok=False)
        assert (b"there is no NVIDIA GPU here" in done.stderr) != has_gpu, done.stderr
        assert trace.exists() == bool(script)
        trace.unlink(missing_ok=True)
    assert b"no NVTX call reached the collector, and no use of CUDA was seen" in done.stderr
    done, trace = play("push step pop", "--cupti=/no/lib.so", name="none", ok=False)
    assert done.returncode == 2 and not trace.exists()
    assert b'cupti="/no/lib.so": No such file or directory' in done.stderr, done.stderr
    done, trace = play("push step pop", f"--cupti={WORK}", name="none", ok=False)
    assert done.returncode == 2 and b"not a file" in done.stderr, done.stderr


def test_older_releases_record_all_calls():
    _, trace = play("init launch k driver k malloc", cupti="11", FAKE_DRIVER="11080")
    assert work(trace) == {"k": 2}
    assert len(events(trace, "call")) == 3
    # A newer one than the driver serves is not loaded.
    _, trace = play("init", cupti="12", FAKE_DRIVER="11080")
    assert "there is no CUPTI library" in losses(trace)[1]


def test_calls_are_those_that_are_chosen():
    launching = ["cuLaunchKernel", "cudaLaunchKernel_v7000"]
    chosen = {(): launching, ("--cuda-api=launch",): launching, ("--cuda-api=none",): [],
              ("--cuda-api=all",): ["cuLaunchKernel", "cudaLaunchKernel_v7000",
                                    "cudaMalloc_v3020"]}
    # After the program's own profiler, too.
    host = BUILD / "bin" / "profiler_host.so"
    for script in ["init push step launch k driver k malloc pop",
                   "init profile profiled push step launch k driver k malloc pop"]:
        for options, names in chosen.items():
            _, trace = play(script, *options, PROFILER=str(host))
            assert work(trace) == {"k": 2}, (options, work(trace))
            assert sorted(e["name"] for e in events(trace, "call")) == names, (script, options)
    _, trace = play("init push step launch k pop", "--cuda-api=none", cupti="11",
                    FAKE_DRIVER="11080")
    assert work(trace) == {"k": 1} and not events(trace, "call")
    assert not report("nvtx_gpu_proj_sum", trace)


def test_graphs_are_recorded_by_node_or_as_a_whole():
    script = "init push step graph pop graph launch k"
    for mode in ["node", "node:host-only", "node:nvtx-live:host-and-device"]:
        done, trace = play(script, f"--cuda-graph-trace={mode}")
        assert work(trace) == {"node": 2, "k": 1} and not done.stderr.count(b"note"), done.stderr
        nodes = [e["payloads"][0]["value"].get("graphNodeId") for e in events(trace, "gpu")]
        assert sorted(nodes) == [0, 77, 77], nodes
    for mode in ["graph", "graph:host-and-device"]:
        _, trace = play(script, f"--cuda-graph-trace={mode}")
        assert work(trace) == {"[CUDA graph]": 2, "k": 1}, work(trace)
        first = events(trace, "gpu")[0]
        assert (first["stream"], first["duration"]) == ("GPU 0/context 1/stream 7", 70000), first
        assert first["payloads"][0]["value"]["graphId"] == 5, first
        (step,) = report("nvtx_gpu_proj_sum", trace)
        assert (step[0], step[10]) == (":step", "1"), step
    done = subprocess.run([RANGELINE, "stats", "-r", "cuda_gpu_kern_sum", trace],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    assert b"2 launches of CUDA graphs\nhint: `--cuda-graph-trace=node`" in done.stderr, done.stderr
    # The program's own profiler, which wants kernels, has none of graphs.
    host = BUILD / "bin" / "profiler_host.so"
    done, trace = play("init graph profile graph launch k profiled graph",
                       "--cuda-graph-trace=graph", PROFILER=str(host))
    assert done.stdout == profiled((1, 0)), done.stdout
    assert work(trace) == {"[CUDA graph]": 2, "k": 1}, work(trace)


def test_nodes_of_graphs_are_recorded_where_they_are_created():
    script = ("init push build sleep 20 node 5 clone 6 sleep 20 pop thread node 7 end launch k "
              "fork node 8 end subscribe")
    done, trace = play(script, "--cuda-own")
    assert done.stdout == b"39\n" and b"errno" not in done.stderr, (done.stdout, done.stderr)
    assert work(trace) == {"k": 1} and not losses(trace), losses(trace)
    nodes = [e for e in events(trace, "call") if e["name"] == "Graph Node Creation"]
    values = [e["payloads"][0]["value"] for e in nodes]
    assert [(v["graphNodeId"], v["originalGraphNodeId"], v["eventClass"]) for v in values] == [
        (5, 0, 77), (6, 1000, 77), (7, 0, 77)], nodes
    push, pop = events(trace, "push", "pop")
    assert push["tid"] == nodes[0]["tid"] == nodes[1]["tid"] != nodes[2]["tid"] > 0, nodes
    assert push["t"] < nodes[0]["t"] <= nodes[1]["t"] < pop["t"] and nodes[0]["duration"] == 0
    export = WORK / "nodes.sqlite"
    rangeline("export", "-q", "-t", "sqlite", "-f", "true", "-o", export, trace)
    rows = sqlite3.connect(export).execute(
        "SELECT graphNodeId, originalGraphNodeId FROM CUDA_GRAPH_NODE_EVENTS ORDER BY 1").fetchall()
    assert rows == [(5, None), (6, 1000), (7, None)], rows
    # Without the option nodes are not recorded, and the program may subscribe.
    for options in [(), ("--cuda-own=false",)]:
        done, trace = play(script, *options)
        assert done.stdout == b"0\n" and work(trace) == {"k": 1}
        assert "Graph Node Creation" not in [e["name"] for e in events(trace, "call")]


def test_nodes_without_gpu_work_are_recorded():
    _, trace = play("init node 5", "--cuda-own")
    assert [e["name"] for e in events(trace, "call")] == ["Graph Node Creation"]
    done, trace = play("init node 5 launch k", "--cuda-own",
                       FAKE_CUPTI_FAIL="cuptiGetGraphNodeId=1")
    assert work(trace) == {"k": 1} and len(events(trace, "call")) == 1
    assert losses(trace) == (1, "nodes of CUDA graphs without an id"), losses(trace)
    # Many are one loss, also without GPU work.
    _, trace = play("init " + 50 * "node 5 ", "--cuda-own",
                    FAKE_CUPTI_FAIL="cuptiGetGraphNodeId=1")
    assert losses(trace) == (50, "nodes of CUDA graphs without an id"), losses(trace)
    assert len(events(trace, "mark")) == 1, events(trace, "mark")


def test_errors_give_the_subscription_back():
    why = {"cuptiSubscribe=39": "another tool records GPU work",
           "cuptiEnableCallback=35": "CUPTI_ERROR_35",
           "cuptiActivityRegisterCallbacks=999": "CUPTI finds no GPU that the driver serves",
           "cuptiActivityEnable=35": "CUPTI_ERROR_35"}
    for error, reason in why.items():
        done, trace = play("init node 5 launch k off", "--cuda-own", FAKE_CUPTI_FAIL=error)
        assert losses(trace) == (0, reason), (error, losses(trace))
        assert done.stdout == b"off\n", (error, done.stdout)
        assert not work(trace) and not events(trace, "call"), error


def test_all_is_recorded_again_after_the_program_finalized_cupti():
    host = str(BUILD / "bin" / "profiler_host.so")
    script = "init node 5 launch a complete finalize node 6 launch b malloc"
    done, trace = play(script, "--cuda-own", PROFILER=host)
    assert work(trace) == {"a": 1, "b": 1} and not losses(trace), (work(trace), losses(trace))
    names = collections.Counter(e["name"] for e in events(trace, "call"))
    assert names == {"Graph Node Creation": 2, "cudaLaunchKernel_v7000": 2}, names
    done, trace = play(script, PROFILER=host)
    assert work(trace) == {"a": 1, "b": 1} and not losses(trace), (work(trace), losses(trace))
    done, trace = play(script, "--cuda-own", PROFILER=host, FAKE_CUPTI_FAIL="cuptiFinalize=39")
    why = "nodes of CUDA graphs after the program's cuptiFinalize()"
    assert losses(trace) == (1, why) and work(trace) == {"a": 1, "b": 1}, losses(trace)
    assert f"1 x {why}".encode() in done.stderr, done.stderr


def profiled(*counts):
    return "".join(f"{n} kernels, {n_others} others, 0 foreign buffers\n"
                   for n, n_others in counts).encode()


def test_a_profiler_within_the_program_sees_what_it_sees_unrecorded():
    script = "init launch a 3 profile launch b 100 copy 64 profiled launch c 4 profile launch d 5 "
    script += "sync profiled launch e"
    host = BUILD / "bin" / "profiler_host.so"
    done = subprocess.run([PLAYER, *script.split()], env=environment(PROFILER=str(host)),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    assert done.stdout == profiled((100, 0), (5, 0)), (done.stdout, done.stderr)
    done, trace = play(script, PROFILER=str(host))
    assert done.stdout == profiled((100, 0), (5, 0)), (done.stdout, done.stderr)
    # While it records, our kinds are off: no copies, waits or calls.
    assert work(trace) == {"a": 3, "b": 100, "c": 4, "d": 5, "e": 1}, work(trace)
    assert len(events(trace, "call")) == 3 + 4 + 1
    # It was there before CUDA was: then all is its own.
    done, trace = play("profile init launch b 3 profiled launch c", PROFILER=str(host))
    assert done.stdout == profiled((3, 0)), (done.stdout, done.stderr)
    assert losses(trace) == (0, "the program records GPU work itself") and not work(trace)


def test_times_of_the_programs_own_clock_are_converted():
    """torch.profiler gives CUPTI a clock, for good: the processor's counter."""
    host = str(BUILD / "bin" / "profiler_host.so")
    script = ("init push before launch a pop clock profile push during launch b pop profiled "
              "clock push after launch c 2 complete pop launch d")
    done, trace = play(script, PROFILER=host)
    assert done.stdout == profiled((1, 0)) and not losses(trace), (done.stdout, losses(trace))
    assert work(trace) == {"a": 1, "b": 1, "c": 2, "d": 1}, work(trace)
    # Its clock is half as fast.
    durations = {e["name"]: e["duration"] for e in events(trace, "gpu")}
    assert durations["a"] == 50000, durations
    assert all(abs(durations[name] - 100000) < 2000 for name in "bcd"), durations
    rows = {(row[0], row[-1]): row[5] for row in report("nvtx_kern_sum", trace)}
    assert rows == {(":before", "a"): "1", (":after", "c"): "2", ("", "d"): "1"}, rows
    ranges = {e["message"]: e["t"] for e in events(trace, "push")}
    begins = {e["name"]: e["t"] for e in events(trace, "gpu")}
    assert ranges["before"] < begins["a"] < ranges["during"] < begins["b"] < ranges["after"]
    assert ranges["after"] < begins["c"] < begins["d"]
    # Nothing is known of a clock that was registered behind our back.
    _, trace = play("init launch a complete hidden_clock launch b 3", PROFILER=host)
    assert work(trace) == {"a": 1}, work(trace)
    assert losses(trace) == (6, "GPU work whose clock is unknown"), losses(trace)


def test_lists_of_traces_are_nsys_s():
    def said(*options, **variables):
        done = subprocess.run([RANGELINE, "profile", "-f", "true", "-o", WORK / "said", *options,
                               "env"], env=environment(**variables),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()
    injection = re.compile("CUDA_INJECTION64_PATH=.*/librangeline-gpu.so$", re.M)
    assert injection.search(said("-t", "cuda,nvtx")[1])
    assert injection.search(said("--trace=nvtx", "-t", "cuda")[1])
    # Kinds of it: the names that scripts for MIG, vGPU and WSL have.
    for word in "cuda-sw", "cuda-hw":
        code, out, err = said("-t", f"{word},nvtx", "--cuda-api=all")
        assert injection.search(out) and "no effect" not in err and code == 0
    assert not injection.search(said("-t", "nvtx")[1])
    assert not injection.search(said()[1])
    code, out, err = said("-t", "osrt,cuda")
    assert injection.search(out) and "-t osrt has no effect" in err and code == 0
    code, out, err = said("-t", "cudo")
    assert code == 2 and 'trace="cudo"' in err, err
    code, out, err = said("-t", "cuda", CUDA_INJECTION64_PATH="/theirs.so")
    assert "CUDA_INJECTION64_PATH=/theirs.so" in out and "another tool's" in err, (out, err)
    code, out, err = said("-t", "cuda",
                          CUDA_INJECTION64_PATH=str(BUILD / "lib" / "librangeline-gpu.so"))
    assert "another tool's" not in err and injection.search(out), err
    assert "--cupti has no effect without -t cuda" in said("--cupti=x")[2]
    assert "--cuda-api has no effect without -t cuda" in said("--cuda-api=all")[2]
    code, out, err = said("-t", "cuda", "--cuda-graph-trace=nodes")
    assert code == 2 and "use --cuda-graph-trace=node or" in err, err
    code, out, err = said("-t", "cuda", "--cuda-trace-all-apis=true")
    assert code == 2 and "no such option\nhint: use --cuda-api=all\n" in err, err
    # Only the command line decides.
    assert "RANGELINE_CUDA_API=all\n" in said("-t", "cuda", "--cuda-api=all")[1]
    left = {"RANGELINE_CUDA_API": "none", "RANGELINE_CUPTI": "/theirs.so",
            "RANGELINE_CUDA_GRAPH_TRACE": "graph", "RANGELINE_CUDA_FLUSH_INTERVAL": "10",
            "RANGELINE_CUDA_OWN": "true"}
    assert not re.search("RANGELINE_CU", said("-t", "cuda", **left)[1])
    code, out, err = said("-t", "cuda", "--buffer=1M")
    assert code == 2 and "--buffer cannot keep GPU work" in err, err


def test_lists_of_domains_do_not_leave_it_out_by_chance():
    _, trace = play("init push step launch k pop", "--nvtx-domain-include=other")
    assert work(trace) == {"k": 1}
    _, trace = play("init push step launch k pop", "--nvtx-domain-exclude=rangeline.cuda")
    assert not work(trace) and report("nvtx_sum", trace)[0][-1] == ":step"


def test_programs_record_themselves_with_the_variables_of_env():
    out = subprocess.run([RANGELINE, "env", "-t", "cuda", "--cuda-own", "--cuda-api=none", "-o",
                          WORK / "itself.rln"],
                         env=environment(), stdout=subprocess.PIPE, check=True).stdout.decode()
    assert "export CUDA_INJECTION64_PATH='" in out and "export LD_PRELOAD='" in out, out
    subprocess.run(["sh", "-c", f'{out}\n"$0" init push step launch k node 5 pop', PLAYER],
                   env=environment(), check=True)
    assert work(WORK / "itself.rln") == {"k": 1}
    assert [e["name"] for e in events(WORK / "itself.rln", "call")] == ["Graph Node Creation"]


def test_variables_of_env_replace_earlier_ones():
    def env_after(shell, earlier):
        script = f'eval "$("$0" env -t cuda {earlier})"; ' if shell == "sh" else ""
        script += f'"$0" env -t cuda --shell {shell}'
        return subprocess.run(["sh", "-c", script, RANGELINE], env=environment(), check=True,
                              stdout=subprocess.PIPE).stdout.decode()
    out = env_after("sh", "--cuda-own --cuda-api=all --cupti=x --cuda-flush-interval=10 "
                    "--cuda-graph-trace=graph")
    assert re.findall("unset (.*);", out) == [
        "RANGELINE_CUPTI", "RANGELINE_CUDA_API", "RANGELINE_CUDA_GRAPH_TRACE",
        "RANGELINE_CUDA_FLUSH_INTERVAL", "RANGELINE_CUDA_OWN"], out
    assert out.count("librangeline-cuda.so") == 1, out
    assert "set -e RANGELINE_CUDA_OWN;\n" in env_after("fish", "")
    assert "unsetenv RANGELINE_CUDA_OWN;\n" in env_after("csh", "")
    stop = re.search("unset .*", rangeline("env", "--help")).group()
    script = f'eval "$("$0" env -t cuda --cuda-own -o x)"; {stop}; env'
    left = subprocess.run(["sh", "-c", script, RANGELINE], env=environment(), check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    assert not re.search("RANGELINE|INJECTION", left), left
    # `profile` records no GPU work unless it is asked to.
    script = 'eval "$("$0" env -t cuda)"; "$0" profile -f true -o "$1" "$2" init launch k push a pop'
    subprocess.run(["sh", "-c", script, RANGELINE, WORK / "plain.rln", PLAYER], env=environment(),
                   stderr=subprocess.DEVNULL, check=True)
    assert not work(WORK / "plain.rln") and report("nvtx_sum", WORK / "plain.rln")
    done = subprocess.run([RANGELINE, "profile", "-f", "true", "-o", WORK / "said", "env"],
                          env=environment(CUDA_INJECTION64_PATH="/theirs.so"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert b"CUDA_INJECTION64_PATH=/theirs.so\n" in done.stdout, done.stdout


def test_real_libraries_without_a_gpu_leave_the_program_alone():
    root = pathlib.Path(__file__).resolve().parents[2] / "build/nvtx-headers"
    root = pathlib.Path(os.environ.get("NVTX_HEADERS_DIR", root))
    libraries = sorted(root.glob("cupti*/nvidia/*/lib/libcupti.so.*"))
    if not libraries:
        raise Skipped("no CUPTI here: `tools/setup test-all` fetches it")
    for library in libraries:
        begin = time.monotonic()
        done, trace = play("init push step pop", f"--cupti={library}", cupti=None,
                           FAKE_DRIVER="13050")
        assert losses(trace) == (0, "CUPTI finds no GPU that the driver serves"), library
        assert report("nvtx_sum", trace)[0][-1] == ":step" and not done.stdout
        assert time.monotonic() - begin < 2, library


class Skipped(Exception):
    """The test cannot run here: the message says why."""


def main():
    failed = passed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (len(sys.argv) > 2 and sys.argv[2] not in name):
            continue
        try:
            test()
            passed += 1
        except Skipped as why:
            print(f"skipped: {name}: {why}")
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc()
            print(f"{name} failed", file=sys.stderr)
            failed += 1
    print(f"{passed} passed, {failed} failed")
    shutil.rmtree(WORK, ignore_errors=True)
    return 1 if failed or not passed else 0


sys.exit(main())
