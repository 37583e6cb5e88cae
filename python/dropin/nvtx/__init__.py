# SPDX-License-Identifier: Apache-2.0
"""`nvtx` as another name for rangeline.nvtx: the distribution rangeline-nvtx."""

import os
import warnings

from rangeline._alias import lend

if os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib")):
    warnings.warn(
        "NVIDIA's distribution nvtx is installed under rangeline-nvtx, whose nvtx this "
        "is; `pip uninstall nvtx rangeline-nvtx`, then install the one that you want",
        RuntimeWarning, stacklevel=2)

lend("nvtx", "rangeline.nvtx")
