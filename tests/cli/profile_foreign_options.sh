# Options of Nsight Systems without a meaning here are accepted, and named once.
rangeline profile -t nvtx,cuda -s none --sample=none --cuda-memory-usage true -o t \
    "$BIN/clients" "$BUILD" 2>&1 | tidy
