# SPDX-License-Identifier: Apache-2.0
"""Anything that SQL can ask: here, which parts take most of a step."""

import sys

import duckdb
import rangeline

# %% DuckDB finds tables by the names of variables
ranges = rangeline.open(sys.argv[1]).ranges()
answer = duckdb.sql("""
    select part.name, count(*), sum(part.duration)
    from ranges step join ranges part
      on part.tid = step.tid and part.start > step.start and part."end" < step."end"
    where step.name = 'step'
    group by all order by 3 desc
""")
for name, count, total in answer.fetchall():
    print(f"{name}: {count} times, {total / 1e6:.1f} ms")
