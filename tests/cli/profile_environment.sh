# The program sees its environment and its descriptors, and what -e adds.
A=1 rangeline profile -o t -e 'B=2,C=a\,b' --env-var D=4 \
    sh -c 'echo $A $B $C $D; echo out; echo err >&2; cat' <<<'input' 2>err
grep -v 'NVTX\|hint' err
A=1 rangeline profile -o t -n false sh -c 'echo "A=$A"' 2>/dev/null
inside=$(rangeline profile -o t ls /proc/self/fd 2>/dev/null | wc -l)
[ "$inside" = "$(ls /proc/self/fd | wc -l)" ] && echo 'no descriptor more'
