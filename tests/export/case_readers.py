# SPDX-License-Identifier: Apache-2.0
"""Programs from PyPI that read Nsight Systems' exports open ours, unmodified."""
import pathlib
import subprocess
import sys

import traces

traces.needs("nsys_tui.profile")
import nsys_ai.profile  # noqa: E402
import nsys_tui.profile  # noqa: E402

EXPORTED = traces.export(traces.everything(), "sqlite", "--placeholder-gpu")


def threads_of(profile):
    return {row[0] for row in profile.conn.execute("SELECT globalTid FROM NVTX_EVENTS")}


def names_in(profile):
    rows = profile.nvtx_events(threads_of(profile), (0, 1 << 62))
    return {row["text"] for row in rows}


def test_nsys_tui_lists_kernels_and_ranges():
    profile = nsys_tui.profile.open(str(EXPORTED))
    assert profile.meta.devices == [0] and profile.meta.kernel_count >= 2
    assert {"outer", "inner", "read", "send", "crossing"} <= names_in(profile)
    assert {k["name"] for k in profile.kernels(0)} == {"[no GPU]"}
    profile.close()


def test_nsys_ai_lists_kernels_and_ranges():
    profile = nsys_ai.profile.open(str(EXPORTED))
    assert profile.meta.devices == [0]
    assert profile.meta.nvtx_count > 20
    found = profile.conn.execute(
        "SELECT COALESCE(n.text, s.value) FROM NVTX_EVENTS n "
        "LEFT JOIN StringIds s ON n.textId = s.id").fetchall()
    assert {"outer", "block"} <= {row[0] for row in found}
    profile.close()


def test_its_command_ends_well():
    command = pathlib.Path(sys.executable).parent / "nsys-tui"
    done = subprocess.run([command, "info", EXPORTED], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0 and b"NVTX: " in done.stdout, done


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
