# SPDX-License-Identifier: Apache-2.0
"""A program whose calls are recorded does what it does without: naming its functions, in
the middle of its calls, neither runs its code nor fails it."""
import subprocess
import sys

import pytest

# Recorded and alone, each prints the same and nothing on standard error.
LIMIT = """import sys
def unraisable(error): print("unraisable", error)
sys.unraisablehook = unraisable
calls = {"leaf": 0, "log_error": 0}
def leaf(): calls["leaf"] += 1
def log_error():
    calls["log_error"] += 1
    leaf()
def deepest(n):
    try: return deepest(n + 1)
    except RecursionError: return log_error()
deepest(0)
sys.setrecursionlimit(200)
for i in range(60): exec(f"def fresh{i}(): return {i}")
def descend(n, function): return function() if n == 0 else descend(n - 1, function)
reached = []
for i in range(60):
    try: reached.append(descend(150 + i, globals()[f"fresh{i}"]))
    except RecursionError: pass
print(reached)
sys.setrecursionlimit(1000)
for i in range(60): globals()[f"fresh{i}"]()
for i in range(10): log_error()
print(*calls.values())
"""

CLASSES = """import dataclasses, sys
seen = []
class Meta(type):
    def __getattribute__(cls, name):
        seen.append(name)
        return super().__getattribute__(name)
    def made(cls): return cls()
class Plain(metaclass=Meta):
    def __getattribute__(self, name):
        seen.append(name)
        return super().__getattribute__(name)
    def method(self): return 1
    @property
    def size(self): return 1
    @size.setter
    def size(self, value): pass
    @classmethod
    def of_class(cls): pass
    @staticmethod
    def of_none(of): pass
@dataclasses.dataclass
class Point(metaclass=Meta):
    x: int
names = {"__name__": __name__, "__file__": __file__}  # as attrs does it:
exec(compile("def __init__(self, x): pass", "<attrs generated init Made>", "exec"), names)
class Made(metaclass=Meta):
    __init__ = names["__init__"]
Made.__init__.__qualname__ = "Made.__init__"
def hook(event, arguments):
    if recording: seen.append(event)
recording = False
sys.addaudithook(hook)
seen.clear()
recording = True
plain = Plain.made()
plain.method()
plain.size
plain.size = 2
plain.of_class()
plain.of_none(plain)
Point(1), Made(1)
recording = False
print(seen)
"""


def alone(tmp_path, program, *options):
    done = subprocess.run([sys.executable, *options, program], cwd=tmp_path, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    assert not done.stderr
    return done.stdout


def recorded(record, tmp_path, program, *options):
    """What a run printed, the same as one alone, and the names of what it called."""
    events = record(program, options=["--python=mine", *options])
    assert events.output == alone(tmp_path, "program1.py") and not events.errors
    pushed = [e["message"].partition(".")[2] for e in events.of("push")]
    assert len(pushed) == len(events.of("pop"))
    return events.output, pushed


@pytest.mark.parametrize("options", [[], ["--python-include=*.fresh*"],
                                     ["--python-exclude=nothing"]])
def test_a_function_first_called_at_the_limit_of_recursion(record, tmp_path, options):
    output, names = recorded(record, tmp_path, LIMIT, *options)
    assert output.endswith(f"\n{names.count('leaf')} {names.count('log_error')}\n")
    assert names.count("leaf") >= 11
    reached = [n for n in names if n.startswith("fresh")]
    # All once, and those that were reached near the limit twice.
    assert {reached.count(f"fresh{i}") for i in range(60)} == {1, 2}


def test_naming_runs_no_code_of_a_class(record, tmp_path):
    _, names = recorded(record, tmp_path, CLASSES)
    methods = ["Meta.made", "Plain.method", "Plain.size", "Plain.of_class",
               "Plain.of_none", "Point.__init__", "Made.__init__"]
    if sys.version_info < (3, 10):  # dataclasses do not name the class
        methods.remove("Point.__init__")
    assert [n for n in names if n in methods] == [
        *methods[:3], "Plain.size", *methods[3:]]


@pytest.mark.parametrize("signal", ["SIGINT", "SIGALRM"])
@pytest.mark.parametrize("options", [["--python=mine"], ["--python-include=program1"]])
def test_what_a_handler_of_a_signal_raises_reaches_the_program(record, signal, options):
    # Within one call of list(), a signal arrives and a function begins. Python calls the
    # handler in what runs next: until 3.10 and from 3.12 on, in what names the function.
    events = record(f"""
        import ctypes, itertools, signal, sys
        class Timeout(Exception): pass
        def handle(*_): raise Timeout
        def fresh(n): pass
        sys.unraisablehook = lambda error: print("unraisable", error)
        is_alarm = signal.{signal} == signal.SIGALRM
        # Set here, because Python sets none where SIGINT is ignored, as in a background job.
        signal.signal(signal.{signal}, handle if is_alarm else signal.default_int_handler)
        send = getattr(ctypes.CDLL(None), "raise")
        for attempt in range(2):
            try:
                list(itertools.chain(map(send, [signal.{signal}]), map(fresh, [1])))
                print("lost")
            except (Timeout, KeyboardInterrupt) as error: print(type(error).__name__)
        fresh(2)
    """, options=options)
    raised = "KeyboardInterrupt" if signal == "SIGINT" else "Timeout"
    assert events.output == f"{raised}\n" * 2 and not events.errors
    names = [e["message"] for e in events.of("push")]
    assert "program1.fresh" in names and len(names) == len(events.of("pop"))


def test_a_function_of_a_file_whose_name_is_not_utf8(record):
    events = record(r"""
        code = compile("def f(): pass\nf()", b"caf\xe9.py", "exec")
        exec(code, {"__name__": "coffee", "__file__": "program"})
    """, options=["--python=mine"])
    assert "coffee.f" in [e["message"] for e in events.of("push")] and not events.errors
