# What a hint says to type can be pasted into a shell: names of files and ranges, and words
# that were typed, are quoted where they need it, so that the shell runs no part of them.
try() { # the hints; then a shell expands each command in them
    "$@" >/dev/null 2>said </dev/null
    grep '^hint' said || tail -n 1 said
    grep '^hint' said | sed 's/[^`]*`\([^`]*\)`[^`]*/: \1\n/g' | bash
    [ ! -e hit ] || { rm hit && echo "A SHELL RAN IT"; }
}
bad='x$(touch hit) y'
cp "$BIN/say" say
rangeline profile -f -o "$bad" ./say push "$bad" pop push 'say "hi"' pop push $'two\nlines' pop \
    2>/dev/null
rangeline profile -f -o "marks $bad" ./say mark m 2>/dev/null
rangeline reduce -o "$bad" "$bad.rln" 2>/dev/null
for file in "$bad.nsys-rep" "$bad.zst" "$bad.py"; do echo no >"$file"; done
cp say "program $bad"
echo "--- names of ranges"
try rangeline stats --name 'x$(touch hit) z' "$bad.rln"
try rangeline stats --name 'say "hx"' "$bad.rln"
try rangeline stats --name $'two\nlined' "$bad.rln"
try rangeline stats -q -r 'pace:x$(touch hit) z' "$bad.rln"
rangeline profile -o io ./say push "it's \$(touch hit)@io" pop @io 2>/dev/null
try rangeline analyze --step "it's \$(touch hit)" io.rln
echo "--- options"
try rangeline stats '--nmae=$(touch hit)' "$bad.rln"
try rangeline stats '--nmae=a b$x' "$bad.rln"
try rangeline stats $'--nmae=a\nb' "$bad.rln"
try rangeline export '--tpye=csv;touch hit' "$bad.rln"
try rangeline stats '--row=5;touch hit' "$bad.rln"
try rangeline analyze '--rul=a;touch hit' "$bad.rln"
try rangeline diff '--onn=$(touch hit)'
echo "--- files"
try rangeline stats --window 7 "$bad.rln"
try rangeline stats "marks $bad.rln"
try rangeline stats "program $bad"
try rangeline stats "$bad.nsys-rep"
try rangeline stats "$bad.zst"
try rangeline stats "$bad"
try rangeline stats "${bad}y.rln"
try rangeline print "$bad.rlsum"
try rangeline stats "$bad.rln" "$bad.rlsum"
try rangeline top "$bad.rln"
try rangeline export -o "$bad.html" "$bad.rln"
try rangeline export -t csv -o "$bad/out" "$bad.rln"
try rangeline profile -o "$bad/out" ./say mark m
try rangeline profile -o "$bad/" ./say mark m
try rangeline profile "$bad.py"
try rangeline profile "program $bad"
try rangeline "$bad.rln"
try rangeline mrge "$bad.rln"
