# SPDX-License-Identifier: Apache-2.0
"""`rangeline analyze`: what it finds on a GPU in steps with a known fault, and without."""
import json
import pathlib
import sys

from recorded import record
from run_cases import case

CASES = []
PROGRAM = pathlib.Path(__file__).resolve().parent / "faulty_steps.py"

FAULTS = ["sync-stall", "pageable-copy", "launch-bound", "gpu-idle", "loader-wait"]


def found(run, fault):
    """The rules that fire for the range `step`."""
    recording = record(run, [sys.executable, PROGRAM, fault], finds_cupti=True).recording
    findings = json.loads(recording.rangeline("analyze", "--step", "step", "--json",
                                              recording.trace))["findings"]
    return sorted({finding["id"] for finding in findings})


@case(CASES, "findings", "torch", seconds=150)
def findings(run):
    """analyze finds the fault that steps have, and in steps without a fault none of them"""
    none = found(run, "none")
    run.report("without a fault", ", ".join(none) or "nothing")
    run.equal("of these", [rule for rule in none if rule in FAULTS], [])
    for fault in FAULTS:
        rules = found(run, fault)
        run.report(fault, ", ".join(rules) or "nothing")
        run.equal(f"{fault} is found", fault in rules, True)
