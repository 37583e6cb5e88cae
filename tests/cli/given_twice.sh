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
