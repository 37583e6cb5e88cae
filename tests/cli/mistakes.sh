# Whoever mistypes something, or knows another tool, gets the command that works.
cp "$BIN/say" say
golden nested
echo 'print("hello")' >program.py
mkdir traces empty
cp nested.rln traces
touch -d 2001-01-01 nested.rln
echo words >words.txt
try() { "$@" >/dev/null 2>said </dev/null; echo "$?: $(grep -m 1 '^hint' said || tail -n 1 said)"; }
echo "--- commands"
try rangeline porfile ./say many 3
try rangeline stat nested.rln
try rangeline statss nested.rln
try rangeline version
try rangeline python3 program.py
try rangeline nested.rln
try rangeline record ./say 'many 3'
echo "--- options"
try rangeline profile --stat ./say
try rangeline profile --ouput x ./say
try rangeline profile --ouput=x ./say
try rangeline profile --stats=yes ./say
try rangeline profile --stats=no ./say
try rangeline profile --duration ./say
try rangeline profile -d abc ./say
try rangeline profile -fd abc ./say
try rangeline profile --python=function program.py
try rangeline profile -c nvtx ./say
try rangeline profile --stat ./say "$(printf 'long %.0s' {1..50})"
echo "--- true or false"
for value in no No Off n flase fasle FALSE nevr 0 yes on tru 1 'maybe;id' 2; do
    try rangeline stats --force-overwrite="$value" nested.rln
done
echo "--- words of other tools"
try rangeline stats --top 10 nested.rln
try rangeline print --limit 3 nested.rln
try rangeline export -t perfeto nested.rln
try rangeline diff --markdwn=1 nested.rln nested.rln
try rangeline diff --markdown=1 nested.rln nested.rln
echo "--- amounts"
try rangeline stats --window one nested.rln
try rangeline stats --window -1 nested.rln
try rangeline view --port abc nested.rln
try rangeline profile --max-size 10 ./say
try rangeline profile --buffer 16 ./say
try rangeline profile --buffer=lots ./say
try rangeline stats --min-duration 5 nested.rln
try rangeline stats --min-duration 0 nested.rln
echo "--- words"
try rangeline stats -f cvs nested.rln
try rangeline stats -f pdf nested.rln
try rangeline stats -q -fjson,cvs -r tree nested.rln
try rangeline stats -q -r treee nested.rln
try rangeline stats -r tree,pcae:x,gaps nested.rln
try rangeline stats --help-reports treee
try rangeline recipe rank_smu -o out nested.rln
try rangeline recipe rank_sum --format=parquet,table,tab -o out nested.rln
try rangeline check --fail-on=error,crosed nested.rln
try rangeline analyze --rule outlier nested.rln
try rangeline analyze --set outliers.shaer=2% nested.rln
try rangeline analyze --fail-on=warning,outlier:5% nested.rln
try rangeline stats --timeunit fortnight nested.rln
try rangeline check --fail-on bla nested.rln
try rangeline analyze --fail-on warn nested.rln
echo "--- files"
try rangeline stats nestd.rln
cp nested.rln mested.rln && try rangeline stats Nested.rln && rm mested.rln
rangeline stats nested 2>&1 | grep '^hint'
cp nested.rln ./-dash.rln && try rangeline stats -dash.rln && rm ./-dash.rln
try rangeline stats other.rln
try rangeline stats traces/nestd.rln
try rangeline stats ./say
try rangeline stats traces
try rangeline stats empty
try rangeline diff nested.rln
try rangeline diff nested.rln nested.rln nested.rln
try rangeline diff --fail-above 5% a b c d
try rangeline diff --fail-above=5 a
try rangeline diff --all
try rangeline diff --all -b nested.rln
try rangeline merge nested.rln
try rangeline reduce nested.rln
try rangeline view --html nested.rln
cd empty && try rangeline stats nestd.rln && cd ..
echo "--- what is typed is what is meant"
rangeline print -n 2 nested.rln | wc -l
rangeline print --ranges -n 1 nested.rln | wc -l
rangeline print -n 0 nested.rln | wc -l
rangeline profile -q --export csv -o quiet ./say many 3; ls quiet.*
rangeline profile -q -d 1 -o ended ./say many 3 sleep 1500; ls ended.rln
rangeline profile -q -o none true 2>&1 | head -n 1
rangeline profile --help | grep -n '^Examples\|^Accepted' | cut -d: -f2-
mkdir bin
printf '#!/bin/sh\n: >opened\necho no browser\necho no browser >&2\nexit 3\n' >bin/xdg-open
chmod +x bin/xdg-open
PATH=$PWD/bin:$PATH DISPLAY=:9 timeout 2 rangeline view nested.rln 2>&1 | grep -c 'no browser'
ls opened
