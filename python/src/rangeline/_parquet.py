# SPDX-License-Identifier: Apache-2.0
"""_parquet.py COMMAND OUTPUT FILTERS - run by `rangeline export -t parquet`: writes the ranges of
traces, whose paths standard input has, each ending with a zero byte, to one Parquet file.

The columns are those of `Trace.ranges()`, with times since 1970 instead of since the first
trace, and `rank`, `host` and `trace`. COMMAND is the file of the command, and FILTERS are options
of it, as a shell has them.
One trace after the other is read, in batches: memory grows neither with their number nor
with their size. Needs pyarrow.
"""

import contextlib
import json
import os
import shlex
import subprocess
import sys

_ROW_GROUP = 1 << 19
_DESCRIBED = 200  # traces that one `rangeline info` describes


def main(words):
    """Returns the exit status."""
    if len(words) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    command, output, filters = words
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        print(f"rangeline: cannot export: type=parquet: {sys.executable} has no pyarrow\n"
              "hint: `python3 -m pip install pyarrow`, or -t csv, which has ranges, too",
              file=sys.stderr)
        return 1
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    # The package looks for the library and the command beside those in PATH.
    os.environ["PATH"] = f"{os.path.dirname(command)}:{os.environ.get('PATH', os.defpath)}"
    paths = [os.fsdecode(path) for path in sys.stdin.buffer.read().split(b"\0") if path]
    try:
        n_rows = _write(pyarrow, output, _origins(command, paths),
                        _keywords(shlex.split(filters)))
    except KeyboardInterrupt:
        return 130
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"rangeline: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 1
    if n_rows == 0 and filters:
        print("note: no event matches the filter", file=sys.stderr)
    return 0


def _keywords(words):
    """Filters of the command as keywords of `Trace.ranges()`."""
    filters, is_folded = {}, False
    words = iter(words)
    for option in words:
        name = option.lstrip("-").replace("filter-", "")
        if name == "fold-numbers":
            is_folded = True
        elif name in ("window", "min-duration"):
            filters[name.replace("-", "_")] = int(next(words))
        else:
            filters.setdefault(name, []).append(next(words))
    if is_folded:  # after other rules, as in the command
        filters.setdefault("rename", []).append("numbers")
    return filters


def _write(pyarrow, output, origins, filters):
    """Returns the number of rows."""
    writer, waiting, n_waiting, n_rows = None, [], 0, 0
    for path, origin in origins:
        for table in _tables(pyarrow, path, origin, filters):
            if writer is None:
                with _writing(output):
                    writer = pyarrow.parquet.ParquetWriter(output, table.schema,
                                                           compression="zstd")
            waiting.append(table)
            n_waiting += len(table)
            n_rows += len(table)
            if n_waiting >= _ROW_GROUP:
                with _writing(output):
                    writer.write_table(pyarrow.concat_tables(waiting),
                                       row_group_size=_ROW_GROUP)
                waiting, n_waiting = [], 0
    with _writing(output):
        if waiting:
            writer.write_table(pyarrow.concat_tables(waiting), row_group_size=_ROW_GROUP)
        writer.close()
    return n_rows


@contextlib.contextmanager
def _writing(output):
    """Names the file in what pyarrow says, which names none."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise OSError(f'cannot write file: path="{output}": {reason}') from error


def _origins(command, paths):
    """Yields each path with its part of `rangeline info --json`: when it began, on which
    host, and the ranks of its processes."""
    for at in range(0, len(paths), _DESCRIBED):
        some = paths[at : at + _DESCRIBED]
        info = json.loads(subprocess.run([command, "info", "--json", "--", *some], check=True,
                                         stdout=subprocess.PIPE).stdout)
        origins, of_parts = {}, []
        for part in info["parts"]:
            of_parts.append(origins.setdefault(part["path"], {"part": part, "ranks": {}}))
        for process in info["processes"]:
            if "rank" in process:
                of_parts[process["part"]]["ranks"][process["pid"]] = process["rank"]
        for path in some:
            yield path, origins[path]


def _tables(pyarrow, path, origin, filters):
    """Yields the ranges of a trace, with where they are from."""
    import rangeline

    reader = pyarrow.RecordBatchReader.from_stream(rangeline.open(path).ranges(**filters))
    yield _placed(pyarrow, reader.schema.empty_table(), path, origin)
    for batch in reader:
        yield _placed(pyarrow, pyarrow.Table.from_batches([batch]), path, origin)


def _placed(pyarrow, table, path, origin):
    compute = pyarrow.compute
    began = pyarrow.scalar(origin["part"]["start_realtime"], pyarrow.int64())
    pids = pyarrow.array(list(origin["ranks"]), pyarrow.uint32())
    ranks = pyarrow.array(list(origin["ranks"].values()), pyarrow.uint32())
    for name in ("start", "end"):
        index = table.schema.get_field_index(name)
        table = table.set_column(index, name, compute.add(table[name], began))
    rank = ranks.take(compute.index_in(table["pid"].combine_chunks(), value_set=pids))
    return (table.append_column("rank", rank)
            .append_column("host", pyarrow.repeat(origin["part"].get("host"), len(table))
                           .cast(pyarrow.string()))
            .append_column("trace", pyarrow.repeat(path, len(table))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
