# What was run, and how it ended, comes before the processes; one size is the file's,
# the other what it takes on the disk.
rangeline profile -o t sh -c '"$BIN/clients" "$BUILD"; exit 3' 2>/dev/null
rangeline info t.rln | tidy | sed -E 's/on [^ ]+, clock .*/on HOST/; s/[0-9-]{10} [0-9:]{8} [+0-9]{5}/DATE/;
    s/(process|thread) +[0-9]+/\1 PID/; s|[^ ]*/bin/|BIN/|; s/(clients) .*/\1/; s/[0-9.]+ [mun]?s from/TIME from/'
