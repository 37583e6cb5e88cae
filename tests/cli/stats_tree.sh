# --max-depth, --min-share and --under limit the tree.
golden nested
golden threads
golden deferred
rangeline stats -q -r tree -f csv nested.rln
rangeline stats -q -r tree -f csv --max-depth 1 nested.rln
rangeline stats -q -r tree -f csv --min-share 40 nested.rln
rangeline stats -q -r tree -f csv --min-share 40.1% nested.rln
rangeline stats -q -r tree --under load nested.rln
rangeline stats -q -r tree -f csv --under io:load nested.rln
rangeline stats -q -r tree -f csv --under :load --max-depth 1 nested.rln
rangeline stats -q -r tree -f csv --under nothing nested.rln
rangeline stats -q -r tree -f csv --max-depth 0 nested.rln
rangeline stats --min-share 101 nested.rln
echo "more than all: $?"
rangeline stats --min-share few nested.rln
echo "no number: $?"
# By thread; deferred ranges belong to none.
rangeline stats -q -r tree:thread nested.rln
rangeline stats -q -r tree:thread -f csv threads.rln
rangeline stats -q -r tree:thread --max-depth 1 --thread 100 threads.rln
rangeline stats -q -r tree:thread --under :load threads.rln
rangeline stats -q -r tree:thread deferred.rln
rangeline stats -q -r tree:thread -f csv deferred.rln
rangeline stats -q -r tree:thread --name nothing nested.rln
rangeline stats -q -r tree:threads nested.rln
echo "no such argument: $?"
