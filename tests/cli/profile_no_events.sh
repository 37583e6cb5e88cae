# A program without NVTX calls leaves no trace; the message explains how to annotate.
rangeline profile -o t true
echo "$?"
ls
# Nothing can be read of a run without events, however it ended.
rangeline profile -o t -d 0.001 sleep 0.1
