# SPDX-License-Identifier: Apache-2.0
"""What commands cost grows with the number of ranges that a program leaves open, not with its square.

    cost_of_open_ranges.py LEFT_OPEN

Eight times as many ranges take eight times as long, or a little more. With the square it would be 64
times, so that the limit of 24 leaves room for a busy machine; less than LEAST_S is no square at these
numbers. Output is compared with the size of the trace, too.
"""
import os
import resource
import subprocess
import sys

SMALL, TIMES, MOST_TIMES = 8_000, 8, 24
LEAST_S, MOST_S = 1.5, 60
MOST_OF_TRACE = 60

FORMATS = ("sqlite", "jsonl", "json", "perfetto", "chrome", "csv", "folded", "speedscope", "nvtxt",
           "otf2", "arrow")
COMMANDS = (["analyze"], ["analyze", "--json", "--why"], ["check"], ["info"], ["info", "--json"],
            ["print", "--tree"], ["print", "--ranges"], ["print", "--json"], ["diff", "TRACE"],
            ["reduce", "-f", "-o", "out"], ["merge", "-f", "-o", "out"],
            ["view", "-f", "--html", "-"], ["view", "-f", "--most-ranges", "1000", "--html", "-"],
            ["stats", "-q"], ["stats", "-q", "-r", "tree:thread"],
            ["stats", "-q", "-r", "nvtx_pushpop_trace", "-f", "json"])


def reports():
    listed = subprocess.run(["rangeline", "stats", "--help-reports"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()]


def jobs():
    yield from COMMANDS
    for report in reports():
        name = ":step" if report in ("straggler", "step_trace", "pace", "histogram") else ""
        yield ["stats", "-q", "-f", "csv", "-r", report + name]
    for format in FORMATS:
        yield ["export", "-q", "-f", "-t", format, "-o", f"out.{format}"]


def cost(words, trace):
    """CPU seconds, bytes of standard output, and the status."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_S, MOST_S))
    words = [trace if word == "TRACE" else word for word in words]
    child = subprocess.Popen(["rangeline", *words, trace], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, preexec_fn=limit)
    n_bytes = 0
    while part := child.stdout.read(1 << 20):
        n_bytes += len(part)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    return used.ru_utime + used.ru_stime, n_bytes, status


def record(program, shape, n):
    trace = f"{shape}{n}.rln"
    subprocess.run(["rangeline", "profile", "-o", trace, program, shape, str(n)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return trace


def compare(words, small, big):
    a_s, a_bytes, _ = cost(words, small)
    b_s, b_bytes, status = cost(words, big)
    if os.WIFSIGNALED(status):
        print(f"{' '.join(words)} {big}: signal {os.WTERMSIG(status)} after {b_s:.1f} s, not {a_s:.1f} s")
    elif b_s > max(LEAST_S, MOST_TIMES * a_s):
        print(f"{' '.join(words)} {big}: {b_s:.1f} s, not {a_s:.1f} s")
    if b_bytes > max(1_000_000, 2 * TIMES * a_bytes) or b_bytes > MOST_OF_TRACE * os.path.getsize(big):
        print(f"{' '.join(words)} {big}: {b_bytes} bytes, not {a_bytes}")


def main():
    n_compared = 0
    for shape in ("pushes", "names", "starts", "queue"):
        small, big = (record(sys.argv[1], shape, n) for n in (SMALL, SMALL * TIMES))
        # A location of OTF2 is two files.
        few, more = (record(sys.argv[1], shape, n) for n in (100, 100 * TIMES))
        for words in jobs():
            is_small = "otf2" in words and shape in ("starts", "queue")
            compare(words, *((few, more) if is_small else (small, big)))
            n_compared += 1
    print("compared" if n_compared > 200 else f"only {n_compared} compared")


main()
