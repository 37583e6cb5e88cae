# SPDX-License-Identifier: Apache-2.0
"""Stubs have the names, parameters and defaults of the modules."""
import ast
import importlib
import inspect
import pathlib

import pytest
import rangeline
from rangeline import _native

STUB = ast.parse(
    pathlib.Path(rangeline.__file__).with_name("_native.pyi").read_text("utf-8"))


def signature_of(function, is_method):
    """`name`, `name=default`, and where `*` and `/` are, as text."""
    a = function.args
    words = []
    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    for i, (argument, default) in enumerate(zip(positional, defaults)):
        words.append(argument.arg + (f"={ast.unparse(default)}" if default else ""))
        if a.posonlyargs and i == len(a.posonlyargs) - 1:
            words.append("/")
    words += ["*"] if a.kwonlyargs else []
    words += [k.arg + (f"={ast.unparse(d)}" if d else "")
              for k, d in zip(a.kwonlyargs, a.kw_defaults)]
    return words[1:] if is_method else words


def runtime_signature_of(callable_):
    text = callable_.__text_signature__.strip("()")
    words = [w.strip() for w in text.split(",")]
    words = [w for w in words if not w.startswith("$")]
    return words[1:] if words[:1] == ["/"] else words


def functions():
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            yield node.name, node, getattr(_native, node.name), False
        if isinstance(node, ast.ClassDef):
            # A class that is not there is what those that follow have in common.
            cls = getattr(_native, node.name, _native.Domain)
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield (f"{node.name}.{member.name}", member,
                           getattr(cls, member.name), True)


@pytest.mark.parametrize("name,stub,runtime,is_method",
                         [pytest.param(*f, id=f[0]) for f in functions()])
def test_parameters(name, stub, runtime, is_method):
    if any("property" in ast.unparse(d) or "setter" in ast.unparse(d)
           for d in stub.decorator_list):
        assert inspect.isdatadescriptor(runtime)
        return
    assert callable(runtime)
    if name.partition(".")[2].startswith("__") or not getattr(
            runtime, "__text_signature__", None):
        return
    ours, theirs = signature_of(stub, is_method), runtime_signature_of(runtime)
    assert [w.partition("=")[0] for w in ours] == [w.partition("=")[0] for w in theirs]
    for our, their in zip(ours, theirs):
        default = our.partition("=")[2].replace("'", '"')
        assert default in ("...", their.partition("=")[2]), (our, their)


def test_names():
    stub = {n.name for n in STUB.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    stub |= {n.target.id for n in STUB.body if isinstance(n, ast.AnnAssign)}
    from rangeline import nvtx
    public = {n for n in nvtx.__all__ if hasattr(_native, n)}
    assert {"annotate", "Domain", "mark"} <= public <= stub
    assert {n for n in stub if not n.startswith("_")} <= set(dir(_native))


def test_the_writers_stub():
    from rangeline.nvtx import writer
    path = pathlib.Path(rangeline.__file__).parent / "nvtx" / "writer.pyi"
    stub = ast.parse(path.read_text("utf-8"))
    names = {n.name: n for n in stub.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    names.update((a.name, None) for n in stub.body if isinstance(n, ast.ImportFrom)
                 for a in n.names if a.asname)
    assert set(names) == set(writer.__all__)
    for name, node in names.items():
        runtime = getattr(writer, name)
        members = node.body if isinstance(node, ast.ClassDef) else []
        members = {m.name: m for m in members if isinstance(m, ast.FunctionDef)}
        if members:
            assert {m for m in vars(runtime) if not m.startswith("_")} <= set(members)
        for member, m in members.items():
            there = inspect.getattr_static(runtime, member)
            if m.decorator_list:
                assert inspect.isdatadescriptor(there), (name, member)
            elif member != "__exit__":
                ours = [w.partition("=")[0] for w in signature_of(m, False)]
                theirs = [p.name for p in inspect.signature(there).parameters.values()]
                assert [w for w in ours if w != "*"] == theirs, (name, member)


MODULES = ["cupy_nvtx", "nvtxpy", "nvtx.writer", "torch", "trace"]


@pytest.mark.parametrize("name", MODULES)
def test_stubs_of_modules(name):
    module = importlib.import_module(f"rangeline.{name}")
    folder = pathlib.Path(rangeline.__file__).parent
    path = folder / f"{name.replace('.', '/')}.pyi"
    path = path if path.exists() else folder / name / "__init__.pyi"
    stub = ast.parse(path.read_text("utf-8"))
    # What `from ... import *` gives a type checker.
    (exported,) = (ast.literal_eval(n.value) for n in stub.body
                   if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    assert exported == module.__all__
    there = {n.name: n for n in stub.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))
             and not n.name.startswith("_")}
    for function, node in there.items():
        runtime = getattr(module, function)
        if not isinstance(node, ast.FunctionDef) or not inspect.isfunction(runtime):
            continue
        if any(p.kind is p.VAR_KEYWORD for p in inspect.signature(runtime).parameters.values()):
            continue
        ours = [w.partition("=")[0] for w in signature_of(node, False)]
        assert ours == list(inspect.signature(runtime).parameters), function


def test_names_of_the_package_have_types():
    stub = pathlib.Path(rangeline.__file__).with_name("__init__.pyi").read_text("utf-8")
    for name in "open", "Trace":
        assert f"{name} as {name}" in stub and hasattr(rangeline, name)
    for name in "__version__:", "def load_ipython_extension(":
        assert f"\n{name}" in stub
    from rangeline.nvtx import colors
    assert colors.color_to_hex.__annotations__ == {"color": object, "return": int}


def test_every_public_name_has_an_example():
    from rangeline import nvtx
    without = [n for n in nvtx.__all__ if ">>> " not in getattr(nvtx, n).__doc__]
    # Enumerations say which values there are.
    assert [n for n in without if not hasattr(getattr(nvtx, n), "__members__")] == []
