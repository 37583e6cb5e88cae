# SPDX-License-Identifier: Apache-2.0
"""Times as people read them."""


def duration(ns):
    """A time for people, with three digits: "35.6 ms"."""
    value = abs(ns)
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if value >= 0.9995 * size:
            value /= size
            break
    else:
        return f"{ns:.0f} ns" if ns else "0"
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{'-' if ns < 0 else ''}{value:,.{digits}f} {unit}"
