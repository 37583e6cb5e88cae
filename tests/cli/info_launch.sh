# `info` prints the recorded command and its exit status before the processes, and the
# file's size and its use of disk space.
rangeline profile -o t sh -c '"$BIN/clients" "$BUILD"; exit 3' 2>/dev/null
rangeline info t.rln | tidy | sed -E 's/on [^ ]+, clock .*/on HOST/; s/[0-9-]{10} [0-9:]{8} [+0-9]{5}/DATE/;
    s/(process|thread) +[0-9]+/\1 PID/; s|[^ ]*/bin/|BIN/|; s/(clients) .*/\1/; s/[0-9.]+ [mun]?s from/TIME from/'
