# The closing line counts dropped events, and a hint says why there was no space for them.
drops() { # OPTION...
    rm -f t.rln
    rangeline profile -o t "$@" say many 2000000 2>&1 | sed 's/^rangeline: .*; DROPPED: .*/DROPPED/'
}
(ulimit -f 8192 && drops)
# Whoever reads the trace later gets the same reason.
rangeline info t.rln | sed -n '/^dropped/{n;s/^ *//p}'
rangeline info --json t.rln | grep -o '"at_size_limit":[a-z]*'
rangeline check -f csv t.rln | grep -o 'the trace reached.*)'
# Of several traces it is this one.
rangeline profile -q -o fine say many 10 2>&1
rangeline check -f csv fine.rln t.rln | awk -F, '$2 == "lost" || $2 == "refused" {print $2, $NF}'
rangeline check fine.rln t.rln | grep -o ' of t.rln.*(ulimit -f)'
# The program may have set the limit itself.
rangeline profile -o own "$BIN/host-resources" file_size 2>&1 | sed 's/^rangeline: .*; DROPPED: .*/DROPPED/'
