# SPDX-License-Identifier: Apache-2.0
"""What programs and libraries ask of a decorated function has the same answer recorded
as alone.

Without a tool, a decorator returns its argument: that is the measure. Each program
prints what it finds; it runs alone and recorded, and must print the same. Programs that
use other packages are by choice, and must print that with NVIDIA's package, too.
"""
import os
import subprocess
import sys

import pytest

from conftest import recorded, source_of

# The seven kinds, as attributes of a class and as plain functions.
KINDS = """
import asyncio, copy, functools, inspect, pickle, sys, types, typing, weakref
import MODULE as nvtx

def outer(n):
    @nvtx.annotate("inside")
    def inside(x, *args, key: "int" = 3, **kwargs) -> float:
        "What it is for."
        return x, args, key, kwargs, n
    return inside

class C:
    @nvtx.annotate("method")
    def method(self, x: int = 1): return self, x
    @staticmethod
    @nvtx.annotate("static")
    def static(x=1): return x
    @nvtx.annotate("static outside")
    @staticmethod
    def static_outside(x=1): return x
    @classmethod
    @nvtx.annotate("class")
    def class_(cls, x=1): return cls, x
    @nvtx.annotate("coroutine")
    async def coroutine(self, x=1): return x
    @nvtx.annotate("generator")
    def generator(self, x=1): yield x
    @nvtx.annotate("async generator")
    async def asyncgen(self, x=1): yield x
    @property
    @nvtx.annotate("property")
    def size(self): return 4
    def plain(self): return 5

@nvtx.annotate("function")
def function(a, b: int = 2, *args, c: "str", **kwargs) -> float:
    "What it is for."
    return a, b, args, c, kwargs
@nvtx.annotate("coroutine")
async def coroutine(x=1): return x
@nvtx.annotate("generator")
def generator(x=1): yield x
@nvtx.annotate("async generator")
async def asyncgen(x=1): yield x
@types.coroutine
def old(x=1): yield x
old = nvtx.annotate("old")(old)

function(1, c=2)
MEMBERS = [C.method, C.static, C.static_outside, C.coroutine, C.generator, C.asyncgen]
FUNCTIONS = [function, coroutine, generator, asyncgen, old, outer(1), *MEMBERS]
BOUND = [C().method, C.class_, C().coroutine, C().generator, C().asyncgen]

def show(*values):
    print(*(str(v).split(" at 0x")[0] for v in values))
def attempt(ask, *arguments):
    try:
        answer = ask(*arguments)
    except Exception as error:
        answer = type(error).__name__, str(error)
    return str(answer).split(" at 0x")[0]
"""

ASKS = {
    "inspect": """
for f in FUNCTIONS + BOUND:
    for ask in (inspect.isfunction, inspect.ismethod, inspect.isroutine, inspect.isbuiltin,
                inspect.ismethoddescriptor, inspect.iscoroutinefunction,
                inspect.isgeneratorfunction, inspect.isasyncgenfunction,
                asyncio.iscoroutinefunction, inspect.signature, inspect.getfullargspec,
                inspect.getfile, inspect.getsourcefile, inspect.getsource,
                inspect.getmodule, inspect.getclosurevars, inspect.getdoc,
                inspect.unwrap, callable, typing.get_type_hints):
        print(f.__qualname__, ask.__name__, attempt(ask, f))
""",
    "members of a class": """
for kind in (inspect.isfunction, inspect.isroutine, inspect.ismethod,
             inspect.iscoroutinefunction):
    print([name for name, _ in inspect.getmembers(C, kind)])
    print([name for name, _ in inspect.getmembers(C(), kind)])
print([(a.name, a.kind) for a in inspect.classify_class_attrs(C)
       if a.defining_class is C])
print([name for name, value in vars(C).items() if isinstance(value, types.FunctionType)])
""",
    "attributes": """
for f in FUNCTIONS:
    print(f.__qualname__, sorted(dir(f)))
    for name in sorted(dir(f)):
        if name not in ("__builtins__", "__globals__", "__call__", "__get__",
                        "__reduce__", "__reduce_ex__"):
            print(name, attempt(lambda: getattr(f, name)))
    print(f.__class__, isinstance(f, types.FunctionType), f.__class__ is types.FunctionType)
    print(vars(f), f.__globals__ is globals())
    print(attempt(lambda: f.missing), attempt(lambda: setattr(f, "__code__", 3)))
    f.tag = 5
    print(f.tag, vars(f), hasattr(f, "__wrapped__"))
    del f.tag
    print(attempt(lambda: f.tag), vars(f))
""",
    "what is set": """
def other(a, b=3, *args, c="d", **kwargs): return "other"
function.__code__ = other.__code__
print(function(1, c=2))
function.__defaults__ = (8, 9)
function.__kwdefaults__ = {"c": "e"}
function.__name__, function.__qualname__, function.__doc__ = "f", "F.f", "doc"
print(function(), function.__name__, repr(function).split(" at ")[0], function.__doc__)
function.__dict__ = {"x": 1}
print(function.x, vars(function))
plain = lambda: 1
annotated = nvtx.annotate("m")(plain)
annotated.late = 6
print(plain.late, annotated == plain, plain == annotated, annotated != plain,
      hash(annotated) == hash(plain), {plain: 1}[annotated], len({plain, annotated}))
print(nvtx.annotate("n")(annotated) == plain, annotated == (lambda: 1), annotated == 3)
""",
    "calls": """
print(function(1, c=2), function(1, 2, 3, c=4, d=5), outer(7)(1, 2, key=4, more=5))
print(function.__call__(1, c=2), function.__get__(3)(c=2)[0], C.method.__get__(4)())
print(types.MethodType(function, 3)(c=2)[0], functools.partial(function, c=1)(2))
print(attempt(lambda: function()), attempt(lambda: C().method(1, 2)))
c = C()
print(c.method(2)[1], C.static(2), C.static_outside(3), C.class_(4), c.size)
print(asyncio.run(c.coroutine(5)), list(c.generator(6)), asyncio.run(coroutine(7)))
async def drain():
    return [x async for x in c.asyncgen(8)] + [x async for x in asyncgen(9)]
print(asyncio.run(drain()), list(map(abs, generator(-1))), list(old(2)))
print(c.method.__func__ is C.method, c.method == c.method, c.method.__self__ is c)
print(list(map(C.static, [1, 2])), sorted([3, 1], key=C.static))
class WithInit:
    @nvtx.annotate("init")
    def __init__(self, x): self.x = x
    @nvtx.annotate("item")
    def __getitem__(self, i): return i
    @nvtx.annotate("call")
    def __call__(self, x): return x
def make(n): return [WithInit(i).x + WithInit(1)[i] + WithInit(1)(i) for i in range(n)]
print(sum(make(100)))
""",
    "copies": """
for f in [function, generator, outer(1), C.method]:
    print(copy.copy(f) is f, copy.deepcopy(f) is f, weakref.ref(f)() is f)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        print(attempt(lambda: pickle.loads(pickle.dumps(f, protocol)) == f))
def plain(x): return x
print(pickle.loads(pickle.dumps(nvtx.annotate("another")(plain)))(4))
class Callable:
    def __call__(self, x): return x
for f in len, [].append, Callable():
    print(attempt(lambda: pickle.loads(pickle.dumps(nvtx.annotate("c")(f)))("a")))
@nvtx.annotate("cached")
@functools.lru_cache(None)
def cached(x): return x
print(pickle.loads(pickle.dumps(cached))(3))
print(copy.deepcopy({"f": function, "m": C().method.__func__})["f"] is function)
""",
    "wrappers": """
def twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs): return f(*args, **kwargs), f(*args, **kwargs)
    return wrapper
w = nvtx.annotate("outside")(twice(nvtx.annotate("inside")(twice(function))))
print(w(1, c=2), inspect.signature(w), w.__wrapped__ == w.__wrapped__, w.__name__)
print(inspect.unwrap(w) == function, vars(w).keys(), inspect.isfunction(w))
@functools.lru_cache(None)
@nvtx.annotate("cached")
def cached(x): return [x]
print(cached(1) is cached(1), cached.cache_info(), cached.__wrapped__.__name__)
@functools.singledispatch
@nvtx.annotate("general")
def general(x): return "general"
@general.register(int)
@nvtx.annotate("of an int")
def _(x): return "int"
print(general("a"), general(1))
@typing.final
@typing.no_type_check
@nvtx.annotate("final")
def final(x: int): return x
print(getattr(final, "__final__", None), final.__no_type_check__, typing.get_type_hints(final))
import abc
class Base(abc.ABC):
    @abc.abstractmethod
    @nvtx.annotate("abstract")
    def m(self): pass
print(attempt(Base), Base.__abstractmethods__)
import contextlib
@contextlib.contextmanager
@nvtx.annotate("manager")
def manager(): yield 5
with manager() as value: print(value)
""",
    "registries": """
class Registry(type):
    def __new__(meta, name, bases, namespace):
        cls = super().__new__(meta, name, bases, namespace)
        cls.names = [n for n, v in namespace.items() if isinstance(v, types.FunctionType)]
        cls.tagged = [n for n, v in namespace.items() if getattr(v, "tag", False)]
        return cls
def tag(f):
    f.tag = True
    return f
@typing.runtime_checkable
class Named(typing.Protocol):
    __name__: str
    __code__: object
    def __call__(self, *args): ...
print(isinstance(function, Named), isinstance(C.method, Named), isinstance(3, Named))
class Plugin(metaclass=Registry):
    @tag
    @nvtx.annotate("a")
    def a(self): return 1
    @nvtx.annotate("b")
    @tag
    async def b(self): return 1
    @nvtx.annotate("c")
    def c(self): yield 1
print(Plugin.names, Plugin.tagged)
import dataclasses, enum
@dataclasses.dataclass
class Data:
    x: int = 1
    @nvtx.annotate("m")
    def m(self): return self.x
    @nvtx.annotate("post")
    def __post_init__(self): self.y = self.x + 1
print(Data(3).m(), Data(3).y, [f.name for f in dataclasses.fields(Data)], Data(3))
class Color(enum.Enum):
    RED = 1
    @nvtx.annotate("describe")
    def describe(self): return self.name
print(list(Color), Color.RED.describe())
@functools.singledispatch
def of_type(x): return "other"
@of_type.register(types.FunctionType)
def _(x): return "function"
print(of_type(function), of_type(C.method))
""",
    "other callables": """
import collections, operator
class Plain:
    def __call__(self, x): return x
    def other(self): return "other"
class Holder:
    length = nvtx.annotate("len")(len)
    plain = nvtx.annotate("plain")(Plain())
    upper = nvtx.annotate("upper")(str.upper)
    bound = nvtx.annotate("bound")("a".join)
    getter = nvtx.annotate("getter")(operator.attrgetter("real"))
h = Holder()
print(h.length([1]), h.plain(2), h.bound(["b", "c"]), h.getter(3))
print(attempt(lambda: h.upper("a")), Holder.upper("a"))
print(h.plain.other(), isinstance(h.plain, Plain), inspect.isbuiltin(h.length))
made = nvtx.annotate("counter")(collections.Counter)
print(made("aab")["a"], isinstance(made("a"), made), issubclass(collections.Counter, made))
number = nvtx.annotate("int")(int)
class Derived(number): pass
print(number("3"), isinstance(3, number), Derived("4"), Derived.__mro__, number.__name__)
print(attempt(lambda: issubclass(3, number)), inspect.isclass(number))
m = nvtx.annotate("m")(C().method)
print(inspect.ismethod(m), m(3)[1], m.__func__ is C.method, inspect.signature(m))
""",
    "mock": """
import unittest.mock as mock
spec = mock.create_autospec(function)
print(attempt(lambda: spec()), spec(1, c=2) is spec.return_value, inspect.isfunction(spec))
with mock.patch.object(C, "method", autospec=True) as patched:
    C().method(3)
    print(patched.call_count, attempt(lambda: C().method(1, 2)))
print(C().method(3)[1])
with mock.patch("__main__.function", wraps=function) as patched:
    print(patched(1, c=3), patched.call_count)
""",
    "documentation": """
import doctest, pydoc
main = sys.modules["__main__"]
text = pydoc.plain(pydoc.render_doc(main))
print(text.split("FUNCTIONS")[1].split("DATA")[0], "class C" in text)
print(pydoc.plain(pydoc.render_doc(C)))
print(sorted(t.name for t in doctest.DocTestFinder(exclude_empty=False).find(main)
             if "function" in t.name or "C." in t.name))
""",
}


def answers(tmp_path, program, module="rangeline.nvtx", begun=(), path=""):
    """What a program prints alone, and recorded, when it begins these ranges. `path` is
    where the module is found."""
    env = {"PYTHONPATH": f"{path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    script = tmp_path / f"asks_{module}.py"
    script.write_text(source_of(program).replace("MODULE", module), encoding="utf-8")
    run = recorded(tmp_path / f"{module}.rln", [sys.executable, script], env=env,
                   cwd=tmp_path, timeout=300)
    assert {e["message"] for e in run.of("push", "start")} >= set(begun), run.errors
    inherited = {k: v for k, v in os.environ.items() if k != "NVTX_INJECTION64_PATH"}
    alone = subprocess.run([sys.executable, script], cwd=tmp_path,
                           env={**inherited, **env}, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    assert alone.returncode == 0, alone.stderr
    return alone.stdout.splitlines(), run.output.splitlines()


@pytest.mark.parametrize("ask", ASKS)
def test_the_answer_is_the_same_recorded(ask, tmp_path):
    alone, now = answers(tmp_path, KINDS + ASKS[ask], begun=["function"])
    assert now == alone != []


# ---- By choice: other packages ---------------------------------------------------------
# What libraries make of decorated functions, by the packages that it takes.
LIBRARIES = {
    "cloudpickle": """
import functools, multiprocessing, os, pathlib
import cloudpickle, MODULE as nvtx
pathlib.Path("asked.py").write_text('''
import MODULE as nvtx
@nvtx.annotate("imported")
def imported(x): return x + 1
''')
import asked
@nvtx.annotate("double")
def double(x, _seen=[]): return 2 * x
@nvtx.annotate("numbers")
def numbers(n): yield from range(n)
def work(written): print(cloudpickle.loads(written)(), flush=True)
def there(f, *arguments):
    written = cloudpickle.dumps(lambda: list(f(*arguments)) if f is numbers else f(*arguments))
    process = multiprocessing.get_context("spawn").Process(target=work, args=(written,))
    process.start()
    process.join()
class Callable:
    def __call__(self, x): return x
@nvtx.annotate("cached")
@functools.lru_cache(None)
def cached(x): return x
if __name__ == "__main__":
    for f in len, [].append, Callable():
        print(cloudpickle.loads(cloudpickle.dumps(nvtx.annotate("c")(f)))("a"))
    if "MODULE" != "nvtx":  # NVIDIA's form of it cannot be written
        cached = cloudpickle.loads(cloudpickle.dumps(cached))
    print(cached(3))
    there(double, 3), there(numbers, 3), there(asked.imported, 4)
    print(cloudpickle.loads(cloudpickle.dumps(asked.imported)) is asked.imported)
    cloudpickle.register_pickle_by_value(asked)
    there(asked.imported, 5)
    print(cloudpickle.loads(cloudpickle.dumps(asked.imported)) is asked.imported)
""",
    "joblib": """
import joblib, tempfile, MODULE as nvtx
@nvtx.annotate("square")
def square(x): return x * x
@nvtx.annotate("kept")
def kept(x): return print("computed") or x
if __name__ == "__main__":
    print(joblib.Parallel(n_jobs=2)(joblib.delayed(square)(x) for x in range(4)))
    with tempfile.TemporaryDirectory() as folder:
        remembered = joblib.Memory(folder, verbose=0).cache(kept)
        print(remembered(3), remembered(3), remembered.check_call_in_cache(3))
    from joblib.func_inspect import filter_args, get_func_name
    print(get_func_name(square)[1], filter_args(square, [], (3,)))
""",
    "dill": """
import dill, MODULE as nvtx
def outer(n):
    @nvtx.annotate("inner")
    def inner(x): return x + n
    return inner
print(dill.loads(dill.dumps(outer(3), recurse=True))(4))
""",
    "pydantic": """
import pydantic, MODULE as nvtx
@pydantic.validate_call
@nvtx.annotate("checked")
def checked(x: int, *, y: str = "a"): return x, y
print(checked("3"), checked(4, y="b"))
try:
    checked("no number")
except pydantic.ValidationError as error:
    print(error.errors()[0]["loc"], error.errors()[0]["type"])
class Model(pydantic.BaseModel):
    x: int
    @pydantic.field_validator("x")
    @classmethod
    @nvtx.annotate("positive")
    def positive(cls, value): return abs(value)
    @pydantic.computed_field
    @property
    @nvtx.annotate("twice")
    def twice(self) -> int: return 2 * self.x
    @nvtx.annotate("method")
    def method(self): return self.x
print(Model(x=-3).model_dump(), Model(x=1).method(), list(Model.model_fields))
""",
    "fastapi httpx": """
import fastapi, fastapi.testclient, MODULE as nvtx
app = fastapi.FastAPI()
@nvtx.annotate("query")
def query(q: int = 1): return q
@nvtx.annotate("session")
async def session():
    yield "session"
@app.get("/sync")
@nvtx.annotate("sync")
def sync(q=fastapi.Depends(query), s=fastapi.Depends(session)): return [q, s]
@app.get("/async/{n}")
@nvtx.annotate("async")
async def asynchronous(n: int, q: int = fastapi.Depends(query)): return [n, q]
client = fastapi.testclient.TestClient(app)
print(client.get("/sync?q=3").json(), client.get("/async/4").json(),
      client.get("/async/x").status_code, sorted(app.openapi()["paths"]))
print(app.openapi()["paths"]["/async/{n}"]["get"]["parameters"])
""",
    "click": """
import click, click.testing, MODULE as nvtx
@click.command()
@click.option("--count", default=1, help="How often.")
@click.argument("name")
@nvtx.annotate("hello")
def hello(count, name):
    "Greets NAME."
    for _ in range(count): click.echo(f"hello {name}")
run = click.testing.CliRunner().invoke
print(run(hello, ["--count", "2", "you"]).output, run(hello, ["--help"]).output, hello.name)
""",
    "ray": """
import os, ray, MODULE as nvtx
@ray.remote
@nvtx.annotate("task")
def task(x): return x + 1
@ray.remote
class Actor:
    def __init__(self): self.n = 0
    @nvtx.annotate("step")
    def step(self, x): self.n += x; return self.n
    @staticmethod
    @nvtx.annotate("static")
    def static(x): return x
@ray.remote
class Waiting:
    # NVIDIA's form of it is no coroutine function, so Ray cannot await it.
    @(nvtx.annotate("wait") if "MODULE" != "nvtx" else lambda f: f)
    async def wait(self, x): return x
def plain(x): return x
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
actor = Actor.remote()
print(ray.get([task.remote(1), actor.step.remote(3), Waiting.remote().wait.remote(4),
               ray.remote(nvtx.annotate("made")(plain)).remote(5)]))
print(sorted(n for n in dir(actor) if n in ("step", "static", "_n")))
print(task._function_name.rpartition(".")[2])
with nvtx.annotate("driver"): pass
""",
}
# The ranges that these begin, also in other processes.
BEGUN = {
    "cloudpickle": ["double", "numbers", "imported"], "joblib": ["square", "kept"],
    "dill": ["inner"], "pydantic": ["checked", "positive", "twice", "method"],
    "fastapi httpx": ["query", "session", "sync", "async"], "click": ["hello"],
    "ray": ["task", "step", "wait", "made", "driver"],
}


@pytest.mark.by_choice
@pytest.mark.parametrize("packages", LIBRARIES)
def test_libraries_treat_it_alike(packages, tmp_path):
    for package in packages.split():
        pytest.importorskip(package)
    program = LIBRARIES[packages]
    alone, now = answers(tmp_path, program, begun=BEGUN[packages])
    assert now == alone != []
    theirs = tmp_path / "theirs"
    fetched = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--only-binary",
         ":all:", "--target", theirs, "nvtx==0.2.17"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if fetched.returncode:
        pytest.skip(f"pip cannot install NVIDIA's nvtx: {fetched.stdout.strip()[-200:]}")
    assert answers(tmp_path, program, "nvtx", path=theirs) == (alone, alone)
