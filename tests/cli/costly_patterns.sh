# A pattern that would take minutes to compile or match, or overflow the stack, is refused
# wherever a pattern is accepted; the error names it and the bound. Patterns within the
# bounds work.
# shellcheck disable=SC2086 # words
golden nested
deep=$(printf '(%.0s' {1..30000})x$(printf ')%.0s' {1..30000})
for pattern in '((a{1,200}){1,200})' '((((a{9}){9}){9}){9})' 'x(a?){30000}' '(a{40}){40,}' \
    '[]a-z{]{2000}' 'a{50}{50}' "$(printf '(%.0s' {1..40})a$(printf '+)%.0s' {1..40})" "$deep" \
    '(a*)*\1b'; do
    echo "--- ${pattern:0:40}"
    for words in "stats --name /$pattern/" "print --domain /$pattern/" \
        "check --rename s;$pattern;x; "; do
        timeout 60 rangeline $words nested.rln 2>&1 >/dev/null | grep -v ^hint | sed 's/=".*"/="..."/'
        echo "${PIPESTATUS[0]}"
    done
done
echo "--- basic expressions, too"
timeout 60 rangeline export -t sqlite -o - --tables '\(\(a\{200\}\)\{200\}\)' nested.rln
echo $?
timeout 60 rangeline export -t sqlite -o - --tables '\(a*\)*\1b' nested.rln
echo $?
echo "--- within the bounds"
rangeline stats -q -r nvtx_sum -f csv --name '/^(l[o-p]a{1,9}d{1,}|[{]{1,900}|(x{9}){9})$/' nested.rln | cut -d, -f3,10
rangeline stats -q -r nvtx_sum -f csv --rename 's/(l.)(.*)/\2\1/' --name '/^ad(lo|[\1])$/' nested.rln | cut -d, -f3,10
