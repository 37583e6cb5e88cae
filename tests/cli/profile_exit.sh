# `profile` exits with the program's status, or 128 plus the signal that ended it; with
# 126 or 127, like a shell, if the program cannot be run.
try() { rangeline profile -o t -f true "$@" 2>&1 | grep -v '^hint: annotate\|no NVTX call'; echo "${PIPESTATUS[0]}: $*"; }
try true
try false
try sh -c 'exit 42'
try sh -c 'kill -TERM $$'
try sh -c 'kill -KILL $$'
try sh -c 'ulimit -c 0; kill -SEGV $$'
try nosuchprogram
try ./nosuchprogram
: >script.py
try ./script.py
try script.py
mkdir folder
try ./folder
