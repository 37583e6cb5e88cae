# Nsight Systems options that have no meaning here are accepted, and named once.
rangeline profile -w true -x true -t nvtx,cuda -s none --sample=none --cuda-memory-usage true -o t \
    "$BIN/clients" "$BUILD" 2>&1 | grep -v 'no NVIDIA GPU here' | tidy
# An invalid value of such an option is not taken as the program's name.
rangeline profile -x 5 true 2>&1
echo "$?"
rangeline profile --show-output=yes true 2>&1
echo "$?"
