# A program without NVTX calls leaves no trace; the message explains how to annotate.
rangeline profile -o t true
echo "$?"
ls
