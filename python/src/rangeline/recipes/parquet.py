# SPDX-License-Identifier: Apache-2.0
"""The numbers of an answer as Parquet, and a notebook that reads them."""

import json

from .answer import COUNT, ID, NS, PERCENT, RATE, TEXT, printable, valid


def write(pyarrow, answer, path):
    """Writes the table; memory does not grow with its rows."""
    types = {TEXT: pyarrow.string(), ID: pyarrow.int64(), COUNT: pyarrow.int64(),
             NS: pyarrow.int64(), PERCENT: pyarrow.float64(), RATE: pyarrow.float64()}
    schema = pyarrow.schema([(column.name, types[column.kind]) for column in answer.data_columns])
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for columns in answer.data():
            writer.write_batch(pyarrow.record_batch(
                [pyarrow.array(map(valid, column) if field.type == types[TEXT] else column,
                               field.type) for column, field in zip(columns, schema)],
                schema=schema))


def notebook(answer, name):
    """The notebook, which reads only the Parquet beside it. Its plot needs matplotlib."""
    cells = [
        _cell("markdown", f"# {printable(answer.question)}\n\n{printable(answer.sentence)}"),
        _cell("code", "import pyarrow\nimport pyarrow.compute\nimport pyarrow.parquet\n\n"
                      f'table = pyarrow.parquet.read_table("{name}.parquet")\n'
                      f"{answer.analysis}\nresult.slice(0, 20).to_pylist()"),
        _cell("code", "try:\n    from matplotlib import pyplot\nexcept ImportError:\n"
                      '    print("`python3 -m pip install matplotlib` for a plot")\nelse:\n'
                      '    if "text.parse_math" in pyplot.rcParams:  # names may have $\n'
                      '        pyplot.rcParams["text.parse_math"] = False\n'
                      "    figure, axes = pyplot.subplots(figsize=(10, 4))\n" +
              "".join(f"    {line}\n" for line in answer.plot.splitlines()) + "    pyplot.show()"),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4,
                       "nbformat_minor": 4}, indent=1) + "\n"


def _cell(kind, source):
    cell = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell
