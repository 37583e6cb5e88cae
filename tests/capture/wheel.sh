#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh BUILD_DIR - with NVIDIA's Python package and -c nvtx, domains, strings and
# attributes made while no window is open are valid in the next one.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python3
"$python" -c 'import nvtx; assert nvtx.CounterSemantics' 2>/dev/null || {
    echo "skipped: NVIDIA's package nvtx 0.2.16 is not in .venv (tools/setup test)"
    exit 77
}
begin "$1"
rangeline profile -o t -c nvtx -p epoch@train "$python" "$here/wheel.py" 2>err
compare 'inside of the epoch' 'resumed train:outer, push train:epoch, push train:made, push train:registered, mark inside, pop train:registered, pop train:made, push train:decorated, pop train:decorated, push made, pop made, pop train:epoch, pop* train:outer' \
    "$(events t.rln)"
compare 'the attributes are complete' 'category=1(phase) payload=7' \
    "$(rangeline print t.rln | grep 'push.*made before' | grep -oE 'category=[^ ]*|payload=[^ ]*' | xargs)"
rangeline profile -o t -f -c nvtx -p 'decorated@*' --capture-range-end repeat \
    "$python" "$here/wheel.py" 2>err
compare 'each call of a function' 'push train:decorated, pop train:decorated, resumed train:outer, resumed train:epoch, push train:decorated, pop train:decorated, pop* train:epoch, pop* train:outer, push train:decorated, pop train:decorated' \
    "$(events t.rln)"
rangeline profile -o t -f -c nvtx -p epoch "$python" "$here/wheel.py" 2>err
compare 'the domain is part of the name' "similar names: 'epoch@train' (opened 1 time)" \
    "$(sed -n "s/^hint: \(similar names.*\)/\1/p" err)"
end_of_table
