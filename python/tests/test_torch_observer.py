# SPDX-License-Identifier: Apache-2.0
"""rangeline.torch.ops() records operators as an observer of torch's C++ library: of a
stand-in, which is called here as torch would run operators."""
import os
import pathlib
import platform
import shutil
import subprocess

import pytest

import rangeline

pytestmark = pytest.mark.slow

TESTS = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(rangeline.__file__).parent

HEADER = """
    namespace at {
    enum class C10_API_ENUM RecordScope : uint8_t {
      // of operators
      FUNCTION = 0,
      BACKWARD_FUNCTION, /* of nodes */
      OTHER,
      USER_SCOPE,
      NUM_SCOPES, // the last
    };
    class TORCH_API RecordFunctionCallback {
     public:
      using StartCallback =
          std::unique_ptr<ObserverContext> (*)(const RecordFunction&);
      using EndCallback = void (*)(const RecordFunction&, ObserverContext*);

      explicit RecordFunctionCallback(
          StartCallback start,
          EndCallback end = nullptr)
          : start_(start), end_(end) {
        scopes_.fill(true);
      }
      RecordFunctionCallback& scopes(
          const std::unordered_set<RecordScope, std::hash<RecordScope>>& scopes) {
        if (!scopes.empty()) {
          for (auto sc : scopes) {
            scopes_[static_cast<size_t>(sc)] = true;
          }
        }
        return *this;
      }
      bool needsInputs() const {
        return needs_inputs_;
      }

     private:
      StartCallback start_;
      EndCallback end_;
      double sampling_prob_ = 1.0;
      std::array<bool, static_cast<size_t>(RecordScope::NUM_SCOPES)> scopes_ = {};
      bool needs_inputs_ = false;
      bool needs_outputs_ = false;
      bool needs_ids_ = false;
    };
    typedef uint64_t CallbackHandle;
    struct TORCH_API RecordFunction {
      virtual ~RecordFunction();
      const char* name() const;
    };
    TORCH_API CallbackHandle addThreadLocalCallback(RecordFunctionCallback cb);
    TORCH_API CallbackHandle addGlobalCallback(RecordFunctionCallback cb);
    TORCH_API void removeCallback(CallbackHandle handle);
    }
"""
SCOPES = HEADER.replace("OTHER,", "A, B, C, D, E, F, G,")  # ten of them, as in torch


# ---- The header ------------------------------------------------------------------------


def scopes_of(header):
    from rangeline.torch import _observe

    return _observe._scopes(header)


@pytest.mark.parametrize("before, after, scopes", [
    ("", "", b"\1\1\0\1"), ("OTHER,", "", b"\1\1\1"), ("OTHER,", "A, B,", b"\1\1\0\0\1"),
    ("bool needsInputs() const {", "double more(int a, int b) { { } }\nbool f() {",
     b"\1\1\0\1"),
])
def test_an_observer_that_torch_declares_alike_is_used(before, after, scopes):
    assert scopes_of(HEADER.replace(before, after, 1)) == scopes


CLASS, FIRST = "class TORCH_API RecordFunctionCallback", "bool needsInputs() const {"


@pytest.mark.parametrize("before, after", [
    # The scopes.
    ("USER_SCOPE,", ""), ("NUM_SCOPES,", ""), ("OTHER,", "OTHER = 4,"),
    ("FUNCTION = 0", "FUNCTION = 1"), (": uint8_t", ": uint32_t"),
    # Members.
    ("double", "float"), ("start_;", "start_; int more_;"), ("StartCallback start_;", ""),
    ("bool needs_ids_ = false;", ""), ("needs_ids_ = false;", "needs_ids_ = false; int n;"),
    ("needs_ids_ = false;", "needs_ids_ = false; std::string name_"),
    (FIRST, "int early_ = 1; " + FIRST), (FIRST, "int early_{}; " + FIRST),
    (FIRST, "std::function<bool(int)> should_run_; " + FIRST),
    (FIRST, "std::function<bool(int)> should_run_ = {}; " + FIRST),
    ("EndCallback end_;\n", "#ifdef MORE\nint more_;\n#endif\nEndCallback end_;\n"),
    ("needs_ids_ = false;\n", "needs_ids_ = false;\n#endif\n"),
    ("StartCallback start_;\n      EndCallback end_;", "EndCallback end_; StartCallback start_;"),
    # What makes a class one that is not passed in memory, by value.
    (FIRST, "~RecordFunctionCallback() {} " + FIRST),
    (FIRST, "~RecordFunctionCallback(); " + FIRST),
    (FIRST, "virtual ~RecordFunctionCallback() = default; " + FIRST),
    (FIRST, "virtual " + FIRST), (FIRST, "virtual void more(); " + FIRST),
    (FIRST, "RecordFunctionCallback(const RecordFunctionCallback&) = default; " + FIRST),
    (FIRST, "RecordFunctionCallback(const RecordFunctionCallback& o) : end_(o.end_) {} "
     + FIRST),
    (FIRST, "RecordFunctionCallback(RecordFunctionCallback&&) noexcept; " + FIRST),
    (FIRST, "RecordFunctionCallback& operator=(const RecordFunctionCallback&); " + FIRST),
    (CLASS, CLASS + " : public Base"), (CLASS, CLASS + " final"),
    (CLASS, "class alignas(32) TORCH_API RecordFunctionCallback"),
    # The types of callbacks and functions.
    ("std::unique_ptr<ObserverContext> (*)(const", "ObserverContext* (*)(const"),
    ("(*)(const RecordFunction&, ObserverContext*)", "(*)(RecordFunction&, void*)"),
    ("const char* name() const", "std::string_view name() const"),
    ("const char* name() const", "virtual const char* name() const"),
    ("typedef uint64_t CallbackHandle", "typedef uint32_t CallbackHandle"),
    ("typedef uint64_t CallbackHandle", "struct CallbackHandle { uint64_t value; }"),
    ("CallbackHandle addGlobal", "std::unique_ptr<Guard> addGlobal"),
    ("CallbackHandle addThreadLocal", "Guard addThreadLocal"),
    ("addGlobalCallback(RecordFunctionCallback cb", "addGlobalCallback(const Callback& cb"),
    ("void removeCallback", "Callback removeCallback"),
])
def test_an_observer_that_torch_declares_otherwise_is_not_used(before, after):
    from rangeline.torch import _observe

    assert HEADER.count(before) >= 1
    with pytest.raises(_observe._Unknown):
        scopes_of(HEADER.replace(before, after, 1))


@pytest.mark.parametrize("header", ["", HEADER[:HEADER.index("NUM_SCOPES, ")],
                                    HEADER[:HEADER.index("needs_ids_")], HEADER + HEADER])
def test_a_header_that_is_cut_off_is_not_used(header):
    from rangeline.torch import _observe

    with pytest.raises(_observe._Unknown):
        scopes_of(header)


# ---- Recording -------------------------------------------------------------------------

FUNCTION, NODE, OTHER, LABEL = 0, 1, 2, 9

PROGRAM = """
    import ctypes, threading, torch
    from rangeline.torch import mark, ops, range_push
    library = torch.library
    library.fake_begin.restype = ctypes.c_void_p
    library.fake_end.argtypes = [ctypes.c_void_p]
    def begin(name, scope=0):
        return library.fake_begin(name.encode(), scope)
    end = library.fake_end
    def run(name, scope=0):
        end(begin(name, scope))
"""


@pytest.fixture(scope="module")
def make_torch(tmp_path_factory):
    """make_torch(options of cc, header, how to load) -> a folder with a torch of Python's
    stand-in and the C library's."""
    compiler = shutil.which("cc")
    if platform.machine() != "x86_64":
        pytest.skip("observers are only known on x86-64")
    if compiler is None:
        pytest.skip("no C compiler")

    def make(options=(), header=SCOPES, load="RTLD_LOCAL"):
        folder = tmp_path_factory.mktemp("torch")
        torch = folder / "torch"
        shutil.copytree(TESTS / "fake_torch" / "torch", torch)
        (torch / "lib").mkdir()
        (torch / "include" / "ATen").mkdir(parents=True)
        if header:
            (torch / "include" / "ATen" / "record_function.h").write_text(header)
        subprocess.run([compiler, "-shared", "-fPIC", "-pthread", *options, "-o",
                        torch / "lib" / "libtorch_cpu.so", TESTS / "fake_libtorch_cpu.c"],
                       check=True)
        with (torch / "__init__.py").open("a") as code:
            code.write(f"import ctypes, os\n__version__ = '9.8'\n"
                       f"library = ctypes.CDLL({str(torch / 'lib' / 'libtorch_cpu.so')!r},"
                       f" mode=os.{load})\n")
        return folder

    return make


@pytest.fixture(scope="module")
def usual(make_torch):
    return make_torch()


@pytest.fixture
def run(record, usual):
    """run(text) -> Recording of PROGRAM and the text."""
    def record_text(text, folder=None, before="", **more):
        path = f"{folder or usual}{os.pathsep}{os.environ['PYTHONPATH']}"
        return record(before + PROGRAM + text, env={
            "PYTHONPATH": path, "RANGELINE_PYTHON": str(PACKAGE)}, **more)

    return record_text


def test_operators_nodes_and_labels_are_ranges(run):
    events = run("""
    run("aten::before")
    with ops():
        label = begin("label", 9)
        outer = begin("aten::linear")
        run("aten::addmm")
        end(outer)
        engine = begin("autograd::engine::evaluate_function: AddmmBackward0")
        node = begin("AddmmBackward0", 1)
        run("aten::mm")
        end(node)
        end(engine)
        run("of another scope", 2)
        end(label)
        assert library.fake_n_observers() == 1
    run("aten::after")
    assert library.fake_n_observers() == 0
    """)
    assert events.lines("depth") == [
        "push label depth=0", "push aten::linear depth=1", "push aten::addmm depth=2",
        "pop aten::addmm depth=2", "pop aten::linear depth=1",
        "push AddmmBackward0 depth=1", "push aten::mm depth=2", "pop aten::mm depth=2",
        "pop AddmmBackward0 depth=1", "pop label depth=0"]
    assert events.errors == ""


def test_a_block_closes_its_domains_ranges_at_its_end(run):
    events = run("""
    with ops():
        outer = begin("outer")
        with ops(domain="d"):
            left_open = begin("left open", 9)
        mark("after the block")
        end(left_open)
        end(outer)
    """)
    assert [f"{e['type']} {e.get('message', '')} {e.get('domain', '')}" for e in events
            if e["type"] in ("push", "pop", "mark")] == [
        "push outer ", "push left open ", "push left open d", "pop  d",
        "mark after the block ", "pop  ", "pop  "]


def test_an_end_that_torch_leaves_out_is_made_up_for(run):
    events = run("""
    with ops():
        outer = begin("outer")
        begin("lost")
        end(outer)
        run("next")
    """)
    assert events.lines() == ["push outer", "push lost", "pop lost", "pop outer",
                              "push next", "pop next"]


def test_a_block_records_its_thread_and_threads_that_work_for_it(run):
    events = run("""
    with ops():
        library.fake_run_on_a_thread(b"backward")
        thread = threading.Thread(target=run, args=("of another thread",))
        thread.start()
        thread.join()
    """)
    assert events.lines() == ["push backward", "pop backward"]


def test_the_option_records_all_threads_until_the_process_ends(run):
    events = run("""
    run("main")
    def work():
        with ops():  # is recorded already
            for i in range(1000):
                run(f"op {i % 10}")
    threads = [threading.Thread(target=work) for _ in (1, 2, 3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    library.fake_run_on_a_thread(b"no thread of Python's")
    assert library.fake_n_observers() == 1
    assert library.fake_run_at_exit() == 0
    """, options=["--pytorch=ops"])
    names = [e["message"] for e in events.of("push")]
    assert len(names) == len(events.of("pop")) == 3003
    assert [names[0], *names[-2:]] == ["main", "no thread of Python's", "late"]
    assert {names.count(f"op {i}") for i in range(10)} == {300}
    assert (events.status, events.errors) == (0, "")


def test_blocks_of_the_same_domain_record_it_once(run):
    events = run("""
    with ops():
        with ops(), ops(shapes=True), ops(domain="d"):
            run("one")
        run("two")
    """)
    assert [(e["message"], e.get("domain")) for e in events.of("push")] == [
        ("one", None), ("one", "d"), ("two", None)]


def test_shapes_are_recorded_by_the_dispatch_mode(run):
    pytest.importorskip("numpy")
    for options, block in ((), "with ops(shapes=True):"), (["--pytorch=ops-shapes"], "if 1:"):
        events = run(f"""
    {block}
        run("for observers")
        torch.nn.Linear(4, 3)(torch.Tensor(8, 4))
        assert library.fake_n_observers() == 0
    """, options=options)
        assert (events.lines(), events.errors) == (["push aten::mm", "pop aten::mm"], "")
        assert "payloads" in events.of("push")[0]


def test_a_block_that_ends_on_another_thread_goes_on_for_its_own(run):
    events = run("""
    def block():
        with ops():
            yield
    generator = block()
    next(generator)
    label = begin("label", 9)
    thread = threading.Thread(target=generator.close)
    thread.start()
    thread.join()
    with ops():  # is recorded already
        run("op")
    end(label)
    assert library.fake_n_observers() == 1
    """)
    assert events.lines() == ["push label", "push op", "pop op", "pop label"]


def test_from_the_ninth_domain_on_the_dispatch_mode_takes_over(run):
    events = run("""
    for i in (*range(9), 0, 9):
        with ops(domain=f"d{i}"):
            run("op")
            torch.nn.Linear(4, 3)(torch.Tensor(8, 4))
    """)
    assert [(e["message"], e["domain"]) for e in events.of("push")] == [
        *(("op", f"d{i}") for i in range(8)), ("aten::mm", "d8"), ("op", "d0"),
        ("aten::mm", "d9")]
    assert events.errors.count("RuntimeWarning: rangeline.torch: PyTorch 9.8: observers "
                               "record operators in at most 8 domains: ops is a "
                               "TorchDispatchMode instead") == 1


def test_labels_that_end_on_other_threads_do_not_add_up(run):
    events = run("""
    with ops():
        labels = [begin("label", 9) for _ in range(3000)]
        thread = threading.Thread(target=lambda: [end(label) for label in labels])
        thread.start()
        thread.join()
        run("next")
    """)
    assert len(events.of("push")) == len(events.of("pop")) == 3001
    assert max(e["depth"] for e in events.of("push")) == 1023
    assert events.of("push")[-1]["depth"] == 3000 - 2 * 1024


# ---- Where torch has no observers that are known ------------------------------------------

OPS = """
    for _ in (1, 2):
        with ops():
            run("for observers")
            torch.nn.Linear(4, 3)(torch.Tensor(8, 4))
            assert library.fake_n_observers() == 0
"""
MORE = "import ctypes, os; ctypes.CDLL({!r}, mode=os.RTLD_GLOBAL)\n"


@pytest.mark.parametrize("made, reason", [
    (dict(options=["-DWITHOUT_NAME"]), "its libtorch_cpu.so lacks functions"),
    (dict(header=SCOPES.replace("end_;", "end_; int n;")),
     "its header declares another RecordFunctionCallback"),
    (dict(header=None), "its header record_function.h cannot be read"),
    (dict(header=HEADER.replace("OTHER,", "".join(f"O{i}, " for i in range(40)))),
     "it has too many scopes"),
])
@pytest.mark.parametrize("options", [(), ["--pytorch=ops"]])
def test_the_dispatch_mode_takes_over_and_says_so_once(run, make_torch, made, reason,
                                                       options):
    events = run(OPS, make_torch(**made), options=options)
    assert events.lines() == 2 * ["push aten::mm", "pop aten::mm"]
    assert events.errors.count("Warning") == 1
    assert (f"RuntimeWarning: rangeline.torch: PyTorch 9.8: {reason}: ops is a "
            "TorchDispatchMode instead, which records only operators below autograd, costs "
            "several times as much, and runs functions of torch.compile() uncompiled"
            ) in events.errors
    assert ("program1.py:" in events.errors) == (not options)


def test_a_warning_is_no_error_of_the_program(run, make_torch):
    events = run(OPS, make_torch(header=None), interpreter=["-W", "error"])
    assert (events.status, events.errors) == (0, "")
    assert events.lines() == 2 * ["push aten::mm", "pop aten::mm"]


def test_a_library_that_is_not_loaded_is_not_used(run, make_torch, usual):
    folder = make_torch()
    file = folder / "torch" / "lib" / "libtorch_cpu.so"
    init = folder / "torch" / "__init__.py"
    other = usual / "torch" / "lib" / "libtorch_cpu.so"
    init.write_text(init.read_text().replace(str(file), str(other)))
    assert "its libtorch_cpu.so is not loaded" in run(OPS, folder).errors


def test_a_library_whose_functions_are_hidden_is_not_used(run, make_torch):
    other = make_torch() / "torch" / "lib" / "libtorch_cpu.so"
    events = run(OPS, before=f"\n    {MORE.format(str(other))}")
    assert "another library hides functions of its libtorch_cpu.so" in events.errors
    assert events.lines() == 2 * ["push aten::mm", "pop aten::mm"]


def test_a_library_may_be_globally_visible(run, make_torch):
    events = run("""
    with ops():
        run("op")
    """, make_torch(load="RTLD_GLOBAL"))
    assert (events.lines(), events.errors) == (["push op", "pop op"], "")
