# SPDX-License-Identifier: Apache-2.0
"""The fixtures of conftest.py record programs without changing them."""


def test_a_program_ends_as_it_would_alone(record):
    recording = record("""
        import sys
        print("out", *sys.argv[1:])
        print("err", file=sys.stderr)
        sys.exit(3)
    """, "a", "b", check=False)
    assert (recording.status, recording.output, recording.errors) == (
        3, "out a b\n", "err\n")
    assert recording == []


def test_the_extension_is_the_one_that_was_built_for_this_python(run_python):
    done = run_python("import rangeline._native as n; print(n.__file__)")
    assert done.stderr == ""
    assert "/package/rangeline/_native." in done.stdout
