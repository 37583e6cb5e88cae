# SPDX-License-Identifier: Apache-2.0
"""`nvtxpy` as another name for rangeline.nvtxpy: the distribution rangeline-nvtx."""

from rangeline._alias import lend

lend("nvtxpy", "rangeline.nvtxpy")
