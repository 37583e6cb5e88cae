# SPDX-License-Identifier: Apache-2.0
"""Records a program and reads its trace, with the command's own output."""
import json
import re
from collections import Counter, namedtuple

from run_cases import Failed, Hung, Skipped, last_line

Ended = namedtuple("Ended", "code out err")
Recorded = namedtuple("Recorded", "recording code out err")


class Recording:
    """A trace. Times are in ns since its begin."""

    def __init__(self, run, trace):
        self.run, self.trace = run, trace
        self.events = None

    def rangeline(self, *command):
        return self.run.execute([self.run.machine.rangeline, *command]).out

    def all(self, *types):
        """Its events; a trace of millions is for `rows`."""
        if self.events is None:
            self.events = [json.loads(line) for line in
                           self.rangeline("print", "--json", self.trace).splitlines()]
        return [event for event in self.events if event["type"] in types]

    def work(self, schema):
        """The GPU's operations of a kind, in order of time; each with its values."""
        return [{**event, **event["payloads"][0]["value"]} for event in self.all("gpu")
                if event["payloads"][0]["schema"] == schema]

    def kernels(self):
        return self.work("kernel")

    def rows(self, report):
        return json.loads(self.rangeline("stats", "-q", "-f", "json", "-r", report, self.trace))

    def kernels_by_range(self):
        """{range: number of kernels that its thread launched in it}"""
        counts = Counter()
        for row in self.rows("nvtx_kern_sum"):
            counts[row["NVTX Range"]] += row["Kern Inst"]
        return counts

    def info(self):
        return json.loads(self.rangeline("info", "--json", self.trace))

    def range(self, message):
        """(begin, end) of the only push/pop range with this message."""
        found, open_ranges = [], {}
        for event in self.all("push", "pop"):
            stack = open_ranges.setdefault(event["tid"], [])
            if event["type"] == "push":
                stack.append(event)
            elif stack and stack.pop().get("message") == message:
                found.append(event)
        begins = [e for e in self.all("push") if e.get("message") == message]
        if len(found) != 1 or len(begins) != 1:
            raise Failed(f"not one range {message}: {len(begins)} pushes, {len(found)} pops")
        return begins[0]["t"], found[0]["t"]

    def complain(self):
        """Notes what was not recorded."""
        info = self.info()
        self.run.equal("GPU work lost", info.get("gpu_lost", 0), 0)
        if "gpu_refusal" in info:
            raise Failed(f"nothing was recorded: {info['gpu_refusal']}")


def recording_command(run, trace, *options):
    return [run.machine.rangeline, "profile", "-t", "cuda,nvtx", "-f", "true", "-o", trace,
            *options]


def record(run, command, finds_cupti=False, options=(), **variables):
    """Records a program that should succeed. It is given the CUPTI that the machine has,
    unless it should find its own."""
    recorded = record_unharmed(run, command, finds_cupti, options, **variables)
    if recorded.code:
        raise Failed(f"the program ended with {recorded.code}: {last_line(recorded.err)}")
    recorded.recording.complain()
    return recorded


def record_unharmed(run, command, finds_cupti=False, options=(), **variables):
    """Records a program; its errors are kept apart from those of the command."""
    run.n_recordings += 1
    trace = run.folder / f"{run.n_recordings}.rln"
    done = separate(run, command, recording_command(
        run, trace, *options, *([] if finds_cupti else ["--cupti", run.machine.cupti])),
        **variables)
    return Recorded(Recording(run, trace), *done)


def separate(run, command, before=(), **variables):
    """(status, output, errors) of a program, as a shell would give them."""
    errors = run.folder / f"errors{run.n_commands}"
    done = run.execute([*before, "sh", "-c", 'exec "$@" 2>"$0"', errors, *command],
                       ok=False, **variables)
    code = 128 - done.code if done.code < 0 else done.code
    if not errors.exists():
        raise Failed(f"the program was not started: {last_line(done.err)}")
    return Ended(code, done.out, errors.read_bytes())


def without_numbers(text):
    """Warnings contain times and the numbers of processes."""
    return re.sub(rb"\d+", b"0", text)


def same(run, command, finds_cupti=False, **variables):
    """Notes whether a program does the same recorded and unrecorded."""
    try:
        alone = separate(run, command, **variables)
    except Hung as why:
        raise Skipped(f"unrecorded, too: {why}") from None
    recorded = record_unharmed(run, command, finds_cupti, **variables)
    run.equal("status", recorded.code, alone.code)
    run.equal("output unchanged", recorded.out == alone.out, True)
    run.equal("errors unchanged", without_numbers(recorded.err) == without_numbers(alone.err),
              True)
    return recorded
