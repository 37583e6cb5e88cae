# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# `view --picture` draws a page with a browser, which is a script here, and leaves nothing
# else behind.
golden nested
mkdir programs tmp
export TMPDIR=$PWD/tmp PATH=$PWD/programs:$BIN:/nowhere
browser() { # TEXT: what it does, in shell
    printf '#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n' "$1" >programs/chromium
    /bin/chmod +x programs/chromium
}
view() { rangeline view "$@" 2>&1 | PATH=/usr/bin:/bin tidy; }
left() { /bin/ls -A tmp; }
/bin/cat >answers.py <<'END'
# Answers as a browser does: argv[1] is the picture, in base 64.
import json, os, re, sys

said, text = {"Target.createTarget": '"targetId":"T"', "Target.attachToTarget": '"sessionId":"S"',
              "Page.captureScreenshot": '"data":"' + sys.argv[1] + '"',
              "Page.navigate": sys.argv[2] if sys.argv[2:] else ""}, b""
while more := os.read(3, 4096):
    text += more
    while b"\0" in text:
        each, text = text.split(b"\0", 1)
        asked = json.loads(each)
        url = asked["params"].get("url", "")
        if url.startswith("file:"):
            path, _, shown = url[len("file://"):].partition("#")
            assert path.startswith("/"), path
            print(f"#{shown}", open(path).read().count("<!DOCTYPE html>"), file=open("asked", "a"))
        if "width" in asked["params"]:
            print(asked["params"], asked["sessionId"], file=open("asked", "a"))
        event = '{"method":"Page.frameNavigated"}\0{"method":"Page.loadEventFired"}\0' if url else ""
        answer = '{"id":%d,"result":{%s}}\0' % (asked["id"], said.get(asked["method"], ""))
        os.write(4, (answer + event).encode())
END

echo "-- no browser"
view --picture run.png nested.rln
echo "-- a browser"
browser 'exec python3 answers.py UE5HIHBpY3R1cmU='
view --picture run.png --size 800x400 --address 'http://127.0.0.1:8/x/#t=1,2' nested.rln
/bin/cat asked run.png
echo
left
echo "-- a picture that is there"
view --picture run.png nested.rln
view -f --picture run.png nested.rln
echo "-- on standard output, and a page"
rangeline view --picture - --html page.html nested.rln 2>/dev/null
echo
[ -s page.html ] && echo "a page"
echo "-- browsers that fail"
browser 'echo first >&2; echo no screen here >&2; exit 3'
view -f --picture run.png nested.rln
browser 'kill -9 $$'
view -f --picture run.png nested.rln
browser 'exec python3 answers.py ""'
view -f --picture run.png nested.rln
browser "exec python3 answers.py UE5H '\"errorText\":\"net::ERR_FILE_NOT_FOUND\"'"
view -f --picture run.png nested.rln
/bin/cat run.png
echo
left
echo "-- a relative folder"
browser 'exec python3 answers.py UE5H'
TMPDIR=tmp view -f --picture run.png nested.rln
left
echo "-- a signal while the browser hangs"
browser 'trap "" INT TERM; : >"$TMPDIR/kept"; : >hangs; exec sleep 60'
rangeline view -f --picture run.png nested.rln &
until [ -e hangs ]; do /bin/sleep 0.01; done
kill -TERM $!
wait $! 2>/dev/null
echo "status $?"
left
echo "-- no room for the page"
(
    ulimit -f 8
    view -f --picture run.png nested.rln | /bin/sed 's/XXXXXX\|rangeline-[A-Za-z0-9]*\.html/PAGE/'
)
left
echo "-- what makes no sense"
view --picture run.svg nested.rln
for size in 9x9 800 800x400x2 99999x400 wide; do
    view --picture other.png --size "$size" nested.rln
done
view --picture nested.rln nested.rln
view --picture no/such/folder.png nested.rln
