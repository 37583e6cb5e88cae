# A title that a program gives to its process is the process's name: whether it is there
# before the first event or given later, and instead of the arguments that it overwrites.
# The name of its main thread is not.
all() { # what reads the name
    rangeline info t.rln | sed -nE 's|[^ ]*/bin/|BIN/|g; s/^process +[0-9]+ /process PID /p'
    rangeline info --json t.rln | grep -oE '"title":"[^"]*"'
    rangeline export -q -t csv -o - t.rln | grep work | cut -d, -f9
    rangeline stats -q -r process_sum -f csv t.rln 2>/dev/null | sed -n '2s/.*,//p' | sed 's|.*/||'
}
for how in plain before later domain name; do
    echo "# $how"
    rangeline profile -f true -o t "$BIN/titled" "$how" 2>/dev/null
    all
done
echo "# by the executable's name, and by the title"
rangeline profile -f true -o t "$BIN/titled" before 2>/dev/null
for name in titled "serve: worker 0" scheduler; do
    rangeline print --process "$name" t.rln 2>/dev/null | grep -c push
done
