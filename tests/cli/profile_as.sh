# --as nsys sets the variable by which programs see Nsight, and nothing else does.
unset NSYS_PROFILING_SESSION_ID
print() {
    rangeline profile "$@" sh -c 'echo "${NSYS_PROFILING_SESSION_ID-none}"' 2>/dev/null
}
print
print --as=rangeline
print --as nsys | sed 's/^[0-9][0-9]*$/a number/'
print --as=nsys -n false | sed 's/^[0-9][0-9]*$/a number/'
print --as=nsys -e NSYS_PROFILING_SESSION_ID=mine
NSYS_PROFILING_SESSION_ID=theirs print
rangeline profile --as nsight true 2>&1
echo "$?"
# A program that annotates only then.
annotate() {
    rangeline profile "$@" sh -c "[ -z \"\${NSYS_PROFILING_SESSION_ID-}\" ] || \
        '$BIN/clients' '$BUILD'" 2>&1 | grep -c ' events, '
}
annotate -o without
annotate -o with --as nsys
ls
