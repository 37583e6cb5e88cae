# Options of Nsight Systems without a meaning here are accepted, and named once.
rangeline profile -w true -x true -t nvtx,cuda -s none --sample=none --cuda-memory-usage true -o t \
    "$BIN/clients" "$BUILD" 2>&1 | tidy
