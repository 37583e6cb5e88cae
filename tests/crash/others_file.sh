#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# others_file.sh BIN LIB FOLDER - if a foreign file or a link has the trace's name, a
# program with the collector but without the launcher is recorded into another file.
set -u
bin=$1 lib=$2 folder=$3/others_file

fail() {
    echo "$*"
    ls -la "$folder"
    exit 1
}

unset RANGELINE_OUTPUT RANGELINE_RUN
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
echo "precious" >precious.rln
ln -s precious.rln link.rln
ln -s nothing.rln broken.rln
for name in precious link broken; do
    NVTX_INJECTION64_PATH=$lib/librangeline-collect.so RANGELINE_OUTPUT=$folder/$name.rln \
        "$bin/filler" 1000 >said
    [ $? -eq 7 ] || fail "$name: the program's exit status changed"
    [ "$(cat precious.rln)" = "precious" ] || fail "$name: the file was written"
    [ ! -e nothing.rln ] || fail "$name: a file was made where the link leads"
    set -- "$name"-*.rln
    [ -f "$1" ] && [ $# -eq 1 ] || fail "$name: no trace beside it"
    [ "$(stat -c %a "$1")" = 600 ] || fail "$name: others may read the trace"
    [ "$("$bin/rangeline" print --json "$1" | grep -c '"type":"mark"')" -eq 1000 ] ||
        fail "$name: marks are missing"
done
[ -L link.rln ] && [ -L broken.rln ] || fail "a link was replaced"
