#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command, which lies in the package, for PATH. Not an entry point of the package:
# Python ignores SIGPIPE and SIGXFSZ, and the program that is recorded would, too.
here=$(dirname "$(readlink -f "$0")")
for packages in "$here"/../lib*/python3*/*-packages "$here"/..; do
    command=$packages/rangeline/data/bin/rangeline
    [ ! -x "$command" ] || exec "$command" "$@"
done
echo "rangeline: cannot find the command: there is no package rangeline below $0/../.." >&2
echo "hint: \`python3 -m rangeline\` finds it where Python finds the package" >&2
exit 127
