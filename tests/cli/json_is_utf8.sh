# Bytes that are not UTF-8 become U+FFFD in every JSON: strict readers accept it.
rangeline profile -o run "$BIN/say" \
    push $'caf\xe9' push $'cut \xe2\x82@dom\xff' mark $'x\xf0\x9f\x98y' pop @ pop 2>/dev/null
strictly() {
    python3 -c '
import json, sys
lines = sys.stdin.buffer.read()
texts = lines.splitlines() if sys.argv[1] == "lines" else [lines]
text = "".join(json.dumps(json.loads(t), ensure_ascii=False) for t in texts)
text.encode()  # fails if half of a surrogate pair is in it
print("".join(sorted({w for w in ("caf\ufffd", "cut \ufffd", "x\ufffdy", "dom\ufffd") if w in text})))
' "$1"
}
for words in 'print --json' 'print --ranges --json'; do
    # shellcheck disable=SC2086 # words
    echo "$words: $(rangeline $words run.rln | strictly lines)"
done
for words in 'stats -q -f json -r nvtx_sum' 'stats -q -f json -r tree' 'info --json' \
    'analyze --json' 'check --json' 'diff --all --json run.rln' 'export -q -t chrome -o -'; do
    # shellcheck disable=SC2086 # words
    echo "$words: $(rangeline $words run.rln 2>/dev/null | strictly whole)"
done
# Nothing is lost to who reads it as text.
rangeline print run.rln | grep -oE ' push .*'
