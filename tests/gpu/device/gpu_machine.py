# SPDX-License-Identifier: Apache-2.0
"""What the machine has: a GPU, CUPTI, compilers, PyTorch; and builds what cases need.

lacks(NEED) returns why a need is not met, or None. It finds out once, and only if asked:
importing PyTorch takes seconds.
"""
import glob
import os
import pathlib
import platform
import re
import shutil
import site
import subprocess
import sys

from run_cases import clean_environment, last_line

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ["rangeline-cli", "rangeline-collect", "rangeline-cuda", "rangeline-gpu",
           "rangeline-gpu-metrics"]

# In a process of their own: a driver or CUPTI that hangs must not stop the others.
PROBE_DRIVER = """
import ctypes
driver = ctypes.CDLL("libcuda.so.1")
n, version = ctypes.c_int(), ctypes.c_int()
result = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(n))
driver.cuDriverGetVersion(ctypes.byref(version))
print(result, n.value, version.value)
"""
PROBE_CUPTI = """
import ctypes, sys
version = ctypes.c_uint32()
print(ctypes.CDLL(sys.argv[1]).cuptiGetVersion(ctypes.byref(version)), version.value)
"""
PROBE_TORCH = """
import torch
print(torch.__version__, torch.version.cuda, torch.cuda.is_available())
"""


class Machine:
    """The machine, and a tree of rangeline to test on it."""

    def __init__(self, root, build, cupti):
        self.root, self.own_build = root, not build
        self.build = (build or root / "build" / "gpu-run").resolve()
        self.rangeline = self.build / "bin" / "rangeline"
        self.cupti = cupti.resolve() if cupti else None
        self.work = None  # where programs are built
        self.failure = None  # of the build of rangeline
        self.known = {}  # need: why it is not met, or None
        self.cuda = 0  # that the driver serves: 13000
        self.cc = self.program = self.nvcc = self.toolkit = self.torch = None  # once found

    def lacks(self, need):
        if need not in self.known:
            self.known[need] = getattr(self, f"find_{need}")()
        return self.known[need]

    def describe(self, needs):
        """Yields (name, value); what no case needs is not looked for."""
        yield "Python", f"{platform.python_version()}, {platform.platform()}"
        why = self.lacks("gpu")
        if why:
            yield "GPU", f"none: {why}"
            return
        why = self.lacks("rangeline")
        yield "rangeline", why or self.say([self.rangeline, "--version"])[1].decode().split()[-1]
        why = self.lacks("program")
        yield "GPU", (f"of unknown name: {why}" if why else
                      self.say([self.program, "about"])[1].decode().strip())
        yield "driver", f"{driver_release()}, CUDA {self.cuda // 1000}.{self.cuda % 1000 // 10}"
        yield "CUPTI", self.lacks("cupti") or self.about_cupti()
        if "nvcc" in needs:
            yield "nvcc", self.lacks("nvcc") or self.nvcc
        if "torch" in needs:
            yield "PyTorch", self.lacks("torch") or self.torch

    # ---- Needs ------------------------------------------------------------------------

    def find_gpu(self):
        code, out, err = self.python(PROBE_DRIVER)
        if code:
            return f"there is no driver: {last_line(err)}"
        result, n, self.cuda = map(int, out.split())
        if result or not n:
            return f"the driver finds no GPU: cuInit {result}"
        return None

    def find_rangeline(self):
        if self.own_build:
            for tools in (["cmake"], ["make", "ninja"]):
                if not any(map(shutil.which, tools)):
                    return f"{tools[0]} is not installed"
            why = self.lacks("cc") or self.build_rangeline()
            if why:
                return why
        for path in (self.rangeline, self.build / "lib" / "librangeline-gpu.so"):
            if not path.exists():
                return f"there is no {path}"
        return None

    def find_cc(self):
        names = [os.environ.get("CC") or "cc", "gcc", "clang"]
        self.cc = next(filter(shutil.which, names), None)
        return None if self.cc else "a C compiler is not installed"

    def find_program(self):
        """The driver's program of the cases without a run-time."""
        self.program = self.build / "bin" / "gpu_program"
        if self.program.exists():  # a build with tests has it
            return None
        self.program = self.work / "gpu_program"
        return self.compile_c("-o", self.program, HERE / "gpu_program.c", "-ldl", "-lpthread")

    def find_cupti(self):
        if self.cupti:
            return None if self.cupti.exists() else f"there is no {self.cupti}"
        folders = [*os.environ.get("LD_LIBRARY_PATH", "").split(":")]
        for packages in [*site.getsitepackages(), site.getusersitepackages(), *sys.path]:
            folders += [f"{packages}/nvidia/cu1[0-9]/lib", f"{packages}/nvidia/cuda_cupti/lib"]
        for toolkit in (os.environ.get("CUDA_HOME", "/usr/local/cuda"), "/usr/local/cuda*"):
            folders += [f"{toolkit}/extras/CUPTI/lib64", f"{toolkit}/lib64"]
        folders += ["/usr/lib/*-linux-gnu", "/usr/lib64"]
        for major, soname in ((13, "libcupti.so.13"), (12, "libcupti.so.12"),
                              (11, "libcupti.so.11.8")):
            for folder in folders if major <= self.cuda // 1000 else []:
                for path in glob.glob(f"{folder}/{soname}") if folder else []:
                    self.cupti = pathlib.Path(path).resolve().parent / soname
                    return None
        return "CUPTI is not installed, or newer than the driver"

    def find_nvcc(self):
        self.nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        if not self.nvcc:
            return "nvcc is not installed"
        if not shutil.which("g++"):
            return "nvcc needs g++, which is not installed"
        # It may be a link or a script: it knows where its toolkit is.
        said = self.say([self.nvcc, "--dryrun", "x.cu"])[2].decode()
        found = re.search(r"^#\$ _HERE_=(.*)", said, re.M)
        self.toolkit = pathlib.Path(found.group(1) if found else self.nvcc).parent
        return None

    def find_torch(self):
        code, out, err = self.python(PROBE_TORCH)
        if code:
            return f"there is no PyTorch: {last_line(err)}"
        version, cuda, is_available = out.decode().split()
        if is_available != "True":
            return f"PyTorch {version} finds no GPU (built for CUDA {cuda})"
        self.torch = f"{version}, CUDA {cuda}"
        return None

    # ---- Building ---------------------------------------------------------------------

    def build_rangeline(self):
        """Release, without tests; each time, because the tree may be newer."""
        commands = [
            ["cmake", "-S", self.root, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release",
             "-DRLN_TESTS=OFF", "-DRLN_EXAMPLES=OFF",
             *([] if shutil.which("make") else ["-GNinja"])],
            ["cmake", "--build", self.build, f"-j{os.cpu_count()}", "--target", *TARGETS]]
        print("building rangeline...", file=sys.stderr)
        for command in commands:
            code, out, err = self.say(command, 400)
            if code:
                self.work.mkdir(parents=True, exist_ok=True)
                (self.work / "build.log").write_bytes(out + err)
                if b"or higher is required" in err:
                    return "CMake is too old"
                self.failure = last_line(err)
                return "rangeline cannot be built"
        return None

    def compile_c(self, *arguments):
        return self.lacks("cc") or self.compile([self.cc, "-std=gnu11", "-O2", *arguments])

    def compile(self, command):
        """Returns why the program cannot be built, or None."""
        self.work.mkdir(parents=True, exist_ok=True)
        code, out, err = self.say([*command, f"-I{self.root / 'include'}"], 120)
        return None if not code else f"{command[0]} fails: {last_line(err or out)}"

    def about_cupti(self):
        code, out, _ = self.python(PROBE_CUPTI, str(self.cupti))
        return f"version {out.split()[1].decode() if not code else 'unknown'}, {self.cupti}"

    # ---- Commands ---------------------------------------------------------------------

    def python(self, text, *arguments):
        return self.say([sys.executable, "-c", text, *arguments])

    @staticmethod
    def say(command, seconds=60):
        """Returns its status, or 124 if it takes too long, and its output."""
        try:
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=clean_environment(), check=False, timeout=seconds)
        except subprocess.TimeoutExpired:
            return 124, b"", f"no answer within {seconds} s".encode()
        return done.returncode, done.stdout, done.stderr


def driver_release():
    """The kernel says it, and in some containers only nvidia-smi does."""
    commands = [["cat", "/proc/driver/nvidia/version"],
                ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]]
    for command in commands:
        if shutil.which(command[0]):
            found = re.search(r"\b\d{3,}\.\d+(\.\d+)?\b", Machine.say(command)[1].decode())
            if found:
                return found.group()
    return "of unknown release"
