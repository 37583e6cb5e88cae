#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# one_page.sh CMAKE SOURCE WORK PYTHON - cmake/viewer.cmake removes only statements and
# lines of comments from the modules of the viewer: a text that contains `import` stays. In
# the one page modules share a scope, so no two may have the same name at top level.
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
second line`; // a comment
END
: >"$3/reader.wasm"
gzip -c "$3/reader.wasm" >"$3/reader.wasm.gz"
"$1" -DVIEWER="$3/viewer" -DREADER="$3/reader.wasm" -DOPEN_READER="$3/reader.wasm" \
  "-DGZIP=gzip;-9;-n;-c" -DWORK="$3" -DPAGE="$3/page.html" -DARRAYS="$3/parts.c" \
  -P "$2/cmake/viewer.cmake"
PYTHONPATH=$2/tests/viewer "$4" -B -c '
import page_blocks, re, sys
for name, digits in re.findall("id=\"(script|worker)\">([^<]+)<", open(sys.argv[1]).read()):
    open(sys.argv[2] + name, "wb").write(page_blocks.unpacked(digits))
' "$3/page.html" "$3/unpacked."
grep -qx 'const imported = `do import this;' "$3/unpacked.script"
grep -qx 'second line`; // a comment' "$3/unpacked.script"
if grep -qE '^(import|export) |^ *//' "$3"/unpacked.*; then exit 1; fi
