# SPDX-License-Identifier: Apache-2.0
"""With `profile --nvtx=rangeline`, `import nvtx` imports rangeline.nvtx."""
import pathlib

import rangeline

STANDIN = str(pathlib.Path(rangeline.__file__).parent / "standin")

REAL = """
    import pathlib, sys
    folder = pathlib.Path("elsewhere/nvtx")
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("here = __name__\\n")
    (folder / "part.py").write_text("from nvtx import here\\n")
    sys.path.append("elsewhere")
"""


def test_nvtx_is_rangeline_nvtx(run_python):
    done = run_python("""
        import nvtx
        import rangeline.nvtx
        print(nvtx is rangeline.nvtx, nvtx.__name__)
    """, env={"PYTHONPATH": STANDIN})
    assert (done.stdout, done.stderr) == ("True rangeline.nvtx\n", "")


def test_import_nvtx_alone_brings_its_submodules(run_python):
    done = run_python("""
        import nvtx
        print(nvtx.nvtx.annotate is nvtx.annotate, nvtx.colors.__name__,
              nvtx._lib.lib.Domain is nvtx.Domain,
              nvtx._lib.counters.Counter is nvtx.Counter,
              nvtx._lib.time.TimestampType is nvtx.TimestampType)
    """, env={"PYTHONPATH": STANDIN})
    assert (done.stdout, done.stderr) == (
        "True rangeline.nvtx.colors True True True\n", "")


def test_a_submodule_is_one_module_by_both_names(run_python):
    done = run_python("""
        import pathlib, sys
        import rangeline._alias as alias
        home = pathlib.Path("package/inner")
        home.mkdir(parents=True)
        (home / "__init__.py").write_text("")
        (home.parent / "__init__.py").write_text("")
        (home / "part.py").write_text("print('loaded', __name__)\\n")
        sys.path.insert(0, ".")
        alias.lend("other", "package")
        import other.inner.part
        import package.inner.part
        print(other.inner.part is package.inner.part, other.inner.part.__spec__.name)
        try:
            import other.absent
        except ModuleNotFoundError as error:
            print(error)
    """)
    assert done.stderr == ""
    assert done.stdout == ("loaded package.inner.part\nTrue package.inner.part\n"
                           "No module named 'other.absent'\n")


def test_a_python_that_cannot_use_ours_gets_its_own(run_python, tmp_path):
    standin = tmp_path / "copied" / "rangeline" / "standin"
    standin.mkdir(parents=True)
    (standin / "nvtx").symlink_to(pathlib.Path(STANDIN) / "nvtx")
    done = run_python(REAL + """
    import nvtx
    import nvtx.part
    print(nvtx.here, nvtx.part.here, "standin" in nvtx.__file__)
    """, env={"PYTHONPATH": str(standin)})
    assert done.stdout == "nvtx nvtx False\n", done.stderr
    assert "RuntimeWarning: profile --nvtx=rangeline: rangeline.nvtx is not built for " \
        "this Python (No module named 'rangeline')" in done.stderr


def test_without_any_nvtx_the_import_fails_as_ever(run_python, tmp_path):
    standin = tmp_path / "copied" / "rangeline" / "standin"
    standin.mkdir(parents=True)
    (standin / "nvtx").symlink_to(pathlib.Path(STANDIN) / "nvtx")
    done = run_python("import nvtx", env={"PYTHONPATH": str(standin)})
    assert done.returncode == 1
    assert "ModuleNotFoundError: No module named 'nvtx'" in done.stderr
