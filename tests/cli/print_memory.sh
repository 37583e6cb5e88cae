# `print` shows calls of the memory extension, `info` the contents of heaps.
golden pool
rangeline print pool.rln
rangeline print --json pool.rln
rangeline info pool.rln | grep -e events -e heap
rangeline info --json pool.rln | grep -o '"heaps":.*\]'
golden counters
rangeline info counters.rln | grep -e '^events' -e '^counter'
rangeline info --json counters.rln | grep -o '"counters":.*"heaps'
