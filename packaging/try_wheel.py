# SPDX-License-Identifier: Apache-2.0
"""try_wheel.py ARCH ROOT PYTHON PIP WHEEL... - installs the wheels and uses them.

ROOT is the folder of a system without a compiler, PYTHON its interpreter and PIP pip's
wheel; both lie there, as do the WHEELs. The programs of x86-64 run in a chroot, those of
aarch64 in qemu. Prints what fails, and then `N passed, N failed, N skipped`."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

CHROOT = """for folder in proc dev; do mount --rbind /$folder "$0/$folder"; done
exec chroot "$0" sh -c 'cd /work; exec "$@"' sh "$@" """
PROGRAM = """import nvtx

@nvtx.annotate(domain="train")
def step(n):
    nvtx.mark("seen", payload=n)

for n in range(3):
    with nvtx.annotate("epoch"):
        step(n)
"""
WORKERS = """import multiprocessing

def work(n):
    return sum(range(n))

if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=work, args=(9,))
    child.start()
    child.join()
    assert child.exitcode == 0
"""
# The extension of each format, and what its file begins with (None: its folder).
FORMATS = {"sqlite": b"SQLite format 3", "jsonl": b"{", "perfetto": b"\n", "chrome": b"{",
           "json": b"{", "csv": b"", "folded": b"", "speedscope": b"{", "nvtxt": b"",
           "arrow": b"\xff\xff\xff\xff"}
ARROW_FORMATS = ["arrowdir", "parquetdir"]

arch, root, python, pip, *wheels = sys.argv[1:]
root = pathlib.Path(root)
work = root / "work"
packages = None  # of the environment, relative to work
emulator = ["qemu-aarch64", "-L", str(root)] if arch == "aarch64" else []
n_passed, failed, skipped = 0, [], []
ENV = {"PATH": os.environ["PATH"] if emulator else "/work/venv/bin:/usr/sbin:/usr/bin:/bin",
       "HOME": "/work", "LC_ALL": "C.UTF-8"}


def words(*command):
    """The words that run this command, by its path in root or in work."""
    if not emulator:
        return ["unshare", "-rm", "sh", "-ec", CHROOT, str(root), *map(str, command)]
    program, *rest = map(str, command)
    if program.startswith("/"):
        program = str(root) + program
    return [*emulator, program, *rest]


def run(*command):
    done = subprocess.run(words(*command), cwd=work, env=ENV, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}"
    return done.stdout


def rangeline(*arguments):
    """The command: by the script of pip, but emulated without it, which is a program of
    this machine's shell."""
    if not emulator:
        return run("rangeline", *arguments)
    return run(f"{packages}/rangeline/data/bin/rangeline", *arguments)


def profile(*options, program="train.py"):
    program = ["venv/bin/python", program]
    rangeline("profile", "-f", "true", "-o", "run.rln", *options,
              *(words(*program) if emulator else program))
    return rangeline("print", "run.rln")


def install():
    assert not shutil.which("cc", path=f"{root}/usr/bin"), "the root has a compiler"
    run(python, "-m", "venv", "--without-pip", "venv")
    run("venv/bin/python", f"{pip}/pip", "install", "--quiet", "--no-index",
        "--no-warn-script-location", *wheels)
    global packages
    (folder,) = work.glob("venv/lib/python3*/site-packages")
    packages = folder.relative_to(work)
    (work / "train.py").write_text(PROGRAM, encoding="utf-8")
    (work / "workers.py").write_text(WORKERS, encoding="utf-8")


def the_command_starts():
    version = re.search(r"rangeline-([\d.]+)-", wheels[0])[1]
    assert rangeline("--version") == f"rangeline {version}\n"
    if not emulator:
        line = run("venv/bin/python", "-m", "rangeline", "--version")
        assert line == f"rangeline {version}\n"


def documentation_is_there():
    for name in ["man/man1/rangeline-profile.1", "bash-completion/completions/rangeline"]:
        assert (work / "venv/share" / name).exists(), name
    assert "usage: rangeline stats" in rangeline("help", "stats")


def licenses_are_there():
    (folder,) = (work / packages).glob("rangeline-*.dist-info/licenses")
    found = {p.name for p in folder.iterdir()}
    assert {"LICENSE", "zlib", "libzstd", "sqlite3", "libmicrohttpd"} <= found, found


def cmake_packages_and_headers_are_there():
    for option, file in {"--cmake-dir": "rangeline/rangeline-config.cmake",
                         "--include-dir": "nvtx3/nvToolsExt.h"}.items():
        folder = pathlib.Path(rangeline(option).strip())
        if not emulator:
            folder = root / folder.relative_to("/")
        assert (folder / file).exists(), folder


def the_nvtxw_library_is_there():
    library = pathlib.Path(rangeline("--nvtxw-library").strip())
    assert (library if emulator else root / library.relative_to("/")).exists(), library


def the_drop_in_is_imported():
    assert run("venv/bin/python", "-W", "error", "-c",
               "import nvtx, nvtxpy, rangeline.nvtx; print(nvtx is rangeline.nvtx)"
               ) == "True\n"


def profile_records():
    events = profile()
    assert len(re.findall("push +epoch", events)) == 3, events
    assert len(re.findall("mark +seen", events)) == 3, events


def profile_annotates_pytorch():
    # PyTorch is not there: what is shown is that the program runs with the option.
    events = profile("--pytorch=ops")
    assert len(re.findall("push +epoch", events)) == 3, events


def profile_annotates_functions():
    events = profile("--python=functions")
    assert re.search(r"push +nvtx\.py:train\.step\b", events), events


def profile_annotates_functions_of_a_spawned_child():
    events = profile("--python=functions", program="workers.py")
    assert re.search(r"push +nvtx\.py:workers\.work\b", events), events


def profile_records_waits_for_the_interpreter_lock():
    events = profile("-t", "nvtx,python-gil")
    assert len(re.findall("push +epoch", events)) == 3, events
    assert "not recorded" not in rangeline("info", "run.rln")


def stats_sums():
    assert re.search(r"\b3\b.*epoch", rangeline("stats", "run.rln"))


def python_reads():
    assert run("venv/bin/python", "-c", "import rangeline\n"
               "print(len(rangeline.open('run.rln').ranges(name='epoch')))") == "3\n"


def exports(kind):
    rangeline("export", "-q", "-f", "true", "-t", kind, "-o", f"out.{kind}", "run.rln")
    if kind in FORMATS:
        assert (work / f"out.{kind}").read_bytes().startswith(FORMATS[kind])
    else:
        assert (work / f"out.{kind}").exists()


def exports_are_compressed():
    for extension in "gz", "zst":
        rangeline("export", "-q", "-f", "true", "-t", "chrome",
                  "-o", f"out.json.{extension}", "run.rln")
    assert gzip.decompress((work / "out.json.gz").read_bytes()).startswith(b"{")
    assert (work / "out.json.zst").read_bytes().startswith(b"\x28\xb5\x2f\xfd")


def view_writes_a_page():
    rangeline("view", "--html", "page.html", "run.rln")
    assert "<title>" in (work / "page.html").read_text(encoding="utf-8")


def view_serves():
    command = "rangeline" if not emulator else f"{packages}/rangeline/data/bin/rangeline"
    with subprocess.Popen(words(command, "view", "--no-open", "run.rln"), cwd=work,
                          env=ENV,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as server:
        try:
            lines = []
            while not (address := re.search(r"http://\S+", "".join(lines))):
                lines.append(server.stdout.readline())
                assert lines[-1], "".join(lines)
            with urllib.request.urlopen(address[0], timeout=30) as page:
                assert "<title>" in page.read().decode()
        finally:
            server.terminate()


def attempt(name, function, *arguments):
    global n_passed
    try:
        function(*arguments)
        n_passed += 1
    except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        failed.append(name)
        print(f"FAILED: {name}: ...{str(error)[-2000:]}")


def try_all():
    attempt("install", install)
    if failed:
        skipped.append("all else: it is not installed")
        return
    for test in [the_command_starts, documentation_is_there, licenses_are_there,
                 cmake_packages_and_headers_are_there, the_nvtxw_library_is_there,
                 the_drop_in_is_imported, profile_records,
                 profile_annotates_pytorch, stats_sums, python_reads,
                 exports_are_compressed, view_writes_a_page, view_serves]:
        attempt(test.__name__, test)
    for kind in FORMATS:
        attempt(f"exports {kind}", exports, kind)
    if emulator:  # an emulated program cannot start emulated programs
        skipped.append("python -m rangeline, arrow formats, --python=functions: emulated")
        return
    for test in [profile_annotates_functions, profile_annotates_functions_of_a_spawned_child,
                 profile_records_waits_for_the_interpreter_lock]:
        attempt(test.__name__, test)
    if any("pyarrow" in wheel for wheel in wheels):
        for kind in ARROW_FORMATS:
            attempt(f"exports {kind}", exports, kind)
    else:
        skipped.append("arrow formats: no pyarrow for this Python")


def main():
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try_all()
    for line in skipped:
        print(f"skipped: {line}")
    print(f"{n_passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    sys.exit(bool(failed))


main()
