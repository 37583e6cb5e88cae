#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# one_page.sh CMAKE SOURCE WORK - cmake/viewer.cmake removes only statements from the
# modules of the viewer: a comment or text that contains `import` stays. In the one page
# modules share a scope, so no two may have the same name at top level. The size of the
# page without data is limited, because every page in a file has it.
set -eu
twice=$(sed -nE 's/^(export )?(async )?(function|class|const|let) ([A-Za-z_]+).*/\4/p' "$2"/viewer/*.js |
  sort | uniq -d)
if [ -n "$twice" ]; then
  echo "in several modules: $twice"
  exit 1
fi
rm -rf "$3"
mkdir -p "$3"
cp -R "$2/viewer" "$3"
cat >>"$3/viewer/text.js" <<'END'
// To show units, import them;
const imported = `do import this;
second line`;
END
"$1" -DVIEWER="$3/viewer" -DOUTPUT="$3/page.c" -P "$2/cmake/viewer.cmake"
page=$3/page.c.html
grep -qx '// To show units, import them;' "$page"
grep -qx 'const imported = `do import this;' "$page"
if grep -qE '^(import|export) ' "$page"; then exit 1; fi
n=$(wc -c <"$page")
most=226500
if [ "$n" -gt $most ]; then
  echo "the page without data has $n bytes; at most $most"
  exit 1
fi
