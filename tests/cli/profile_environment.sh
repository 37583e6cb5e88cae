# The program gets its environment and descriptors, and the variables added by -e.
A=1 rangeline profile -o t -e 'B=2,C=a\,b' --env-var D=4 \
    sh -c 'echo $A $B $C $D; echo out; echo err >&2; cat' <<<'input' 2>err
grep -v 'NVTX\|hint' err
A=1 rangeline profile -o t -n false sh -c 'echo "A=$A"' 2>/dev/null
inside=$(rangeline profile -o t ls /proc/self/fd 2>/dev/null | wc -l)
[ "$inside" = "$(ls /proc/self/fd | wc -l)" ] && echo 'no descriptor more'
signals() { sed -n 's/^Sig[BIC]..:/&/p' /proc/self/status; }
export -f signals
signals >expected
rangeline profile -o t bash -c signals 2>/dev/null | diff expected - && echo 'same signals'
trap '' CHLD
rangeline profile -o t grep SigIgn /proc/self/status 2>/dev/null >found
grep SigIgn /proc/self/status | diff - found && echo 'ignored as before'
