# Options of Nsight Systems without a meaning here are accepted, and named once.
rangeline profile -w true -x true -t nvtx,cuda -s none --sample=none --cuda-memory-usage true -o t \
    "$BIN/clients" "$BUILD" 2>&1 | tidy
# What such an option does not take is no program's name.
rangeline profile -x 5 true 2>&1
echo "$?"
rangeline profile --show-output=yes true 2>&1
echo "$?"
