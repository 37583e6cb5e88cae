# The closing line counts dropped events, and a hint says why there was no space for them.
drops() { # OPTION...
    rm -f t.rln
    rangeline profile -o t "$@" say many 2000000 2>&1 | sed 's/^rangeline: .*; DROPPED: .*/DROPPED/'
}
(ulimit -f 8192 && drops)
