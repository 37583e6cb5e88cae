# SPDX-License-Identifier: Apache-2.0
"""fetch.py - 5 batches of 10 tasks, each of which waits and then parses what it got."""

import asyncio
import json

from rangeline import nvtx

ANSWER = json.dumps([{"id": i, "price": i * 1.5} for i in range(400)])


@nvtx.annotate("parse", color="orange")
async def parse(text):
    rows = json.loads(text)
    await asyncio.sleep(0.001)
    return sum(row["price"] for row in rows)


@nvtx.annotate("fetch", color="blue")
async def fetch(number):
    await asyncio.sleep(0.004 + number * 0.0007)
    return await parse(ANSWER)


@nvtx.annotate("batch", color="green")
async def batch():
    await asyncio.gather(*(fetch(number) for number in range(10)))


async def main():
    for _ in range(5):
        await batch()
        await asyncio.sleep(0.002)


asyncio.run(main())
