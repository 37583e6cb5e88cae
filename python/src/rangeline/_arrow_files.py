# SPDX-License-Identifier: Apache-2.0
"""_arrow_files.py TYPE SQLITE OUTPUT - run by `rangeline export -t arrow`, `arrowdir`
and `parquetdir`: copies the tables of a SQLite export to Arrow's formats.

    arrow       one file of Arrow streams, one after the other; each schema's metadata
                has the table_name
    arrowdir    a folder with a file TABLE.arrow each
    parquetdir  a folder with a file TABLE.parquet each

Rows are copied in batches, so memory does not grow with the trace. Needs pyarrow.
"""

import os
import sqlite3
import sys

_BATCH = 65536


def main(words):
    """Returns the exit status."""
    if len(words) != 3 or words[0] not in ("arrow", "arrowdir", "parquetdir"):
        print(__doc__, file=sys.stderr)
        return 2
    kind, source, output = words
    try:
        import pyarrow
    except ImportError:
        print(f"rangeline: cannot export: type={kind}: {sys.executable} has no pyarrow\n"
              "hint: `python3 -m pip install pyarrow`, or -t sqlite, which has the same "
              "tables", file=sys.stderr)
        return 1
    connection = sqlite3.connect(f"file:{_quoted(source)}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    try:
        {"arrow": _to_stream, "arrowdir": _to_folder, "parquetdir": _to_parquet}[kind](
            pyarrow, connection, output)
    except OSError as error:
        print(f"rangeline: cannot export: output={output}: {error.strerror or error}",
              file=sys.stderr)
        return 1
    return 0


def _quoted(path):
    import urllib.parse

    return urllib.parse.quote(os.path.abspath(path))


def _tables(pyarrow, connection):
    """Yields (schema, batches) for each table, sorted by name."""
    types = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(),
             "TEXT": pyarrow.string()}
    names = [name for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for name in names:
        fields = []
        for column in connection.execute(f'PRAGMA table_info("{name}")'):
            kind = types.get(column[2].upper(), pyarrow.string())
            if column[1] == "binaryData":
                kind = pyarrow.binary()
            fields.append(pyarrow.field(column[1], kind, nullable=not column[3]))
        schema = pyarrow.schema(fields, metadata={"table_name": name})
        yield name, schema, _batches(pyarrow, connection, name, schema)


def _batches(pyarrow, connection, name, schema):
    rows = connection.execute(f'SELECT * FROM "{name}"')
    while True:
        some = rows.fetchmany(_BATCH)
        if not some:
            return
        yield pyarrow.record_batch(
            [pyarrow.array(column, field.type)
             for column, field in zip(zip(*some), schema)], schema)


def _to_stream(pyarrow, connection, output):
    with open(output, "wb") as file:
        for _, schema, batches in _tables(pyarrow, connection):
            with pyarrow.ipc.new_stream(file, schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)


def _to_folder(pyarrow, connection, output):
    os.mkdir(output)
    for name, schema, batches in _tables(pyarrow, connection):
        with pyarrow.ipc.new_file(os.path.join(output, f"{name}.arrow"), schema) as writer:
            for batch in batches:
                writer.write_batch(batch)


def _to_parquet(pyarrow, connection, output):
    from pyarrow import parquet

    os.mkdir(output)
    for name, schema, batches in _tables(pyarrow, connection):
        with parquet.ParquetWriter(
            os.path.join(output, f"{name}.parquet"), schema
        ) as writer:
            for batch in batches:
                writer.write_batch(batch)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
