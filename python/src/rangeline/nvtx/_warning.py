# SPDX-License-Identifier: Apache-2.0
"""NvtxWarning, the category of this package's warnings."""


class NvtxWarning(UserWarning):
    """Something will not be recorded although the program asked for it.

    >>> import warnings
    >>> from rangeline.nvtx._lib import NvtxWarning
    >>> warnings.simplefilter("error", NvtxWarning)  # find out where
    """
