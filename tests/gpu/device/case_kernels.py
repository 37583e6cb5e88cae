# SPDX-License-Identifier: Apache-2.0
"""Kernels and copies: all are recorded, with the right sizes, times and ranges."""
import pathlib
from collections import Counter
from statistics import median

from recorded import record, same
from run_cases import Failed, Skipped, case

CASES = []
HERE = pathlib.Path(__file__).resolve().parent

# As gpu_program.c and vector_add.cu have them.
N_FLOATS, BLOCK, NODES = 1 << 18, 256, 5
REPLAYS = 100
LIBRARIES = {"static": "libcudart_static.a", "shared": "libcudart.so"}

# CUDA's events are exact to 0.5 us, and what a pair of them adds varies by that, too.
EVENT_US = 2
# A kernel that is waited for runs within its range; clocks of the GPU and the system are
# compared by CUPTI, to within a microsecond or two.
CLOCK_US = 2


def judge_vector_add(run, recording, name):
    kernels, copies = recording.kernels(), recording.work("copy")
    run.equal("kernels", len(kernels), 1)
    run.equal("copies", len(copies), 3)
    if len(kernels) != 1:
        raise Failed("the kernel is not there")
    kernel = kernels[0]
    run.equal("kernel", kernel["mangledName"], name)
    run.equal("grid", [kernel[f"grid{axis}"] for axis in "XYZ"], [N_FLOATS // BLOCK, 1, 1])
    run.equal("block", [kernel[f"block{axis}"] for axis in "XYZ"], [BLOCK, 1, 1])
    run.equal("bytes", sorted({copy["bytes"] for copy in copies}), [4 * N_FLOATS])
    kinds = Counter(copy["name"] for copy in copies)
    run.equal("copies to the GPU", kinds["[CUDA memcpy Host-to-Device]"], 2)
    run.equal("copies from the GPU", kinds["[CUDA memcpy Device-to-Host]"], 1)
    run.equal("kernels by range", dict(recording.kernels_by_range()), {":add": 1})
    operations = {row["Range"]: row["Total GPU Ops"]
                  for row in recording.rows("nvtx_gpu_proj_sum")}
    run.equal("operations by range", operations, {":copy in": 2, ":add": 1, ":copy out": 1})
    begin, end = recording.range("add")
    early, late = begin - kernel["t"], kernel["t"] + kernel["duration"] - end
    run.at_most("kernel out of its range", max(early, late) / 1000, CLOCK_US, "us")


@case(CASES, "vector-add", "program", "cupti")
def vector_add(run):
    """a kernel and three copies, by the driver's calls"""
    judge_vector_add(run, record(run, [run.machine.program, "add"]).recording, "sum_vectors")


def vector_add_by_runtime(run, kind):
    program = run.folder / f"vector_add_{kind}"
    library = run.machine.toolkit / "lib64"
    if not (library / LIBRARIES[kind]).exists():
        raise Skipped(f"there is no {library / LIBRARIES[kind]}")
    why = run.machine.compile([run.machine.nvcc, "-cudart", kind, "-o", program,
                               HERE / "vector_add.cu", "-Xlinker", f"-rpath={library}", "-ldl"])
    if why:
        raise Skipped(why)
    judge_vector_add(run, record(run, [program]).recording, "_Z3addIfEvPKT_S2_PS0_i")


@case(CASES, "vector-add-static", "nvcc", "cupti", seconds=120)
def vector_add_static(run):
    """the same by a static run-time"""
    vector_add_by_runtime(run, "static")


@case(CASES, "vector-add-shared", "nvcc", "cupti", seconds=120)
def vector_add_shared(run):
    """the same by a shared run-time"""
    vector_add_by_runtime(run, "shared")


@case(CASES, "kernel-times", "program", "cupti")
def kernel_times(run):
    """kernels of 2 ms take as long as by CUDA's events"""
    recorded = record(run, [run.machine.program, "times"])
    events = [line.split() for line in recorded.out.decode().splitlines()]
    kernels = recorded.recording.kernels()[1::2]  # without those that fill the queue
    if [k["name"] for k in kernels] != [name for name, _ in events]:
        raise Failed("the kernels are not those that the program launched")
    run.report("kernels", len(kernels))
    beyond = {"nothing": [], "spin": []}
    for kernel, (name, us) in zip(kernels, events):
        beyond[name].append(float(us) - kernel["duration"] / 1000)
    # What events add to any kernel is known from the empty ones.
    added = median(beyond["nothing"])
    differences = [us - added for us in beyond["spin"]]
    run.report("events add", f"{added:.3f} us")
    run.report("median spin",
               f"{median(k['duration'] for k in kernels if k['name'] == 'spin') / 1000:.0f} us")
    run.at_most("difference from events", abs(median(differences)), EVENT_US, "us")
    run.report("largest difference", f"{max(map(abs, differences)):.3f} us")


@case(CASES, "graph-replay", "program", "cupti")
def graph_replay(run):
    """each replay of a graph has its kernels, in the range that launched it"""
    recording = record(run, [run.machine.program, "replay", REPLAYS]).recording
    names = Counter(kernel["name"] for kernel in recording.kernels())
    run.equal("kernels", dict(names), {"nothing": 3 * REPLAYS, "spin": 2 * REPLAYS})
    run.equal("kernels with a node", sum(k["graphNodeId"] != 0 for k in recording.kernels()),
              NODES * REPLAYS)
    run.equal("kernels by range", dict(recording.kernels_by_range()),
              {":each fourth": NODES * REPLAYS // 4, ":most": NODES * REPLAYS * 3 // 4})


@case(CASES, "graph-whole", "program", "cupti")
def graph_whole(run):
    """with --cuda-graph-trace=graph, each replay of a graph is one operation"""
    recording = record(run, [run.machine.program, "replay", REPLAYS],
                       options=["--cuda-graph-trace=graph"]).recording
    run.equal("kernels", len(recording.kernels()), 0)
    run.equal("graphs", len(recording.work("graph")), REPLAYS)
    operations = {row["Range"]: row["Total GPU Ops"]
                  for row in recording.rows("nvtx_gpu_proj_sum")}
    run.equal("operations by range", operations,
              {":each fourth": REPLAYS // 4, ":most": REPLAYS * 3 // 4})


@case(CASES, "graph-own", "program", "cupti")
def graph_own(run):
    """with --cuda-own, kernels of a graph belong to the range that their nodes were made in"""
    recording = record(run, [run.machine.program, "replay", REPLAYS],
                       options=["--cuda-own"]).recording
    run.equal("kernels", len(recording.kernels()), NODES * REPLAYS)
    operations = {row["Range"]: row["Total GPU Ops"]
                  for row in recording.rows("nvtx_gpu_proj_sum:captured")}
    run.equal("operations by range", operations, {":captured": NODES * REPLAYS})


@case(CASES, "graph-capture", "program", "cupti")
def graph_capture(run):
    """a graph can be captured while records are handed over, which is each second"""
    recorded = same(run, [run.machine.program, "replay", 1, 1500])
    run.equal("kernels", len(recorded.recording.kernels()), NODES + 1)


@case(CASES, "streams", "program", "cupti")
def streams(run):
    """long kernels of two streams overlap"""
    recording = record(run, [run.machine.program, "overlap"]).recording
    spins = [kernel for kernel in recording.kernels() if kernel["name"] == "spin"]
    run.equal("kernels", len(spins), 2)
    run.equal("streams", len({kernel["stream"] for kernel in spins}), 2)
    if len(spins) == 2:
        shared = (min(k["t"] + k["duration"] for k in spins) - max(k["t"] for k in spins))
        shortest = min(k["duration"] for k in spins)
        # The second launch takes some us, and the kernels take 200 ms.
        run.at_least("overlap", 100 * shared / shortest, 50, "%")
