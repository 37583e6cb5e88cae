# `env` prints variables that a shell can evaluate.
rangeline env | sed "s|$BUILD|BUILD|"
eval "$(rangeline env)"
"$BIN/clients" "$BUILD"
ls | sed 's/[0-9][0-9]*/PID/'
rangeline print -- *.rln | tidy | tail -n 2
