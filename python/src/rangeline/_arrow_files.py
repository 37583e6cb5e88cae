# SPDX-License-Identifier: Apache-2.0
"""_arrow_files.py TYPE OUTPUT - run by `rangeline export -t arrowdir` and `parquetdir`:
writes the tables of standard input, Arrow streams one after the other, to an empty
folder.

    arrowdir    with a file TABLE.arrow each
    parquetdir  with a file TABLE.parquet each

Rows are copied in batches, so memory does not grow with the trace. Needs pyarrow.
"""

import os
import sys


def main(words):
    """Returns the exit status."""
    if len(words) != 2 or words[0] not in ("arrowdir", "parquetdir"):
        print(__doc__, file=sys.stderr)
        return 2
    kind, output = words
    try:
        import pyarrow
    except ImportError:
        print(f"rangeline: cannot export: type={kind}: {sys.executable} has no pyarrow\n"
              "hint: `python3 -m pip install pyarrow`, or -t arrow or sqlite, which have the "
              "same tables", file=sys.stderr)
        return 1
    try:
        _write(pyarrow, kind, output, sys.stdin.buffer)
    except OSError as error:
        print(f"rangeline: cannot export: output={output}: {error.strerror or error}",
              file=sys.stderr)
        return 1
    return 0


def _write(pyarrow, kind, output, source):
    if kind == "parquetdir":
        from pyarrow.parquet import ParquetWriter as new_writer
    else:
        new_writer = pyarrow.ipc.new_file
    extension = kind[:-len("dir")]
    while source.peek(1):
        with pyarrow.ipc.open_stream(source) as batches:
            name = batches.schema.metadata[b"table_name"].decode()
            path = os.path.join(output, f"{name}.{extension}")
            with new_writer(path, batches.schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
