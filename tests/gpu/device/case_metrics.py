# SPDX-License-Identifier: Apache-2.0
"""What GPUs report of themselves: it is there, agrees, and needs no privilege."""
import os
import shutil

from recorded import record
from run_cases import Skipped, case

CASES = []

METRICS = {"energy", "power", "utilization", "memory utilization", "memory", "SM clock",
           "memory clock", "temperature", "slowed by its power limit", "slowed by heat"}
# Of the energy that the GPU counts, from its mean power times the time.
AGREE_PERCENT = 5
ANOTHER_USER = 65534


@case(CASES, "metrics", "program", "cupti")
def metrics(run):
    """energy, power and use of the GPU are sampled, and agree with each other"""
    recording = record(run, [run.machine.program, "draws"], CUDA_VISIBLE_DEVICES="0").recording
    names = {c["name"] for c in recording.info()["counters"] if c["domain"] == "rangeline.gpu"}
    missing = METRICS - {name.split(maxsplit=2)[2] for name in names}
    run.equal("missing metrics", sorted(missing), [])
    rows = {row["Range"]: row for row in recording.rows("gpu_energy")}
    run.equal("GPUs of the program", rows[":busy"]["GPUs"], 1)
    run.at_least("known", rows[":busy"]["Known (%)"], 99, "%")
    for name in ("idle", "busy"):
        run.report(f"power, {name}", f"{rows[':' + name]['Power (W)']} W")
    begin, end = recording.range("busy")
    watts = [e["value"] for e in recording.all("sample")
             if e["name"].endswith(" power") and begin <= e["t"] <= end]
    run.at_least("samples of power a second", len(watts) / ((end - begin) / 1e9), 8, digits=1)
    expected = sum(watts) / len(watts) * (end - begin) / 1e9
    run.at_most("energy, from power times time",
                abs(rows[":busy"]["Energy (J)"] / expected - 1) * 100, AGREE_PERCENT, "%")


@case(CASES, "metrics-privilege", "program")
def privilege(run):
    """another user than root may sample"""
    if os.geteuid() or not shutil.which("setpriv"):
        raise Skipped("this is not root, or has no setpriv")
    sampler = run.machine.build / "lib" / "rangeline-gpu-metrics"
    done = run.execute(["setpriv", f"--reuid={ANOTHER_USER}", "--clear-groups", sampler], ok=False)
    run.equal("status", done.code, 0)
    run.equal("refusals", done.out.decode(), "")
