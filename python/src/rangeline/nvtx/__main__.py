# SPDX-License-Identifier: Apache-2.0
"""python -m rangeline.nvtx [options] SCRIPT | -m MODULE | -c COMMAND [argument ...]

Runs a Python program and annotates the calls of its functions, to be recorded by a
tool:

    rangeline profile python -m rangeline.nvtx train.py --epochs 3
"""

import argparse
import builtins
import importlib.machinery
import importlib.util
import io
import os
import signal
import sys
import types

from rangeline._profile import Profile


def parser():
    p = argparse.ArgumentParser(
        prog="python -m rangeline.nvtx", allow_abbrev=False,
        usage="%(prog)s [options] SCRIPT | -m MODULE | -c COMMAND [argument ...]",
        description="Runs a Python program and annotates the calls of its functions.")
    p.add_argument("--linenos", action="store_true", default=True,
                   help="name ranges file:line(function); the default")
    p.add_argument("--no-linenos", action="store_false", dest="linenos",
                   help="name ranges after the function alone")
    p.add_argument("--annotate-cfuncs", action="store_true",
                   help="annotate builtins and functions of extensions, too")
    p.add_argument("--include", action="append", metavar="PATTERN",
                   help="only functions of this module, `package.*`, or file, `*/x.py`; "
                        "may be repeated")
    p.add_argument("--exclude", action="append", metavar="PATTERN",
                   help="all but these; may be repeated")
    how = p.add_mutually_exclusive_group()
    how.add_argument("-m", dest="module", metavar="MODULE", help="run a module")
    how.add_argument("-c", dest="command", metavar="COMMAND", help="run a command")
    return p


def split(words):
    """Splits our options from the program: its name and everything after it."""
    takes_value = {"--include", "--exclude"}
    i = 0
    while i < len(words) and words[i].startswith("-") and words[i] != "-":
        if words[i][:2] in ("-m", "-c"):
            i += 1 if len(words[i]) > 2 else 2
            break
        if words[i] == "--":
            return words[:i], words[i + 1:]
        i += 2 if words[i] in takes_value else 1
    return words[:i], words[i:]


class Refused(Exception):
    """The program cannot be run: Python's message for that, and the exit status."""


def code_of_script(path):
    try:
        with io.open_code(os.path.abspath(path)) as source:
            text = source.read()
    except OSError as error:
        raise Refused(f"can't open file {os.path.abspath(path)!r}: [Errno {error.errno}] "
                      f"{error.strerror}", 2) from None
    return compile(text, os.path.abspath(path), "exec", dont_inherit=True)


def find_module(name):
    """The module that `python -m NAME` runs."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            package, spec = name, importlib.util.find_spec(f"{name}.__main__")
            if spec is None:
                raise Refused(f"No module named {package}.__main__; {package!r} is a "
                              "package and cannot be directly executed", 1)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise Refused(f"Error while finding module specification for {name!r} "
                      f"({type(error).__name__}: {error})", 1) from None
    if spec is None:
        raise Refused(f"No module named {name}", 1)
    return spec


def set_first_path(folder):
    """Sets sys.path[0], unless Python's options forbid it."""
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path[0] = folder


def prepare(options, words):
    """Returns the program's code and the initial names of its __main__. Sets sys.argv
    and sys.path[0] as Python does."""
    if options.command is not None:
        sys.argv = ["-c", *words]
        set_first_path("")
        return compile(options.command, "<string>", "exec", dont_inherit=True), {}
    if options.module is None and not os.path.isdir(words[0]) and not zipped(words[0]):
        sys.argv = words
        set_first_path(os.path.dirname(os.path.realpath(words[0])))
        code = code_of_script(words[0])
        loader = importlib.machinery.SourceFileLoader("__main__", code.co_filename)
        return code, {"__file__": code.co_filename, "__cached__": None,
                      "__loader__": loader}
    if options.module is not None:
        sys.argv = ["-m", *words]
        set_first_path(os.getcwd())
        spec = find_module(options.module)
        sys.argv[0] = spec.origin
    else:
        place = os.path.abspath(words[0])
        sys.argv = words
        sys.path[:] = [place, *sys.path[0 if sys.flags.isolated else 1:]]
        spec = importlib.machinery.PathFinder.find_spec("__main__", [place])
        if spec is None:
            raise Refused(f"can't find '__main__' module in {place!r}", 1)
    return spec.loader.get_code(spec.name), {
        "__file__": spec.origin, "__cached__": spec.cached, "__loader__": spec.loader,
        "__package__": spec.parent, "__spec__": spec}


def zipped(path):
    return importlib.machinery.PathFinder.find_spec("__main__", [path]) is not None


def run(options, words, profile):
    """Runs the program as the module __main__, replacing ours."""
    code, names = prepare(options, words)
    main_module = types.ModuleType("__main__")
    main_module.__dict__.update(
        {"__builtins__": builtins, "__loader__": importlib.machinery.BuiltinImporter},
        **names)
    if sys.version_info < (3, 14):  # from 3.14 on, Python creates them on demand
        main_module.__dict__["__annotations__"] = {}
    sys.modules["__main__"] = main_module
    # Called as a function, because the profile would annotate a call of exec().
    program = types.FunctionType(code, main_module.__dict__)
    with profile:
        program()


def report(error):
    """Prints the exception that ended the program as Python does, without our frames."""
    trace = error.__traceback__
    while trace and (trace.tb_frame.f_code.co_filename == __file__
                     or trace.tb_frame.f_code.co_filename.startswith("<frozen importlib")):
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)
    if isinstance(error, KeyboardInterrupt):  # a shell must see that SIGINT ended us
        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    sys.exit(1)


def main(words=None):
    """Runs the program that the command line names."""
    ours, program = split(sys.argv[1:] if words is None else words)
    options = parser().parse_args(ours)
    if not program and options.module is None and options.command is None:
        parser().error("the program to run is missing: SCRIPT, -m MODULE or -c COMMAND")
    profile = Profile(options.linenos, options.annotate_cfuncs, include=options.include,
                      exclude=options.exclude)
    try:
        run(options, program, profile)
    except SystemExit:
        raise
    except Refused as refused:
        message, status = refused.args
        sys.stderr.write(f"{sys.executable}: {message}\n")
        sys.exit(status)
    except BaseException as error:  # pylint: disable=broad-except # we only report it
        report(error)


if __name__ == "__main__":
    main()
