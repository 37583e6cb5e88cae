# SPDX-License-Identifier: Apache-2.0
"""What `rangeline recipe` runs: answers about whole jobs, of the sums of their traces."""
