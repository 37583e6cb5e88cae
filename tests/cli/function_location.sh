# Where a function is in the source, which a resource says by the handle of its name, is
# in what print and the exports say of its ranges. The resource itself is not printed.
rangeline profile -o run "$BIN/located" 2>/dev/null
rangeline print --json run.rln | grep -e push -e resource | sed -E 's/"(t|pid|tid)":[0-9]+/"\1":0/g'
rangeline print --ranges --json run.rln | grep -c '"file":"/src/a:b.py","line":12'
rangeline print run.rln | grep -c resource
rangeline export -t chrome -o run.json run.rln 2>/dev/null
rangeline export -t jsonl -o run.jsonl run.rln 2>/dev/null
grep RANGELINE_LOC run.jsonl
grep -o '"args":{[^}]*}' run.json | grep file
