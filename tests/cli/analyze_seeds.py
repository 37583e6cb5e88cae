#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""analyze_seeds.py N - counts in how many of N runs each fault is found, and in how many the
same runs without it are silent; and that every document fits the schema."""

import functools
import json
import os
import re
import subprocess
import sys

FAULTS = ("warm-up", "outliers", "own-time", "periodic-stall", "drift", "level-shift", "long-tail",
          "loader-wait", "straggler", "moving-straggler", "wait-at-collective", "calls-differ",
          "thread-imbalance", "annotation-cost", "unannotated", "nested-duplicate", "never-closed",
          "gpu-idle", "gpu-low-util", "launch-bound", "sync-stall", "pageable-copy", "comm-exposed",
          "memory-growth", "small-messages", "lock-serial", "cold-cache", "set-up", "early-shift", "stairs", "stragglers", "idle-workers",
          "blocked")
RANKS = dict.fromkeys(("straggler", "stragglers", "moving-straggler", "wait-at-collective", "calls-differ"), 4)
RULE = {"own-time": "outliers", "stairs": "drift", "early-shift": "level-shift", "set-up": "level-shift",
        "idle-workers": "outliers", "stragglers": "straggler"}  # else as the fault
WITHOUT = {"loader-wait": "loader", "moving-straggler": "in-turns", "wait-at-collective": "together",
           "thread-imbalance": "threads", "gpu-idle": "gpu", "gpu-low-util": "gpu", "launch-bound": "gpu",
           "sync-stall": "gpu", "pageable-copy": "copies", "comm-exposed": "hidden", "memory-growth": "memory",
           "small-messages": "messages", "lock-serial": "short-lock", "blocked": "short-wait",
           "cold-cache": "pauses"}  # else clean
MAKERS = {"lock-serial": "make_lock_run", "short-lock": "make_lock_run", "blocked": "make_wait_run",
          "short-wait": "make_wait_run", "busy-workers": "make_wait_run"}  # exports have no locks, nor switches
HERE = os.path.dirname(os.path.abspath(__file__))


def is_type(value, name):
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, {"object": dict, "array": list, "string": str, "boolean": bool}[name])


def misfits(value, schema, at="$"):
    """Lists where a document differs from its schema: the words of JSON Schema that ours uses."""
    known = {"$schema", "title", "type", "required", "properties", "additionalProperties", "items",
             "minItems", "maxItems", "const", "enum", "pattern", "minimum", "maximum"}
    found = [f"{at}: unknown word {word}" for word in schema if word not in known]
    if "type" in schema and not is_type(value, schema["type"]):
        return found + [f"{at}: not of type {schema['type']}"]
    if "const" in schema and value != schema["const"] or value not in schema.get("enum", [value]):
        found.append(f"{at}: {value!r}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{at}: {value!r}")
    if is_type(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{at}: {value}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at}: {len(value)} items")
        for i, item in enumerate(value):
            found += misfits(item, schema.get("items", {}), f"{at}[{i}]")
    if isinstance(value, dict):
        found += [f"{at}: no {key}" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            found += [f"{at}: undescribed {key}"] if inner is None else misfits(item, inner, f"{at}.{key}")
    return found


@functools.lru_cache(maxsize=None)
def analyze(fault, seed, n_ranks):
    if fault in MAKERS:
        files = ["run.rln"]
        subprocess.run([f"{os.environ['BIN']}/{MAKERS[fault]}", fault, str(seed), *files], check=True)
    else:
        files = [f"rank{k}.sqlite" for k in range(n_ranks)]
        for file in files:
            if os.path.exists(file):
                os.remove(file)
        subprocess.run([sys.executable, f"{HERE}/analyze_runs.py", fault, str(seed), *files], check=True)
    return json.loads(subprocess.run(["rangeline", "analyze", "--json", *files],
                                     check=True, stdout=subprocess.PIPE).stdout)


def main():
    seeds = range(1, 1 + int(sys.argv[1]))
    schema = json.loads(subprocess.run(["rangeline", "analyze", "--schema"], check=True,
                                       stdout=subprocess.PIPE).stdout)
    n_misfits = 0
    for fault in FAULTS:
        rule = RULE.get(fault, fault)
        n_found = n_silent = 0
        others, causes, false = set(), set(), set()
        for seed in seeds:
            found = analyze(fault, seed, RANKS.get(fault, 1))
            clean = analyze(WITHOUT.get(fault, "clean"), seed, RANKS.get(fault, 1))
            for document in (found, clean):
                problems = misfits(document, schema)
                n_misfits += len(problems)
                for problem in problems:
                    print(problem)
            ours = [f for f in found["findings"] if f["id"] == rule]
            n_found += len(ours) == 1
            causes |= {f.get("cause", {}).get("name", "none") for f in ours}
            others |= {f["id"] for f in found["findings"]} - {rule}
            n_silent += not clean["findings"]
            false |= {f["key"] for f in clean["findings"]}
        print(f"{fault}: found in {n_found} of {len(seeds)}, cause {' '.join(sorted(causes))};",
              f"without it {n_silent} silent" + "".join(f", {key}" for key in sorted(false))
              + "".join(f"; also {other}" for other in sorted(others)))
    busy = [f["severity"] for seed in seeds for f in analyze("busy", seed, 1)["findings"]]
    print(f"a busy machine: {busy.count('note')} notes, {busy.count('warning')} warnings in {len(seeds)} runs")
    workers = [f for seed in seeds for f in analyze("busy-workers", seed, 1)["findings"] if f["id"] == "blocked"]
    print(f"eight busy workers: {len(workers)} waits in {len(seeds)} runs, {sum('cause' in f for f in workers)} with a cause")
    print(f"{n_misfits} differences from the schema")


main()
