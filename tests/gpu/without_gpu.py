# SPDX-License-Identifier: Apache-2.0
"""tests/gpu/run skips what it cannot run, and judges what it can, here on a fake driver.

    without_gpu.py BUILD_DIR
"""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

BUILD = pathlib.Path(sys.argv[1]).resolve()
RUN = pathlib.Path(__file__).resolve().parent / "run"
# Those that need neither PyTorch nor nvcc, and take no seconds.
QUICK = ["vector-add", "kernel-times", "graph-replay", "streams", "two-processes", "no-device",
         "out-of-memory", "forked", "metrics", "metrics-privilege"]


def run(*options, **variables):
    """(status, lines of the table)"""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("RANGELINE", "CUDA_", "NVTX_", "FAKE_"))}
    fakes = BUILD / "fakes"
    env.update({"LD_LIBRARY_PATH": f"{fakes}/driver:{fakes}/cupti-12:{fakes}/nvml", **variables})
    done = subprocess.run([sys.executable, RUN, "--build", BUILD, *options], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          timeout=100)
    lines = done.stdout.decode().splitlines()
    print("".join(f"| {line}\n" for line in lines))  # its count is not this test's
    return done.returncode, lines


def test_without_a_gpu_each_case_is_skipped_by_name():
    names = [line.split()[0] for line in run("--list")[1]]
    status, lines = run(CUDA_VISIBLE_DEVICES="")
    assert status == 0 and lines[-1] == f"0 passed, 0 failed, {len(names)} skipped"
    skipped = [line.split()[0] for line in lines if "skipped: the driver finds no GPU" in line]
    assert skipped == names and len(names) > 20, skipped


def test_what_is_recorded_as_it_should_be_passes():
    status, lines = run(*QUICK)
    assert status == 0 and lines[-1] == f"{len(QUICK)} passed, 0 failed, 0 skipped"
    assert not any("FAIL" in line for line in lines)


def test_a_figure_beyond_its_limit_fails_its_case_and_is_kept(folder):
    status, lines = run("--out", folder, "vector-add", "no-device", FAKE_DRIVER_LATE="5000000")
    assert status == 1 and lines[-1] == "1 passed, 1 failed, 0 skipped"
    failed = [line for line in lines if "FAIL" in line]
    assert len(failed) == 1 and "kernel out of its range" in failed[0], failed
    with tarfile.open(folder / "failures.tar.gz") as tar:
        kept = {name.split("/")[1] for name in tar.getnames() if "/" in name}
    assert kept == {"vector-add"}, kept
    assert "\n".join(lines[-3:-1]) in (folder / "results.txt").read_text(encoding="utf-8")


def test_a_case_that_hangs_fails_and_the_next_one_runs(folder):
    status, lines = run("--out", folder, "--limit", "1", "vector-add", "no-device",
                        FAKE_DRIVER_HANG="1")
    assert status == 1
    assert any(re.match("vector-add .*failed in .*: no end within 1 s", line) for line in lines)
    assert any(line.startswith("no-device") for line in lines)


def main():
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="rangeline-device-") as folder:
            test(*[pathlib.Path(folder)][:test.__code__.co_argcount])
    print(f"{len(tests)} passed, 0 failed")
    return 0


sys.exit(main())
