#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# spool.sh BUILD_DIR - `--spool`: the trace is recorded elsewhere and then moved.
# Whatever goes wrong, a complete trace remains, and a message says where.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
begin "$1"
mkdir spool
what='push a thread ( mark b ) fork ( mark c ) plugin ( mark d ) pop'
events='push a, mark b, mark c, mark d, pop a'

check 'in another folder' '--spool spool' "$what" "$events"
compare 'it is moved' "regular file ''" "$(stat -c %F t.rln) '$(ls spool)'"
check 'with what else there is' '--spool spool --buffer 1M --delay 0 -c nvtx -p a' \
    "$what mark e" "$events"
check 'killed' '--spool spool' 'mark a kill 9' 'mark a' 137
check 'nothing was recorded' '--spool spool' 'string s' -
compare 'nothing is left' '' "$(ls spool)"
(cd spool && rangeline profile -o ../u --spool . say mark a 2>/dev/null)
compare 'a folder of its own' 'mark a' "$(events u.rln)"
rangeline profile --spool spool say mark a 2>err
compare 'the next number' 'report1.rln: mark a' "$(echo report*.rln): $(events report1.rln)"
rangeline profile --spool spool say mark b 2>err
compare 'and the one behind it' 'mark b' "$(events report2.rln)"
rangeline profile -o t --spool spool no-such-program 2>err
compare 'no program' "127 '' ''" "$? '$(ls spool)' '$(ls t.rln 2>/dev/null)'"
rangeline profile -o report1 --spool spool touch started 2>err
compare 'a name that is taken' 2 $?
compare 'is refused' '' "$(ls started 2>/dev/null)$(ls spool)"
rangeline profile -o report1 -f --spool spool say mark c 2>err
compare 'unless it is to be replaced' 'mark c' "$(events report1.rln)"
rangeline profile -o v --spool spool --stats true --export jsonl say mark a >out 2>err
compare 'stats and exports are of it' 'v.jsonl v.rln' "$(echo v.*)"

# While the program runs the name is a link.
play() { # WORDS
    rm -f t*.rln go here err
    # shellcheck disable=SC2086
    rangeline profile -o t --spool spool --snapshot-on crash --snapshot-on signal \
        say mark a touch here wait go $1 2>err &
    launcher=$!
    until [ -e here ]; do sleep 0.01; done
}
play 'mark b'
compare 'commands find it' 'mark a' "$(events t.rln)"
compare 'it is recorded there' 1 "$(find spool -name 't-????????.rln' | wc -l)"
compare 'the name leads there' "$(pwd)/$(echo spool/*)" "$(readlink t.rln)"
rangeline snapshot t.rln >out
for pid in $launcher $(pgrep -P $launcher); do rangeline snapshot "$pid" >>out; done
compare 'snapshots are beside the name' 't.1.rln t.2.rln t.3.rln t.rln' "$(echo t*.rln)"
rm t.?.rln
kill -USR2 $launcher
until [ -e t.1.rln ]; do sleep 0.01; done
touch go
wait $launcher
compare 'in the end' 'mark a, mark b' "$(events t.rln)"
compare 'so are those by a signal' 't.1.rln t.rln' "$(echo t*.rln)"
compare 'it is moved then, too' '' "$(ls spool)"

# Failures.
play 'mark b'
{ kill -9 $launcher; wait $launcher; } 2>/dev/null
touch go
until [ "$(events t.rln)" = 'mark a, mark b' ]; do sleep 0.01; done
compare 'the launcher was killed: the name leads to the trace' 1 "$(find spool -name 't-*.rln' | wc -l)"
rm -f spool/*
play 'mark b'
rm t.rln && echo mine >t.rln
touch go
wait $launcher
compare 'somebody has taken the name' mine "$(cat t.rln)"
compare 'that is said' "rangeline: cannot move trace: path=\"t.rln\": the name was taken during recording
hint: it stays in $(pwd)/$(echo spool/*)" "$(head -n 2 err)"
compare 'the last line names the trace' 1 "$(grep -c "^rangeline: $(echo "$PWD"/spool/*): " err)"
compare 'the trace is kept' 'mark a, mark b' "$(events spool/*)"
rm -f spool/* t.rln
play 'mark b'
rm spool/*
touch go
wait $launcher
compare 'somebody has removed the trace' 1 "$(grep -c 'was moved or replaced during recording' err)"
rm -f t.rln go
rangeline profile -o t --spool spool --wait primary sh -c \
    '(say mark a touch here2 wait go) & while [ ! -e here2 ]; do sleep 0.01; done' 2>err
compare 'processes that it left behind still write it' "hint: it stays in $(pwd)/$(echo spool/*)" "$(head -n 1 err)"
compare 'the name leads there' 'mark a' "$(events t.rln)"
touch go
for folder in nowhere err ''; do
    rangeline profile -o no --spool "$folder" touch started 2>err2
    compare "--spool $folder" "2 1" "$? $(grep -c '^rangeline: cannot record: --spool=' err2)"
done
compare 'no program was started' '' "$(ls started 2>/dev/null)"

# Other file systems, and full ones.
small_disks() {
    mkdir -p from to
    mount -t tmpfs -o size=8m none from && mount -t tmpfs -o size=1m none to || return
    rangeline profile -o to/t --spool from say push a many 1000 pop 2>err
    echo $? "$(stat -c %F to/t.rln | cut -c1-7)" "$(ls from)" "$(marks to/t.rln)" \
        "$(rangeline info to/t.rln | grep -c '^damage')"
    rm to/t.rln
    rangeline profile -o to/t --spool from say push a many 400000 pop mark b 2>err
    echo $? "$(grep -c '^rangeline: cannot move trace: path="to/t.rln": No space left on device' err)" \
        "$(grep -c "^hint: it stays in $(echo "$PWD"/from/t-*.rln)$" err)" "$(echo to/*)" \
        "$(marks to/t.rln)" "$(marks from/t-*)"
    rm from/* to/*
    rangeline profile -o t --spool from say push a many 3000000 pop 2>err
    echo $? "$(grep -c DROPPED err)" "$(ls from)" "$(($(marks t.rln) > 100000))"
}
marks() { rangeline print "$1" 2>/dev/null | grep -c ' mark '; }
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    export -f small_disks marks
    rm -f t.rln
    compare 'small disks' '0 regular 1000 0 0 1 1 to/t.rln 400001 400001 0 1 1' \
        "$(unshare -m bash -c small_disks 2>&1 | xargs)"
fi
end_of_table
