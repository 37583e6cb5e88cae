# SPDX-License-Identifier: Apache-2.0
"""What GPUs report of themselves is recorded from a fake NVML, beside the program.

    metrics.py BUILD_DIR [TEST]
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

BUILD = pathlib.Path(sys.argv[1]).resolve()
RANGELINE = BUILD / "bin" / "rangeline"
PLAYER = BUILD / "bin" / "player"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="rangeline-metrics-"))
WATTS = WORK / "watts"
ALL = "--gpu-metrics-devices=all"
FIRST = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"
METRICS = ["energy", "power", "utilization", "memory utilization", "memory", "SM clock",
           "memory clock", "temperature", "slowed by its power limit", "slowed by heat"]


def environment(nvml="nvml", cupti=False, **variables):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("RANGELINE", "CUDA_", "NVTX_", "FAKE_"))}
    folders = [BUILD / "fakes" / nvml] if nvml else []
    folders += [BUILD / "fakes", BUILD / "fakes" / "cupti-12"] if cupti else []
    env["LD_LIBRARY_PATH"] = ":".join(str(f) for f in folders)
    env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    env["FAKE_NVML_WATTS"] = str(WATTS)
    env.update(variables)
    return env


def record(script, *options, status=0, **variables):
    """Records the player, or another program if it is a list; returns what the command
    said and the trace."""
    WATTS.write_text("100")
    trace = WORK / "run.rln"
    program = [PLAYER, *script.split()] if isinstance(script, str) else script
    done = subprocess.run([RANGELINE, "profile", "-f", "true", "-o", trace, *options, *program],
                          env=environment(**variables), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == status, done
    return done.stderr.decode(), trace


def rangeline(*command):
    done = subprocess.run([RANGELINE, *command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def energy(trace):
    """The rows of gpu_energy, by name of the range."""
    text = rangeline("stats", "-q", "-r", "gpu_energy", "-f", "csv", trace)
    lines = [line.split(",") for line in text.splitlines()]
    rows = [dict(zip(lines[0], line)) for line in lines[1:]]
    return {row["Range"]: row for row in rows}


def counters(trace):
    info = json.loads(rangeline("info", "--json", trace))
    return {c["name"]: c for c in info["counters"] if c["domain"] == "rangeline.gpu"}


def samples(trace, name):
    lines = [json.loads(line) for line in rangeline("print", "--json", trace).splitlines()]
    return [e for e in lines if e["type"] == "sample" and e["name"] == name]


def is_near(text, expected, share=0.05):
    return abs(float(text) - expected) <= share * expected


def samplers():
    """Those that this test has started: they have its variable."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (path / "comm").read_text().startswith("rangeline-gpu-m") and \
                    str(WATTS).encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:
            pass
    return found


def until(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, condition
        time.sleep(0.02)


TWO_RANGES = (f"watts {WATTS} 100 push low sleep 400 pop watts {WATTS} 300 push high sleep 600 pop")


def test_joules_of_ranges():
    said, trace = record("sleep 300 " + TWO_RANGES, ALL)
    rows = energy(trace)
    assert is_near(rows[":low"]["Energy (J)"], 40, 0.2), rows
    assert is_near(rows[":high"]["Energy (J)"], 180, 0.1), rows
    assert is_near(rows[":high"]["Power (W)"], 300, 0.1), rows
    assert rows[":high"]["Known (%)"] == "100.0" and rows[":high"]["GPUs"] == "1", rows
    assert list(rows) == [":high", ":low"], rows
    assert "1 process, 1 thread" in said and "4 events, " in said, said  # the program's
    assert " samples of GPUs, " in said, said


def test_counters():
    _, trace = record("push step sleep 350 pop", ALL, FAKE_NVML_GPUS="2")
    found = counters(trace)
    assert sorted(found) == sorted(f"GPU {i} {m}" for i in range(2) for m in METRICS), found
    assert found["GPU 1 power"]["unit"] == "W", found
    assert FIRST in found["GPU 0 power"]["scope"], found
    assert [e["value"] for e in samples(trace, "GPU 1 power")][0] == 110, trace
    assert samples(trace, "GPU 0 memory")[0]["value"] == 1 << 29, trace  # without the driver's
    assert samples(trace, "GPU 1 slowed by heat")[0]["value"] == 100, trace
    assert 4 <= len(samples(trace, "GPU 0 energy")) <= 12, trace  # 10 a second, and the last


def test_older_driver():
    """Without newer functions, and without a counter of energy."""
    _, trace = record("sleep 300 " + TWO_RANGES, ALL, nvml="nvml-old",
                      FAKE_NVML_FAIL="nvmlDeviceGetTotalEnergyConsumption:3,"
                                     "nvmlDeviceGetTemperature:3")
    found = counters(trace)
    assert "GPU 0 temperature" not in found and len(found) == len(METRICS) - 1, found
    assert samples(trace, "GPU 0 memory")[0]["value"] == 1 << 30, trace
    assert samples(trace, "GPU 0 slowed by its power limit")[0]["value"] == 100, trace
    rows = energy(trace)
    assert is_near(rows[":low"]["Energy (J)"], 40, 0.4), rows
    assert is_near(rows[":high"]["Energy (J)"], 180, 0.2), rows


def test_only_gpus_with_work():
    """CUDA's number of a GPU is not NVML's: their UUIDs say which is which."""
    script = (f"init gpu 0 gpu 1 watts {WATTS} 100 sleep 200 push step launch 1:k sleep 400 pop "
              "complete")
    for variables, watts in (({}, 110), ({"FAKE_NVML_SWAPPED": "1"}, 100)):
        _, trace = record(script, "-t", "cuda", cupti=True, FAKE_NVML_GPUS="2", **variables)
        row = energy(trace)[":step"]
        assert row["GPUs"] == "1" and is_near(row["Power (W)"], watts, 0.04), row
    _, trace = record(script, ALL, cupti=True, FAKE_NVML_GPUS="2")
    row = energy(trace)[":step"]
    assert row["GPUs"] == "2" and is_near(row["Power (W)"], 210, 0.04), row


def test_choice():
    run = "push step sleep 50 pop"
    assert not counters(record(run)[1])
    assert counters(record("init " + run, "-t", "cuda", cupti=True)[1])
    assert not counters(record("init " + run, "-t", "cuda", "--gpu-metrics-devices=none",
                               cupti=True)[1])
    three = {"FAKE_NVML_GPUS": "3"}
    for options, visible, numbers in (
            ([ALL], "1", [0, 1, 2]), (["--enable=nvml_metrics,-i100"], "1", [0, 1, 2]),
            (["--gpu-metrics-device=2", "--enable", "nvml_metrics"], "1", [2]), (["--gpu-metrics-devices=0,2"], "1", [0, 2]),
            (["--gpu-metrics-devices=cuda-visible"], "1", [1]),
            (["--gpu-metrics-devices=cuda-visible"], FIRST[:12], [0]),
            (["--gpu-metrics-devices=cuda-visible"], " 2, 0,-1,1", [0, 2]),
            (["--gpu-metrics-devices=cuda-visible"], "-1", [])):
        found = counters(record(run, *options, CUDA_VISIBLE_DEVICES=visible, **three)[1])
        assert sorted({int(name.split()[1]) for name in found}) == numbers, (options, found)
    said, _ = record(run, "--gpu-metrics-devices=1,7", **three)
    assert "GPUs are not sampled: --gpu-metrics-devices=\"1,7\": GPU 7: " in said, said
    said, _ = record(run, "--gpu-metrics-devices=cuda-visible", CUDA_VISIBLE_DEVICES="-1")
    assert "GPUs are not sampled: CUDA_VISIBLE_DEVICES has none" in said, said
    for wrong in ("0,", "x", "", "0,x", "MIG"):
        said, _ = record(run, f"--gpu-metrics-devices={wrong}", status=2)
        assert f'gpu-metrics-devices="{wrong}": not a list of GPUs' in said, said


def test_a_gpu_named_twice():
    _, trace = record("push step sleep 300 pop", f"--gpu-metrics-devices=0,0,{FIRST}")
    assert 4 <= len(samples(trace, "GPU 0 energy")) <= 12, trace
    assert is_near(energy(trace)[":step"]["Energy (J)"], 30, 0.3), trace


def test_several_traces():
    """A GPU that two launchers sample is one."""
    WATTS.write_text("100")
    runs = [subprocess.Popen([RANGELINE, "profile", "-q", "-f", "true", "-o", WORK / f"{i}.rln", ALL,
                              PLAYER, "sleep", "200", "push", "step", "sleep", "400", "pop"],
                             env=environment()) for i in range(2)]
    assert not any(run.wait(60) for run in runs)
    text = rangeline("stats", "-q", "-r", "gpu_energy", "-f", "csv", WORK / "0.rln", WORK / "1.rln")
    row = dict(zip(text.splitlines()[0].split(","), text.splitlines()[1].split(",")))
    assert row["GPUs"] == "1" and row["Instances"] == "2", row
    assert is_near(row["Energy (J)"], 80, 0.25) and float(row["Energy (%)"]) > 90, row


def test_newest_events():
    said, trace = record("sleep 200 push step sleep 200 pop", ALL, "--buffer=1M")
    assert "2 events, 1 process, 1 thread" in said, said
    assert is_near(energy(trace)[":step"]["Power (W)"], 100), said


def test_nothing_to_sample():
    """There is a note if they were requested; the run is as any other."""
    run = "push step pop"
    for variables, why in (
            ({"nvml": None}, "libnvidia-ml.so.1 is not found"),
            ({"FAKE_NVML_FAIL": "nvmlInit_v2:9"}, "Driver Not Loaded"),
            ({"FAKE_NVML_GPUS": "0"}, "the driver has no GPU"),
            ({"FAKE_NVML_FAIL": "nvmlDeviceGetHandleByIndex_v2:15"}, "GPU 0: GPU is lost")):
        said, trace = record(run, ALL, **variables)
        assert f'note: GPUs are not sampled: --gpu-metrics-devices="all": {why}' in said, said
        assert "2 events" in said and not counters(trace), said
        assert "not sampled" not in record("init " + run, "-t", "cuda", cupti=True, **variables)[0]
    text = subprocess.run([RANGELINE, "stats", "-r", "gpu_energy", trace], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, timeout=60).stdout.decode()
    assert "does not contain energy of GPUs" in text, text


def test_lost_gpu():
    """Its counters have no value from then on, and its energy is not known."""
    fails = ",".join(f"{name}:15:7" for name in (
        "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetFieldValues",
        "nvmlDeviceGetPowerUsage"))
    _, trace = record("sleep 100 push step sleep 900 pop", ALL, FAKE_NVML_FAIL=fails)
    row = energy(trace)[":step"]
    assert 5 < float(row["Known (%)"]) < 40 and is_near(row["Power (W)"], 100), row


def test_empty_run():
    said, trace = record(["true"], ALL)
    assert "no trace written: no NVTX call reached the collector" in said, said
    assert not samplers()


def test_driver_that_hangs():
    """The command ends, with the program's status, whatever the driver does."""
    for function in ("nvmlInit_v2", "nvmlDeviceGetPowerUsage"):
        began = time.monotonic()
        said, trace = record("push step pop", ALL, nvml="nvml-old", FAKE_NVML_HANG=function)
        assert time.monotonic() - began < 10, began
        assert "2 events" in said and not samples(trace, "GPU 0 power"), said
        assert not samplers()


def test_program_is_not_touched():
    """The sampler is none of its children, gets none of its signals, and does not keep the
    command from ending; what the program leaves behind does, as ever."""
    script = ("ps -o comm= --ppid $$; kill -INT 0; sleep 0.3; "
              f"(sleep 0.5; echo done >{WORK}/left) & exit 3")
    (WORK / "left").unlink(missing_ok=True)
    done = subprocess.run(
        [RANGELINE, "profile", "-f", "true", "-o", WORK / "run.rln", ALL, "--", "sh", "-c",
         "trap '' INT; " + script], env=environment(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, check=False, timeout=60, start_new_session=True)
    assert done.returncode == 3, done
    assert b"rangeline" not in done.stdout, done
    assert (WORK / "left").read_text() == "done\n"
    assert not samplers()


def test_launcher_is_killed():
    run = subprocess.Popen([RANGELINE, "profile", "-f", "true", "-o", WORK / "run.rln", ALL,
                            PLAYER, "push", "step", "sleep", "3000", "pop"], env=environment(),
                           stderr=subprocess.DEVNULL)
    until(samplers)
    run.send_signal(signal.SIGKILL)
    run.wait()
    until(lambda: not samplers(), 5)


def test_sampler_dies():
    WATTS.write_text("100")
    with subprocess.Popen([RANGELINE, "profile", "-f", "true", "-o", WORK / "run.rln", ALL,
                           "--snapshot-on=crash", PLAYER, "push", "step", "sleep", "1500", "pop"],
                          env=environment(), stderr=subprocess.PIPE) as run:
        until(samplers)
        for pid in samplers():
            os.kill(pid, signal.SIGSEGV)
        said = run.communicate(timeout=60)[1].decode()
    assert run.returncode == 0 and "2 events" in said, said
    assert not list(WORK.glob("run.1.rln")), said  # it is no crash of the program


def test_sampler_is_stopped():
    """The launcher still ends, two seconds later at the most."""
    for signals in ([signal.SIGSTOP, signal.SIGCONT], [signal.SIGSTOP]):
        WATTS.write_text("100")
        with subprocess.Popen([RANGELINE, "profile", "-f", "true", "-o", WORK / "run.rln", ALL, PLAYER,
                               "push", "step", "sleep", "600", "pop"], env=environment(),
                              stderr=subprocess.PIPE) as run:
            until(samplers)
            for each in signals:
                os.kill(samplers()[0], each)
                time.sleep(0.1)
            said = run.communicate(timeout=15)[1].decode()
        assert run.returncode == 0 and "2 events" in said, said
        assert "waiting for processes" not in said and not samplers(), said


def test_windows():
    """Samples outside windows are left out, too."""
    script = f"watts {WATTS} 100 push a sleep 500 pop push b sleep 500 pop push c sleep 500 pop"
    _, trace = record(script, ALL, "-c", "nvtx", "-p", "b")
    n = len(samples(trace, "GPU 0 energy"))
    assert 3 <= n <= 7, n
    assert is_near(energy(trace)[":b"]["Power (W)"], 100, 0.05), trace


def test_part_of_the_time():
    script = f"watts {WATTS} 100 sleep 200 push step sleep 800 pop"
    _, trace = record(script, ALL)
    first = samples(trace, "GPU 0 energy")[0]
    text = rangeline("stats", "-q", "-r", "gpu_energy", "-f", "csv", "--filter-time", "0s/0.6s",
                     trace)
    row = dict(zip(text.splitlines()[0].split(","), text.splitlines()[1].split(",")))
    ns = int(row["Total Time (ns)"])
    assert ns < 600e6 and is_near(row["Energy (J)"], 100 * ns / 1e9, 0.1), (first, row)


TESTS = {name[5:]: test for name, test in list(globals().items()) if name.startswith("test_")}


def run_one(name):
    try:
        TESTS[name]()
    except Exception:  # pylint: disable=broad-except
        print(f"FAILED {name}")
        traceback.print_exc()
        return 1
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    return 0


def run_all():
    """They mostly wait, so four go at once."""
    def run(name):
        return subprocess.run([sys.executable, "-B", __file__, BUILD, name], check=False).returncode

    shutil.rmtree(WORK)
    with concurrent.futures.ThreadPoolExecutor(4) as four:
        return int(any(four.map(run, TESTS)))


if __name__ == "__main__":
    sys.exit(run_one(sys.argv[2]) if len(sys.argv) > 2 else run_all())
