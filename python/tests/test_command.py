# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile --python=functions` annotates calls, and `--nvtx=rangeline` replaces
the package nvtx."""
import json
import pathlib
import subprocess
import sys

import pytest
import rangeline
from conftest import BUILD, RANGELINE, decode

pytestmark = pytest.mark.slow

PACKAGE = pathlib.Path(rangeline.__file__).parent

# What Python calls before a program's own code (a finder of setuptools), and after it.
OF_PYTHON = "__editable__", "_distutils_hack", "_virtualenv", "threading."

PROGRAM = """import sys
def step(n):
    return n
step(1)
print(__name__, sys.argv)
"""


@pytest.fixture
def profile(tmp_path, monkeypatch):
    """profile(word...) -> the run, and the messages of what was pushed."""
    (tmp_path / "train.py").write_text(PROGRAM)
    script = tmp_path / "script"
    script.write_text(f"#!{sys.executable} -u\n{PROGRAM}")
    script.chmod(0o755)
    monkeypatch.setenv("RANGELINE_PYTHON", str(PACKAGE))
    monkeypatch.setenv("PATH", f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin")
    monkeypatch.delenv("PYTHONPATH", raising=False)

    def run(*words):
        done = subprocess.run([RANGELINE, "profile", "-o", "run", "-f", "true", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, cwd=tmp_path)
        trace = tmp_path / "run.rln"
        events = decode(trace) if done.returncode == 0 and trace.exists() else []
        names = [e["message"] for e in events if e["type"] == "push"]
        return done, [n for n in names if not n.startswith(OF_PYTHON)]
    return run


@pytest.mark.parametrize("words, arguments", [
    (["train.py", "-m", "a"], "['train.py', '-m', 'a']"),
    (["python3", "train.py", "a"], "['train.py', 'a']"),
    (["python3", "-u", "-X", "dev", "train.py"], "['train.py']"),
    (["./script", "a"], "['./script', 'a']"),
])
def test_functions_are_annotated(profile, words, arguments):
    done, names = profile("--python=functions", *words)
    name = "script" if "script" in words[0] else "train"
    assert (done.returncode, done.stdout) == (0, f"__main__ {arguments}\n"), done.stderr
    assert names == [f"{name}.<module>", f"{name}.step"]


def test_a_module_and_a_command_are_annotated(profile):
    done, names = profile("--python=functions", "python3", "-m", "train", "a")
    # Before it, Python imports what runs a module, and from 3.13 on keeps the command's text.
    assert names[-2:] == ["train.<module>", "train.step"], done.stderr
    done, names = profile("--python=functions", "python3", "-c",
                          "import sys\ndef f(): pass\nf(); print(sys.argv)", "a")
    assert names[-2:] == ["__main__.<module>", "__main__.f"], done.stderr
    assert done.stdout == "['-c', 'a']\n"


POOL = """import multiprocessing, sys
def work(n):
    return n
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        pool.map(work, range(5), chunksize=1)
        pool.close()
        pool.join()
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_every_call_of_every_worker_is_annotated(profile, tmp_path, method):
    (tmp_path / "pool.py").write_text(POOL)
    done, names = profile("--python=functions", "pool.py", method)
    assert done.returncode == 0, done.stderr
    assert names.count("pool.work") == 5, done.stderr
    _, names = profile("--python=mine", "pool.py", method)
    assert set(names) == {"pool.<module>", "pool.work"}


@pytest.mark.parametrize("words", [
    ["bash", "-c", "python3 train.py a"],
    ["env", "python3", "train.py", "a"],
    ["timeout", "60", "python3", "train.py", "a"],
    ["python3", "-c", "import subprocess; subprocess.run(['python3', 'train.py', 'a'])"],
])
def test_a_python_that_something_else_starts_is_annotated(profile, words):
    done, names = profile("--python=functions", *words)
    assert done.stdout == "__main__ ['train.py', 'a']\n", done.stderr
    assert "train.step" in names


NAMES = """
class Base:
    def method(self): pass
    def __call__(self): pass
    @classmethod
    def made(cls): return cls()
    @property
    def size(self): return 0
class Derived(Base):
    def method(self): return super().method()
def outer():
    def inner(): return [n for n in ()]
    inner()
d = Derived.made()
d.method(); d(); d.size; outer()
(lambda: 0)()
import dataclasses
@dataclasses.dataclass
class Point:
    x: int
    def method(self):
        return lambda: self
Point(1).method()
"""


def test_a_function_has_its_qualified_name(profile, tmp_path):
    (tmp_path / "names.py").write_text(NAMES)
    done, names = profile("--python=mine", "names.py")
    assert done.returncode == 0, done.stderr
    called = ["Base.made", "Derived.method", "Base.method", "Base.__call__", "Base.size",
              "Point.__init__", "Point.method"]
    if sys.version_info < (3, 10):  # dataclasses do not say so themselves
        called.remove("Point.__init__")
    if sys.version_info >= (3, 11):  # before, a code object does not know its class
        assert "names.outer.<locals>.inner" in names
    assert [n for n in names if n.split(".", 1)[1] in called] == [
        f"names.{n}" for n in called]
    assert "names.<lambda>:16" in names


def test_a_function_has_its_file_and_line(profile, tmp_path):
    (tmp_path / "names.py").write_text(NAMES)
    profile("--python=mine", "names.py")
    lines = subprocess.run([RANGELINE, "print", "--json", "run.rln"], cwd=tmp_path,
                           stdout=subprocess.PIPE, check=True).stdout.splitlines()
    events = [json.loads(line) for line in lines]
    places = {e["message"]: (e.get("file"), e.get("line")) for e in events
              if e["type"] == "push"}
    assert places["names.Derived.method"] == (str(tmp_path / "names.py"), 10)
    assert not [e for e in events if e["type"] == "resource"]


@pytest.mark.parametrize("options, found", [
    (["--python=mine"], {"train", "mine"}),
    (["--python-include=json.decoder"], {"json.decoder"}),
    (["--python-include=*.loads,train"], {"json", "train"}),
    (["--python-include=lib/mine.py"], {"mine"}),
    (["--python-include=lib/"], {"mine"}),
    (["--python=mine", "--python-include=json.decoder"], {"train", "mine", "json.decoder"}),
    (["--python=mine", "--python-exclude=mine"], {"train"}),
])
def test_patterns_choose_functions(profile, tmp_path, options, found):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "mine.py").write_text("def f(): pass\n")
    (tmp_path / "train.py").write_text(
        "import sys; sys.path.insert(0, 'lib'); import json, mine\n"
        "mine.f(); json.loads('[1]')\n")
    done, names = profile(*options, "train.py")
    assert {n.rpartition(".")[0] for n in names if "JSON" not in n} | {
        "json.decoder" for n in names if "JSON" in n} == found, done.stderr


DISPLACED = """import cProfile, sys, threading
def f(): pass
def section():
    p = cProfile.Profile(); p.enable(); f(); p.disable()
    f()
def thread():
    p = cProfile.Profile(); p.enable(); f(); p.disable()
section(); f()
old = sys.getprofile(); sys.setprofile(lambda *a: None); f(); sys.setprofile(old); f()
if len(sys.argv) > 1:
    t = threading.Thread(target=thread); t.start(); t.join()
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="until 3.11")
def test_recording_goes_on_after_a_programs_own_profiler(profile, tmp_path):
    (tmp_path / "d.py").write_text(DISPLACED)
    done, names = profile("--python=mine", "d.py")
    # In its section, one call is missing, and one under the program's own function.
    assert names == ["d.<module>", "d.section", "d.f", "d.f", "d.f"], done.stderr
    done, names = profile("--python=mine", "d.py", "in a thread, too")
    assert names[5:] == ["d.thread"] and done.stderr.count("are not complete") == 1


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="until 3.11")
def test_a_worker_that_profiles_itself_is_named(profile, tmp_path):
    (tmp_path / "w.py").write_text(
        "import cProfile, multiprocessing as m\n"
        "def work():\n    p = cProfile.Profile(); p.enable(); p.disable()\n"
        "if __name__ == '__main__':\n"
        "    w = m.get_context('fork').Process(target=work); w.start(); w.join()\n")
    done, names = profile("--python=mine", "w.py")
    assert names[1:] == ["w.work"] and "are not complete" in done.stderr


SETTERS = """import sys, threading
failures = []
def work():
    begin.wait()
    for _ in range(200):
        try:
            sys.setprofile(lambda *a: None); sys.setprofile(None)
        except RuntimeError as error:
            failures.append(error)
begin = threading.Barrier(8)
threads = [threading.Thread(target=work) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(failures)
"""


def test_threads_that_profile_themselves_do_not_fail(profile, tmp_path):
    (tmp_path / "s.py").write_text(SETTERS)
    done, _ = profile("--python=mine", "s.py")
    assert done.stdout == "[]\n"
    assert ("are not complete" in done.stderr) == (sys.version_info < (3, 12))


PROFILED = """import cProfile
def before(): pass
def during(): pass
before()
p = cProfile.Profile(); p.enable(); during(); p.disable()
print(sorted(s.code.co_name for s in p.getstats() if hasattr(s.code, "co_name")))
"""


def test_a_programs_own_profiler_works_beside_ours(profile, tmp_path):
    (tmp_path / "profiled.py").write_text(PROFILED)
    done, names = profile("--python=mine", "profiled.py")
    assert (done.returncode, done.stdout) == (0, "['during']\n"), done.stderr
    assert "profiled.before" in names
    if sys.version_info >= (3, 12):
        assert "profiled.during" in names and "not recorded" not in done.stderr
    else:
        assert "are not complete: it set another profile function" in done.stderr


def test_a_python_that_ignores_the_environment_is_named(profile):
    done, names = profile(
        "--python=mine", "python3", "-c", "import subprocess, sys\n"
        "def f(): subprocess.run([sys.executable, '-I', '-c', 'import time; time.sleep(2.5)'])\n"
        "f()")
    assert "__main__.f" in names
    assert "were not recorded: `" in done.stderr and "-I -c" in done.stderr
    assert "without -I, -E, -S" in done.stderr


@pytest.mark.parametrize("words", [
    ["env", "python3", "train.py"], ["bash", "-c", "python3 train.py; exit 3"], ["./run.sh"],
])
def test_what_starts_a_python_is_told_so_too(profile, tmp_path, words):
    (tmp_path / "run.sh").write_text("#!/bin/sh\npython3 train.py\n")
    (tmp_path / "run.sh").chmod(0o755)
    done, _ = profile(*words)
    assert "hint: this records its functions: `rangeline profile --python=functions" in (
        done.stderr)


def test_an_isolated_program_is_told_why(profile):
    done, _ = profile("python3", "-I", "train.py")
    assert "--python=functions" not in done.stderr and "hint: annotate it:" in done.stderr
    done, _ = profile("--python=functions", "python3", "-I", "train.py")
    assert "`python3 -I train.py` ignores the environment" in done.stderr
    assert "patterns exclude" not in done.stderr
    done, _ = profile("--python-include=nothing", "python3", "train.py")
    assert "patterns exclude all functions" in done.stderr


@pytest.mark.parametrize("words, status", [
    (["missing.py"], 2), (["-m", "missing"], 1), (["wrong.py"], 1),
    (["-c", "import sys; sys.exit(3)"], 3),
])
def test_a_program_that_failed_before_its_first_function_is_told_how(
        profile, tmp_path, words, status):
    (tmp_path / "wrong.py").write_text("def f(:\n")
    done, _ = profile("--python=mine", "--python-exclude=__main__", "python3", *words)
    assert (f"no trace written: the program ended with status {status} before it recorded "
            "a range or mark\n") in done.stderr
    assert "hint:" not in done.stderr


def test_an_installed_program_is_told_what_records_it(profile):
    done, _ = profile("--python=mine", "python3", "-m", "json.tool", "--help")
    assert "no trace written: the program recorded no range and no mark\n" in done.stderr
    assert ("hint: only functions of Python and of installed packages ran, or patterns "
            "exclude the others: --python=functions records all, "
            "--python-include=PACKAGE those of PACKAGE\n") in done.stderr
    assert "environment" not in done.stderr


def test_a_program_without_annotations_is_told_what_to_type(profile):
    done, _ = profile("python3", "train.py", "a b")
    assert ("hint: this records its functions: `rangeline profile --python=functions -o "
            "run -f true python3 train.py 'a b'`") in done.stderr
    assert "nvtxRangePush" not in done.stderr and "32-bit" not in done.stderr


def test_the_programs_own_sitecustomize_runs(profile, tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("print('own')\n")
    done, names = profile("--python=functions", "-e", f"PYTHONPATH={folder}", "train.py")
    assert done.stdout == "own\n__main__ ['train.py']\n", done.stderr
    assert "train.step" in names


def test_an_error_is_reported_as_without_us(profile, tmp_path):
    (tmp_path / "fails.py").write_text("def f():\n    raise KeyError('x')\nf()\n")
    done, _ = profile("--python=functions", "python3", "fails.py")
    alone = subprocess.run([sys.executable, "fails.py"], stderr=subprocess.PIPE, text=True,
                           check=False, cwd=tmp_path)
    assert done.returncode == alone.returncode == 1
    assert done.stderr.startswith(alone.stderr)


def test_a_python_without_the_package_is_named(profile, tmp_path, monkeypatch):
    package = tmp_path / "package" / "rangeline"
    (package / "hook").mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('not for this Python')\n")
    hook = (PACKAGE / "hook" / "sitecustomize.py").read_text()
    (package / "hook" / "sitecustomize.py").write_text(hook)
    monkeypatch.setenv("RANGELINE_PYTHON", str(package))
    done, _ = profile("--python=functions", "python3", "train.py")
    assert done.stdout == "__main__ ['train.py']\n"
    assert "were not recorded: rangeline is not built for " in done.stderr
    assert "-m pip install .` in a clone (or a wheel's path for `.`)\n" in done.stderr
    assert "no process could record" not in done.stderr


def test_a_script_may_start_a_python_that_has_the_package(profile, tmp_path, monkeypatch):
    if (BUILD / "python" / "package").exists():
        pytest.skip("a package of this build is found instead")
    monkeypatch.delenv("RANGELINE_PYTHON")
    (tmp_path / "run.sh").write_text(f"PYTHONPATH=$PYTHONPATH:{PACKAGE.parent} python3 train.py\n"
                                     "python3 train.py without\n")
    for which in "functions", "mine":
        done, names = profile(f"--python={which}", "bash", "run.sh")
        assert done.returncode == 0, done.stderr
        assert names == ["train.<module>", "train.step"]
        assert done.stderr.count("were not recorded: rangeline is not built for ") == 1
    done, _ = profile("--python=mine", "python3", "train.py")
    assert done.returncode == 2 and "package rangeline is not installed" in done.stderr


def test_what_python_prints_at_its_start_is_no_answer(profile, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("print('hello\\nworld', end='')\n")
    monkeypatch.delenv("RANGELINE_PYTHON")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'own'}:{PACKAGE.parent}")
    done, names = profile("--python=functions", "python3", "train.py")
    assert done.stdout == "hello\nworld__main__ ['train.py']\n", done.stderr
    assert "train.step" in names


def test_nvtx_is_ours_when_told_so(profile):
    done, names = profile(
        "--nvtx=rangeline", "-e", "PYTHONPATH=/elsewhere", "python3", "-c",
        "import nvtx, sys; print(nvtx.__name__, sys.path[1:3])\n"
        "with nvtx.annotate('step'): pass")
    assert names == ["step"], done.stderr
    assert done.stdout == f"rangeline.nvtx ['{PACKAGE}/standin', '/elsewhere']\n"


def test_a_package_that_is_not_there_is_named(profile, monkeypatch):
    monkeypatch.setenv("RANGELINE_PYTHON", "/nowhere")
    for option, what in (("--nvtx=rangeline", "replace nvtx by rangeline"),
                         ("--pytorch", "hook into PyTorch"),
                         ("--python=functions", "annotate functions")):
        done, _ = profile(option, "python3", "train.py")
        assert done.returncode == 2
        assert f'cannot {what}: path="/nowhere/' in done.stderr
        assert "hint: `pip install .`; in" in done.stderr
