# SPDX-License-Identifier: Apache-2.0
"""Sums of traces, made on the workers of a Dask cluster that others have started.

    paths --partial() of a batch--> Part --merge() of 16--> ... --> Part

The workers see the same files at the same paths, and have this package. If one is killed,
Dask gives its tasks to others; the sums are the same.
"""

import asyncio
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import time

from rangeline.__main__ import find
from rangeline.recipes import sums

_MOST_PATHS = 1000  # of a task
_TASKS = 4  # for each thread, so that slow ones hold up little
_MERGED = 16  # at a time
_PATIENCE = 30  # seconds, for the scheduler and for the first worker


def reduce(address, command, options, paths, output):
    """Writes the sums of the traces to a file."""
    distributed = _distributed()
    with _connect(distributed, address) as client:
        n_threads = _check_workers(client, command)
        try:
            with open(output, "wb") as file:
                file.write(_run(client, options, paths, n_threads))
        except (distributed.KilledWorker, concurrent.futures.CancelledError,
                RuntimeError) as error:
            raise sums.Failed(f"rangeline: cannot reduce with Dask: {error}\n") from None


def _run(client, options, paths, n_threads):
    size = min(math.ceil(len(paths) / (_TASKS * n_threads)), _MOST_PATHS)
    here = os.getcwd()
    partial, merge = _tasks()
    parts = [client.submit(partial, options, paths[i : i + size], here, pure=False)
             for i in range(0, len(paths), size)]
    while len(parts) > 1:
        parts = [client.submit(merge, options, parts[i : i + _MERGED], here, pure=False)
                 for i in range(0, len(parts), _MERGED)]
    whole = parts[0].result()
    if whole.content is None:  # none can be read, which reduce says in its own words
        sums.reduce(find(), options, whole.paths, os.devnull, here)
    return whole.content


def _tasks():
    """The functions that workers run. They are local, so they travel by value: the scheduler
    reads them and need not have the package."""
    # What a killed worker leaves in its folder is removed by Dask, when the next one starts.
    def partial(options, paths, folder):
        from distributed import get_worker

        from rangeline.__main__ import find
        from rangeline.recipes import sums as on_worker

        scratch = get_worker().local_directory
        return on_worker.partial(find(), options, paths, folder, scratch)

    def merge(options, parts, folder):
        from distributed import get_worker

        from rangeline.__main__ import find
        from rangeline.recipes import sums as on_worker

        scratch = get_worker().local_directory
        return on_worker.merge(find(), options, parts, folder, scratch)

    return partial, merge


# --- The cluster ---------------------------------------------------------------------


def _distributed():
    try:
        import distributed
    except ImportError:
        raise sums.Failed(f"rangeline: cannot use Dask: {sys.executable} has no distributed\n"
                          "hint: `python3 -m pip install distributed`\n") from None
    return distributed


def _connect(distributed, address):
    if address == "auto":
        address = os.environ.get("DASK_SCHEDULER_ADDRESS", "")
        if not address:
            raise sums.Failed("rangeline: cannot use Dask: dask=auto: DASK_SCHEDULER_ADDRESS is "
                              "not set\nhint: give the scheduler's address, such as --dask "
                              "tcp://scheduler:8786\n", 2)
    try:
        where = _address_in(address) if address.endswith(".json") else address
        return distributed.Client(where, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise sums.Failed(f'rangeline: cannot reach the scheduler: dask="{address}": '
                          f"{error}\n") from None


def _address_in(path):
    """The address in a scheduler file, which a scheduler that was just started writes soon.
    Dask itself would wait forever."""
    until = time.monotonic() + _PATIENCE
    while not os.path.exists(path) and time.monotonic() < until:
        time.sleep(0.1)
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    if not isinstance(found, dict) or not isinstance(found.get("address"), str):
        raise ValueError("it has no address")
    return found["address"]


def _check_workers(client, command):
    """Fails if a worker lacks this version. Returns how many threads they have."""
    import cloudpickle

    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except (TimeoutError, asyncio.TimeoutError):  # one since Python 3.11
        raise sums.Failed("rangeline: cannot use Dask: the cluster has no worker\n") from None
    ours = _version_of(command)
    here = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(here)  # for workers without the package
    try:
        theirs = client.run(_their_version)
    finally:
        cloudpickle.unregister_pickle_by_value(here)
    for worker, version in sorted(theirs.items()):
        if version != ours:
            raise sums.Failed(f'rangeline: cannot use Dask: worker="{worker}" has {version}, not '
                              f"{ours}\nhint: install this version on the workers\n")
    return max(sum(client.nthreads().values()), 1)


def _version_of(command):
    return subprocess.run([command, "--version"], stdout=subprocess.PIPE, check=True,
                          encoding="utf-8").stdout.strip()


def _their_version():
    """Runs on a worker, which may lack everything."""
    import importlib.util
    import subprocess

    try:
        if not importlib.util.find_spec("rangeline.recipes.dask_sums"):
            return "a package rangeline without recipes"
        from rangeline.__main__ import find

        command = find()
        if not command:
            return "no command rangeline"
        return subprocess.run([command, "--version"], stdout=subprocess.PIPE, check=True,
                              encoding="utf-8").stdout.strip()
    except ImportError:
        return "no package rangeline"
    except (OSError, subprocess.CalledProcessError) as error:
        return f"a command that fails: {error}"
