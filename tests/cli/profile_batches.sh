# The closing line counts batches of events by their kind.
rangeline profile -o t "$BIN/says_counters" 2>&1 | sed 's/[0-9]* KiB/N KiB/'
