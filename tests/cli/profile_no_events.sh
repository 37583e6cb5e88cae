# A program that makes no NVTX call leaves no trace, and hears how to annotate.
rangeline profile -o t true
echo "$?"
ls
