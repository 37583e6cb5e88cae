# For a program without NVTX calls, `profile` writes no trace and explains how to annotate.
rangeline profile -o t true
echo "$?"
ls
# A run without events leaves no trace, however it ended.
rangeline profile -o t -d 0.001 sleep 0.1
# One that failed gets no hint to annotate: it ended before its calls.
rangeline profile -o t sh -c 'exit 7'
echo "$?"
rangeline profile -o t sh -c 'kill -TERM $$'
echo "$?"
rangeline profile -o t sh -c 'kill -35 $$'
echo "$?"
