# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile --python=functions` annotates calls, and `--nvtx=rangeline` replaces
the package nvtx."""
import pathlib
import subprocess
import sys

import pytest
import rangeline
from conftest import RANGELINE, decode

pytestmark = pytest.mark.slow

PACKAGE = pathlib.Path(rangeline.__file__).parent

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
        events = decode(tmp_path / "run.rln") if done.returncode == 0 else []
        return done, [e["message"] for e in events if e["type"] == "push"]
    return run


@pytest.mark.parametrize("words, arguments", [
    (["train.py", "-m", "a"], "['train.py', '-m', 'a']"),
    (["python3", "train.py", "a"], "['train.py', 'a']"),
    (["python3", "-u", "-X", "dev", "train.py"], "['train.py']"),
    (["./script", "a"], "['./script', 'a']"),
])
def test_functions_are_annotated(profile, words, arguments):
    done, names = profile("--python=functions", *words)
    name = "script" if "script" in words[0] else "train.py"
    first = 2 if name == "script" else 1
    assert (done.returncode, done.stdout) == (0, f"__main__ {arguments}\n"), done.stderr
    # Until 3.9, a module begins at its first statement.
    begins = first if sys.version_info < (3, 10) else 1
    assert names == [f"{name}:{begins}(<module>)", f"{name}:{first + 1}(step)"]


def test_a_module_and_a_command_are_annotated(profile):
    done, names = profile("--python=functions", "python3", "-m", "train", "a")
    assert names == ["train.py:1(<module>)", "train.py:2(step)"], done.stderr
    done, names = profile("--python=functions", "python3", "-c",
                          "import sys\ndef f(): pass\nf(); print(sys.argv)", "a")
    assert names == ["<string>:1(<module>)", "<string>:2(f)"], done.stderr
    assert done.stdout == "['-c', 'a']\n"


@pytest.mark.parametrize("words", [["sh", "-c", "exit 0"], ["python3"], ["python3", "-X"]])
def test_what_is_no_python_program_is_refused(profile, words):
    done, _ = profile("--python=functions", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f'rangeline: cannot annotate functions: program="'
                                  f'{words[0]}": not a Python program\nhint: ')


def test_a_package_for_another_python_names_its_interpreter(tmp_path):
    package = tmp_path / "lib" / "python3.99" / "site-packages" / "rangeline"
    (package / "nvtx").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "nvtx" / "__init__.py").write_text("raise ImportError('no module')")
    (package / "_functions.py").write_text((PACKAGE / "_functions.py").read_text())
    install = f"`{sys.executable} -m pip install rangeline` (in a clone, `.`)"

    def hint():
        done = subprocess.run([sys.executable, package / "_functions.py", "train.py"],
                              stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 1
        return done.stderr.partition("\nhint: ")[2]

    assert hint() == f"{install}\n"
    python = tmp_path / "bin" / "python3.99"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    assert hint() == f"`rangeline profile --python=functions {python} SCRIPT.py`, or {install}\n"


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
