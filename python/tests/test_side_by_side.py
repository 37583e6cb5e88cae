# SPDX-License-Identifier: Apache-2.0
"""The same calls of NVIDIA's package `nvtx` and of ours return, raise and record the same.

A case is a function of the module `nvtx`. All cases run in one process per package and
mode, recorded by our collector; this file is that program, too:

    test_side_by_side.py MODE OUTCOMES.json

The results of a case are compared. An exception is compared by its type, and by its
text if the case has `@case(text=True)`. DIFFERENCES lists intended differences with
reasons; an entry that no longer differs fails.
"""
import json
import os
import pathlib
import subprocess
import sys

import cases_api
import cases_data

HERE = pathlib.Path(__file__).resolve()
CASES = {}

# Variables of the process. "recorded" also compares events.
MODES = {
    "recorded": {},
    "no tool": {},
    "disabled": {"NVTX_DISABLE": "1"},
}

# {case, or (case, mode): why ours differs}. docs/reference/COMPATIBILITY.md describes each.
DIFFERENCES = {
    "parameters_and_defaults": "the default color of push_range is None, not \"blue\"",
    "a_profile_of_a_generator": "what goes on is named so, and not after its line",
    "a_message_with_a_nul": "a ValueError; theirs is cut",
    "a_message_of_a_wrong_type": "a TypeError that names the argument",
    "a_category_of_a_wrong_type": "a TypeError that names the argument",
    "a_bool_as_payload": "True is 1, as everywhere in Python; theirs drops it",
    "equal_arguments_give_the_same_objects": "so do equal attributes",
    ("api: lone surrogates", "no tool"): "raise as with a tool",
    ("api: lone surrogates", "disabled"): "raise as with a tool",
    ("annotate_as_context", "disabled"): "`as` gives the annotation in any mode",
}


def add_cases(module):
    """Adds a module's CASES and DIFFERENCES."""
    for name, function in module.CASES.items():
        function.compares_text, function.modes = False, tuple(MODES)
        CASES[name] = function
    DIFFERENCES.update(module.DIFFERENCES)


def case(function=None, *, text=False, modes=tuple(MODES)):
    """Makes a function a case; `modes` are those in which it means something."""
    def add(f):
        CASES[f.__name__] = f
        f.compares_text, f.modes = text, modes
        return f
    return add(function) if function else add


# --- Cases ----------------------------------------------------------------------------


@case
def mark_returns_nothing(nvtx):
    return nvtx.mark("m")


@case
def mark_with_everything(nvtx):
    return nvtx.mark("m", color="red", domain="d", category="c", payload=7)


@case
def push_and_pop(nvtx):
    return nvtx.push_range("p", color="green"), nvtx.pop_range()


@case
def start_and_end(nvtx):
    started = nvtx.start_range("s", color="green", domain="d")
    return type(started).__name__, nvtx.end_range(started)


@case
def annotate_as_context(nvtx):
    with nvtx.annotate("a", color="yellow", category=3, payload=1.5) as inside:
        return type(inside).__name__


@case
def annotate_as_decorator_takes_the_name(nvtx):
    @nvtx.annotate(color="blue", domain="d")
    def work(x, *, y=2):
        """Says so."""
        return x + y
    return work(1), work(1, y=5), work.__name__, work.__doc__


@case
def a_decorated_function_that_raises(nvtx):
    @nvtx.annotate("raises", color="red")
    def work():
        raise KeyError("inside")
    return work()


@case
def import_paths(nvtx):
    import nvtx._lib.counters
    import nvtx._lib.lib
    import nvtx.colors
    import nvtx.nvtx
    return [nvtx.nvtx.annotate is nvtx.annotate,
            nvtx._lib.lib.Domain is nvtx.Domain,
            nvtx._lib.counters.CounterSemantics is nvtx.CounterSemantics]


@case(modes=("recorded",))
def functions_of_the_library(nvtx):
    from nvtx._lib import lib
    lib.initialize()
    domain = nvtx.get_domain("h")
    attributes = domain.get_event_attributes("m", color=1)
    lib.mark(attributes, domain.handle)
    lib.push_range(attributes, domain.handle)
    lib.pop_range(domain.handle)
    number, handle = lib.start_range(attributes, domain.handle)
    lib.end_range(number, handle)
    return number > 0, handle == domain.handle


@case
def attributes_made_by_hand(nvtx):
    from nvtx._lib import lib
    domain = nvtx.get_domain("h")
    made = lib.EventAttributes(domain, domain.get_registered_string("m"), "red",
                               domain.get_category_id("c"), 3)
    made.payload = 5
    return made.color, made.payload


@case(modes=("recorded",))
def a_handle_of_a_wrong_type(nvtx):
    from nvtx._lib import lib
    lib.pop_range("h")


add_cases(cases_api)
add_cases(cases_data)


@case
def every_kind_of_color(nvtx):
    for color in ("red", "green", 0xff112233, 7, "rapids"):
        nvtx.mark("m", color=color)


@case
def a_name_that_only_matplotlib_knows(nvtx):
    nvtx.mark("m", color="peachpuff")


@case
def no_color(nvtx):
    nvtx.mark("m", color=None)


@case
def a_color_that_is_none(nvtx):
    nvtx.annotate("a", color="no such color")


@case
def a_color_of_a_wrong_type(nvtx):
    nvtx.mark("m", color=1.5)


@case
def a_message_of_a_wrong_type(nvtx):
    nvtx.mark(3)


@case
def a_domain_of_a_wrong_type(nvtx):
    nvtx.get_domain(3)


@case
def a_category_of_a_wrong_type(nvtx):
    nvtx.mark("m", category=1.5)


@case
def too_many_arguments(nvtx):
    nvtx.mark("m", "red", "d", "c", 1, 2)


@case
def an_argument_that_is_none(nvtx):
    nvtx.push_range(nothing=1)


@case
def no_arguments_at_all(nvtx):
    nvtx.mark()
    nvtx.push_range()
    nvtx.pop_range()
    nvtx.end_range(nvtx.start_range())
    with nvtx.annotate():
        pass


@case
def positional_arguments(nvtx):
    nvtx.mark("m", "red", "d", "c", 3)
    nvtx.push_range("p", "red", "d", "c", 3)
    nvtx.pop_range("d")
    nvtx.end_range(nvtx.start_range("s", "red", "d", "c", 3))
    with nvtx.annotate("a", "red", "d", "c", 3):
        pass


@case
def categories_count_from_one_in_each_domain(nvtx):
    for domain in "e", "f":
        for category in "x", "y", "x", 7:
            nvtx.mark("m", color=1, domain=domain, category=category)


@case
def numbers_as_payloads(nvtx):
    for payload in (0, -1, 1 << 62, 1.5, float("inf")):
        nvtx.mark("m", color=1, payload=payload)


@case
def a_bool_as_payload(nvtx):
    nvtx.mark("m", color=1, payload=True)


@case
def texts(nvtx):
    for text in "", "m\u20acssage \U0001f600", "a" * 5000, "line\nbreak":
        nvtx.mark(text, color=1)


@case
def a_message_with_a_nul(nvtx):
    nvtx.mark("nul\0inside", color=1)


@case
def end_range_takes_none(nvtx):
    return nvtx.end_range(None)


@case
def end_range_of_what_is_none(nvtx):
    return nvtx.end_range("abc")


@case
def a_range_that_ends_twice(nvtx):
    started = nvtx.start_range("s", color=1)
    return nvtx.end_range(started), nvtx.end_range(started)


@case
def a_range_in_another_thread(nvtx):
    import threading
    started = nvtx.start_range("s", color=1)
    thread = threading.Thread(target=nvtx.end_range, args=(started,))
    thread.start()
    thread.join()


@case(modes=("recorded",))
def a_pop_that_closes_nothing(nvtx):
    return nvtx.pop_range(domain="nothing was pushed here")


@case
def equal_arguments_give_the_same_domain(nvtx):
    return (nvtx.get_domain("d") is nvtx.get_domain("d"),
            nvtx.get_domain("d") is nvtx.get_domain("e"),
            nvtx.get_domain() is nvtx.get_domain(None), type(nvtx.get_domain()).__name__)


@case(modes=("recorded",))
def equal_arguments_give_the_same_objects(nvtx):
    d = nvtx.get_domain("d")
    return (d.get_event_attributes("m", "red") is d.get_event_attributes("m", "red"),
            d.get_event_attributes("m", "red") is d.get_event_attributes("m", "blue"),
            d.get_registered_string("m") is d.get_registered_string("m"),
            [d.get_category_id(c) for c in "xyx"])


@case
def a_domain_does_all_itself(nvtx):
    d = nvtx.get_domain("own")
    a = d.get_event_attributes(message="m", color="red", category="c", payload=5)
    results = [d.push_range(a), d.pop_range(), d.mark(a)]
    started = d.start_range(a)
    return (*results, d.end_range(started))


@case(modes=("recorded",))
def attributes_can_be_read_and_set(nvtx):
    d = nvtx.get_domain("own")
    a = d.get_event_attributes("m", "red", "c", 5)
    d.mark(a)
    read = [type(a.message).__name__, a.color, a.category, a.payload]
    a.message = d.get_registered_string("other")
    a.color, a.category, a.payload = "blue", 9, 2.5
    d.mark(a)
    return [*read, a.color, a.category, a.payload]


@case
def an_annotation_can_be_pickled(nvtx):
    import pickle
    copy = pickle.loads(pickle.dumps(nvtx.annotate("p", "red", "d", "c", 4)))
    with copy:
        pass
    return type(copy).__name__


@case
def an_annotation_can_be_used_again(nvtx):
    again = nvtx.annotate("again", color=2)
    for _ in range(2):
        with again:
            with again:
                pass


@case
def a_body_that_raises(nvtx):
    with nvtx.annotate("raises", color=3):
        raise KeyError("inside")


@case
def a_decorated_method(nvtx):
    class Worker:
        @nvtx.annotate(color=1, domain="d")
        def run(self, n):
            return n

        @staticmethod
        @nvtx.annotate("static", color=1)
        def plain(n):
            return n

        @classmethod
        @nvtx.annotate("class", color=1)
        def made(cls):
            return cls.__name__
    return Worker().run(3), Worker.plain(4), Worker.made(), Worker.run.__qualname__


@case
def a_subclass_of_annotate(nvtx):
    class Red(nvtx.annotate):
        def __init__(self, message):
            super().__init__(message, color="red")
    with Red("sub"):
        pass

    @Red("decorated")
    def f():
        return 1
    return f(), isinstance(Red("x"), nvtx.annotate)


@case(modes=("recorded",))
def parts_of_an_annotation(nvtx):
    a = nvtx.annotate("m", "red", "d")
    return type(a.domain).__name__, type(a.attributes).__name__, a.init_args


@case
def enabled(nvtx):
    return nvtx.enabled()


@case
def names_of_the_module(nvtx):
    names = ("BatchOrdering Counter CounterInterpolation CounterNoValueReason "
             "CounterSemantics CounterValueType Domain EntryKind EventKind ExtCounter "
             "Float64Counter Int64Counter PayloadEntryType PredefinedScope Profile "
             "TimestampType annotate enabled end_range get_domain mark numpy_dtype "
             "pop_range push_range start_range")
    return [name for name in names.split() if not hasattr(nvtx, name)]


@case
def parameters_and_defaults(nvtx):
    import inspect
    return [str(inspect.signature(f).replace(return_annotation=inspect.Signature.empty,
                                             parameters=[
        p.replace(annotation=inspect.Parameter.empty)
        for p in inspect.signature(f).parameters.values()]))
        for f in (nvtx.mark, nvtx.push_range, nvtx.pop_range, nvtx.start_range,
                  nvtx.end_range)]


@case(modes=("recorded",))
def a_profile_annotates_calls(nvtx):
    def work():
        return len("x")
    profile = nvtx.Profile()
    profile.enable()
    work()
    profile.disable()


@case(modes=("recorded",))
def a_profile_of_a_generator(nvtx):
    def generator():
        yield 1
        yield 2
    profile = nvtx.Profile(linenos=False, annotate_cfuncs=False)
    profile.enable()
    list(generator())
    profile.disable()


@case
def a_profile_without_a_listener(nvtx):
    profile = nvtx.Profile(linenos=False)
    return profile.disable()


# --- The program ----------------------------------------------------------------------


def describe(value):
    """What can be compared across processes."""
    if isinstance(value, (list, tuple)):
        return [describe(v) for v in value]
    if isinstance(value, dict):
        return {str(k): describe(v) for k, v in value.items()}
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return repr(value)
    return f"<{type(value).__name__}>"


def outcome_of(function, nvtx):
    try:
        return {"returned": describe(function(nvtx))}
    except Exception as error:  # pylint: disable=broad-except # it is what we compare
        raised = {"raised": type(error).__name__}
        if function.compares_text:
            raised["text"] = str(error)
        return raised


def run_cases(mode, path):
    import nvtx
    outcomes = {}
    for name, function in CASES.items():
        if mode in function.modes:
            nvtx.mark(name, domain="case")
            outcomes[name] = outcome_of(function, nvtx)
    pathlib.Path(path).write_text(json.dumps(outcomes), encoding="utf-8")


# --- The tests ------------------------------------------------------------------------


def nvidia():
    """The Python that has NVIDIA's package, and its environment."""
    root = HERE.parents[2]
    python = root / ".venv" / "bin" / "python3"
    probe = "import nvtx, numpy, sys; sys.exit(hasattr(nvtx, 'set_enabled'))"
    if not python.exists() or subprocess.run(
            [python, "-c", probe], env={}, stderr=subprocess.DEVNULL).returncode:
        return None
    return python, {"PYTHONPATH": ""}


def ours():
    """This Python, with our package by the name `nvtx`."""
    import rangeline
    package = pathlib.Path(rangeline.__file__).parent
    return sys.executable, {"PYTHONPATH": f"{package / 'standin'}:{package.parent}"}


def comparable(event, ids):
    """An event without what differs from run to run."""
    kept = {k: v for k, v in event.items() if k not in ("t", "pid", "tid")}
    for key in ("id", "schema_id", "counter"):
        if key in kept:
            kept[key] = ids.setdefault((key, kept[key]), len(ids))
    if event.get("time_domain", 0) > 1:
        del kept["timestamp"]  # of a clock that goes on between the two runs
    if "payloads" in kept:
        kept["payloads"] = [comparable(payload, ids) for payload in kept["payloads"]]
    return kept


def by_case(events):
    """{case: its events}. A deferred event is of the case that its counter is named
    after; the others follow the mark of theirs."""
    result, name = {}, None
    for e in events:
        if e.get("domain") == "case":
            name = e["message"]
        elif e["type"] not in ("thread_begin", "thread_name", "domain_destroy"):
            of = e["name"] if e.get("deferred") else name
            result.setdefault(of, []).append(e)
    return {name: [comparable(e, ids) for e in events]
            for name, events in result.items() for ids in [{}]}


def run_mode(place, who, mode):
    """{case: outcome and, if recorded, events} of one package in one mode."""
    from conftest import recorded
    python, env = who
    place.mkdir()
    outcomes = place / "outcomes.json"
    command = [python, HERE, mode, outcomes]
    env = {**env, **MODES[mode], "PYTHONDONTWRITEBYTECODE": "1"}
    events = {}
    if mode == "recorded":
        events = by_case(recorded(place / "run.rln", command, env=env))
    else:
        subprocess.run(command, env={**os.environ, **env}, check=True)
    return {name: {"outcome": outcome, "events": events.get(name, [])}
            for name, outcome in json.loads(outcomes.read_text("utf-8")).items()}


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("mode,name", [
            (mode, name) for mode in MODES for name, f in CASES.items()
            if mode in f.modes])


_RESULTS = {}


def results(mode, tmp_path_factory):
    """Both packages' cases, run once a mode; the same failure for all if they cannot."""
    import pytest
    if mode not in _RESULTS:
        _RESULTS[mode] = "the cases could not be run: see the first that failed"
        reference = nvidia()
        if reference is None:
            _RESULTS[mode] = None
        else:
            place = tmp_path_factory.mktemp(mode.replace(" ", "_"))
            _RESULTS[mode] = (run_mode(place / "nvidia", reference, mode),
                              run_mode(place / "ours", ours(), mode))
    if _RESULTS[mode] is None:
        pytest.skip("NVIDIA's package nvtx is not in .venv: `tools/setup test`")
    assert not isinstance(_RESULTS[mode], str), _RESULTS[mode]
    return _RESULTS[mode]


def raises_as_recorded(mode, name, outcome, tmp_path_factory):
    """Whether a case raises without a recorder what it raises with one: theirs ignores
    wrong arguments there."""
    return mode != "recorded" and "raised" in outcome and \
        outcome == results("recorded", tmp_path_factory)[1][name]["outcome"]


def test_ours_does_what_theirs_does(mode, name, tmp_path_factory):
    theirs, our = results(mode, tmp_path_factory)
    why = DIFFERENCES.get((name, mode), DIFFERENCES.get(name))
    if why is None:
        assert our[name] == theirs[name] or raises_as_recorded(
            mode, name, our[name]["outcome"], tmp_path_factory)
    elif (name, mode) in DIFFERENCES or mode == "recorded":
        # Without a recorder, a case may well do the same.
        assert our[name] != theirs[name], f"no longer differs: {why}"


def test_differences_are_about_cases():
    names = {key if isinstance(key, str) else key[0] for key in DIFFERENCES}
    assert names <= set(CASES)


if __name__ == "__main__":
    run_cases(*sys.argv[1:])
