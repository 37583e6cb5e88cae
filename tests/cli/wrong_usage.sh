# Wrong usage gives exit status 2, the error, and a hint.
try() { rangeline "$@"; echo "$?: $*"; }
try
try nosuch
try help nosuch
try print --nosuch
try print -r
try print --tree=perhaps
try print --tree --json a.rln
try stats --report
try stats -r
try profile
try profile --nosuch ./program
try profile -o
try profile --wait sometimes ./program
try env extra
try info --json=maybe
try profle
try stats --reprot tree
try stats -r tre
try stats -f jsn
try stats --timeunit hours
try profile --wat all ./program
try profile -c hotkey ./program
try completions
try report a.rln
try analyze -f csv a.rln
try analyze --format csv a.rln
try profile -o "$(printf 'x%.0s' $(seq 300))" true 2>&1 | sed 's/x\{9,\}/xxx/' >&2
