# The events of a trace given twice count twice; readers warn and `merge` refuses. The
# duplicate may have another name, be an import, or be one of several traces in a file.
golden nested
golden startend
golden fork
rangeline export -q -o nested.sqlite nested.rln
rangeline export -q -o startend.sqlite startend.rln
cp nested.rln copy.rln
ln nested.rln hard.rln
ln -s nested.rln soft.rln
ln -s nested.sqlite soft.sqlite
ln nested.sqlite hard.sqlite
mkdir elsewhere
cp nested.sqlite elsewhere/nested.sqlite # an import's id depends on its bytes alone
cp nested.sqlite copy.sqlite
touch -d 2001-01-01 copy.sqlite
sed s/disk/tape/ nested.sqlite >other.sqlite # one row differs; size and time do not
touch -r nested.sqlite other.sqlite
for name in log1 log2; do # a row that only the log has; its writer was killed
    cp nested.sqlite $name.sqlite
    python3 - $name <<'END'
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1] + ".sqlite", isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("UPDATE NVTX_EVENTS SET text = ? WHERE text = 'disk'", sys.argv[1:])
os._exit(0)
END
done
cmp log1.sqlite log2.sqlite
rangeline merge -o three.rln nested.rln startend.rln fork.rln 2>&1 | tidy
rangeline merge -o imports.rln nested.sqlite startend.sqlite 2>&1 | tidy
truncate -s %64K fork.rln # to a whole block, as recorded traces are
cat fork.rln fork.rln >again.rln

told() { # FILE...: the messages about them
    echo "-- $*"
    rangeline print "$@" >printed 2>&1
    grep "^note: " printed
    rangeline merge -f -o merged.rln "$@" 2>&1 | tidy
}
told nested.rln
told nested.rln startend.rln fork.rln
told three.rln
told nested.sqlite startend.sqlite
told imports.rln
told nested.rln nested.sqlite

told nested.rln startend.rln nested.rln
told nested.rln copy.rln
told startend.rln hard.rln soft.rln
told nested.sqlite startend.sqlite nested.sqlite
told nested.sqlite startend.sqlite soft.sqlite
told hard.sqlite nested.sqlite
told three.rln nested.rln
told three.rln startend.rln
told startend.rln three.rln
told nested.rln startend.rln again.rln
told again.rln
told imports.rln startend.sqlite
told startend.sqlite imports.rln
told nested.sqlite copy.sqlite
told elsewhere/nested.sqlite copy.sqlite
told nested.sqlite other.sqlite
told log1.sqlite log2.sqlite

echo "-- reduce"
rangeline reduce -j 1 -o twice nested.sqlite other.sqlite copy.sqlite 2>&1
rangeline reduce -o here nested.sqlite other.sqlite 2>/dev/null
rangeline reduce -o there other.sqlite elsewhere/nested.sqlite 2>/dev/null
cmp here.rlsum there.rlsum && echo "the same bytes"
