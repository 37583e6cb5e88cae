# SPDX-License-Identifier: Apache-2.0
"""A wheel built from the source archive installs into a clean environment, and works
there."""
import configparser
import os
import pathlib
import re
import signal
import subprocess
import zipfile

import pytest
from conftest import ROOT, decode

pytestmark = [pytest.mark.once, pytest.mark.by_choice]
VENV = ROOT / ".venv" / "bin"


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def builds():
    """That wheels can be built."""
    probe = [VENV / "python3", "-c", "import build, scikit_build_core"]
    if not probe[0].exists() or subprocess.run(probe, check=False,
                                               stderr=subprocess.DEVNULL).returncode:
        pytest.skip("build and scikit-build-core are not in .venv: `tools/setup test-all`")


@pytest.fixture(scope="module")
def wheels(builds, tmp_path_factory):
    """The wheels of both distributions, each made from its sdist."""
    place = tmp_path_factory.mktemp("wheels")
    for folder in ROOT, ROOT / "python" / "dropin":
        run(VENV / "python3", "-m", "build", "--no-isolation", "--sdist", "-o", place,
            folder)
    # What is in it and whether it works is the same however it is optimized.
    run(VENV / "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", place,
        *place.glob("*.tar.gz"),
        env={**os.environ, "SKBUILD_CMAKE_ARGS": "-DCMAKE_C_FLAGS_RELEASE=-O0"})
    return {re.match("[a-z_]+", w.name)[0]: w for w in place.glob("*.whl")}


@pytest.fixture(scope="module")
def environment(wheels, tmp_path_factory):
    place = tmp_path_factory.mktemp("environment")
    run(VENV / "python3", "-m", "venv", "--without-pip", place)
    run(VENV / "pip", "--python", place / "bin" / "python", "install", "--no-index",
        "--no-compile", *wheels.values())
    return place


@pytest.fixture
def clean_env(environment, monkeypatch):
    for name in "PYTHONPATH", "RANGELINE_BUILD":
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{environment / 'bin'}:/usr/bin:/bin")
    return environment


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if not name.endswith("/")]


def test_the_wheel_has_all_parts(wheels):
    names = names_in(wheels["rangeline"])
    for part in [r"rangeline/_native\.cpython-\d+-.*\.so", r"rangeline/py\.typed",
                 r"rangeline/standin/nvtx/__init__\.py", "rangeline/data/bin/rangeline",
                 r"rangeline/hook/sitecustomize\.py", r"rangeline/torch/__init__\.pyi?",
                 r"rangeline/data/lib/rangeline/librangeline-collect\.so",
                 r"rangeline/data/lib/librangeline\.so",
                 r"rangeline/data/include/nvtx3/nvToolsExt\.h",
                 r"rangeline/data/include/rangeline/.*\.h",
                 r"rangeline-.*\.data/data/share/man/man1/rangeline-profile\.1",
                 r"rangeline-.*\.data/scripts/rangeline",
                 r"rangeline-.*\.data/data/share/bash-completion/completions/rangeline"]:
        assert any(re.fullmatch(part, name) for name in names), part


def test_the_wheel_touches_nothing_of_its_environment(wheels):
    ours = re.compile(r"rangeline(/|-[\d.]+\.(dist-info/|data/scripts/rangeline$|"
                      r"data/data/share/(rangeline/|man/man1/rangeline|.*/_?rangeline(\.fish)?$)))")
    assert [n for n in names_in(wheels["rangeline"]) if not ours.match(n)] == []


def test_builds_by_scikit_build_core_find_the_cmake_packages(wheels):
    names = names_in(wheels["rangeline"])
    assert "rangeline/data/lib/cmake/rangeline/rangeline-config.cmake" in names
    (info,) = [n for n in names if n.endswith(".dist-info/entry_points.txt")]
    points = configparser.ConfigParser()  # builders differ in blanks
    with zipfile.ZipFile(wheels["rangeline"]) as archive:
        points.read_string(archive.read(info).decode())
    assert {name: dict(points[name]) for name in points.sections()} == {
        "cmake.prefix": {"rangeline": "rangeline.data"}}


def test_a_package_without_the_command_uses_that_of_its_prefix(builds, tmp_path):
    run(VENV / "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, ROOT,
        "-C", "cmake.define.RLN_INSTALL=OFF", "-C", "build.targets=rangeline-native",
        "-C", "cmake.define.RLN_PYTHON_OPTIMIZE=-O0", "-C", f"build-dir={tmp_path}/build")
    (wheel,) = tmp_path.glob("*.whl")
    assert [n for n in names_in(wheel) if "data/" in n] == ["rangeline/data/__init__.py"]
    run(VENV / "python3", "-m", "venv", "--without-pip", tmp_path / "prefix")
    python = tmp_path / "prefix" / "bin" / "python"
    run(VENV / "pip", "--python", python, "install", "--no-index", "--no-compile", wheel)
    command = tmp_path / "prefix" / "bin" / "rangeline"
    command.write_text("#!/bin/sh\necho this one\n", encoding="utf-8")
    command.chmod(0o755)
    env = {"PATH": "/usr/bin:/bin"}  # of an environment that is not activated
    assert run(python, "-m", "rangeline", cwd=tmp_path, env=env).stdout == "this one\n"


def test_the_drop_in_has_the_version_of_the_package(wheels):
    versions = {name: wheel.name.split("-")[1] for name, wheel in wheels.items()}
    assert versions == dict.fromkeys(["rangeline", "rangeline_nvtx"],
                                     versions["rangeline"])


@pytest.mark.parametrize("command", [["rangeline"], ["python", "-m", "rangeline"]])
def test_the_command_runs(clean_env, command):
    version = run(*command, "--version").stdout
    assert version == f"rangeline {installed_version(clean_env)}\n"


def ignored_signals(*before):
    """Those of a program that is started with these words before its own."""
    status = run(*before, "grep", "SigIgn", "/proc/self/status").stdout
    mask = int(status.split()[1], 16)
    return {s for s in signal.Signals if mask >> s - 1 & 1}


@pytest.mark.parametrize("command", [["rangeline"], ["python", "-m", "rangeline"]])
def test_the_command_ignores_no_signal(clean_env, tmp_path, command):
    recorded = ignored_signals(*command, "profile", "-o", tmp_path / "run")
    assert recorded == ignored_signals()


def test_what_the_caller_ignores_stays_ignored(clean_env, tmp_path):
    linked = tmp_path / "linked"  # as installers of programs do it
    linked.symlink_to(clean_env / "bin" / "rangeline")
    recorded = ignored_signals("sh", "-c", "trap '' PIPE; \"$0\" \"$@\"", linked,
                               "profile", "-o", tmp_path / "run")
    assert recorded - ignored_signals() == {signal.SIGPIPE}


def installed_version(place):
    return run(place / "bin" / "python", "-c",
               "import rangeline; print(rangeline.__version__)").stdout.strip()


def test_nvtx_is_rangeline_nvtx(clean_env, tmp_path):
    done = run("python", "-W", "error", "-c",
               "import nvtx, rangeline.nvtx; print(nvtx is rangeline.nvtx)\n"
               "import nvtx._lib.lib; print(nvtx._lib.lib is rangeline.nvtx._lib.lib)\n"
               "import nvtxpy; print(nvtxpy.__name__)", cwd=tmp_path)
    assert done.stdout == "True\nTrue\nrangeline.nvtxpy\n"


def test_nvtxpy_is_rangeline_nvtxpy(clean_env, tmp_path):
    done = run("python", "-W", "error", "-c", "import nvtxpy, rangeline.nvtxpy; "
               "print(nvtxpy is rangeline.nvtxpy)", cwd=tmp_path)
    assert done.stdout == "True\n"


def test_an_nvtx_below_it_is_noticed(clean_env, tmp_path):
    (nvtx,) = clean_env.glob("lib/python*/site-packages/nvtx")
    (nvtx / "_lib").mkdir()
    try:
        done = run("python", "-c", "import nvtx", cwd=tmp_path)
    finally:
        (nvtx / "_lib").rmdir()
    assert "RuntimeWarning: NVIDIA's distribution nvtx is installed under" in done.stderr


@pytest.mark.parametrize("command", [["rangeline"], ["python", "-m", "rangeline"]])
def test_profile_finds_the_collector_of_the_wheel(clean_env, tmp_path, command):
    program = tmp_path / "train.py"
    program.write_text("import nvtx\nnvtx.mark('begun', domain='train')\n", encoding="utf-8")
    run(*command, "profile", "-o", tmp_path / "run.rln", "python", program, cwd=tmp_path)
    events = [e for e in decode(tmp_path / "run.rln") if e["type"] == "mark"]
    assert [(e["domain"], e["message"]) for e in events] == [("train", "begun")]


def test_options_for_python_need_nothing_else(clean_env, tmp_path):
    (tmp_path / "train.py").write_text("import nvtx\ndef f(): nvtx.mark('m')\nf()\n",
                                       encoding="utf-8")
    run("rangeline", "profile", "--python=mine", "--nvtx=rangeline", "-o", "run",
        "train.py", cwd=tmp_path)
    events = decode(tmp_path / "run.rln")
    assert [e["message"] for e in events if e["type"] in ("push", "mark")] == [
        "train.<module>", "train.f", "m"]


def test_programs_in_c_can_be_built_with_its_headers(clean_env, tmp_path):
    (data,) = clean_env.glob("lib/python*/site-packages/rangeline/data")
    (tmp_path / "p.c").write_text("#include <nvtx3/nvToolsExt.h>\n"
                                  "int main(void) { nvtxMarkA(\"m\"); return 0; }\n",
                                  encoding="utf-8")
    run("cc", "-I", data / "include", "-o", tmp_path / "p", tmp_path / "p.c", "-ldl")
    run("rangeline", "profile", "-o", tmp_path / "run.rln", tmp_path / "p")
    assert decode(tmp_path / "run.rln")[-1]["message"] == "m"


def test_man_finds_the_pages(clean_env):
    pages = sorted(p.name for p in pathlib.Path(clean_env, "share/man/man1").iterdir())
    assert {"rangeline.1", "rangeline-profile.1", "rangeline-stats.1"} <= set(pages)
