# SPDX-License-Identifier: Apache-2.0
from typing import Any

from rangeline.trace import Trace as Trace, open as open

__version__: str

def load_ipython_extension(shell: Any) -> None: ...
