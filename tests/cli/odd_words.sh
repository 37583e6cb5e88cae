# What to do instead: a number after a switch, a folder, and names of files that begin with
# a dash.
golden pace
echo "--- a number after a switch"
rangeline snapshot -o x -f 6728
rangeline stats --force-overwrite 5 pace.rln
echo "--- a folder"
mkdir 'a job'
cp pace.rln 'a job'
rangeline stats 'a job/'
rangeline analyze 'a job'
echo "--- a dash"
cp pace.rln ./-dash.rln
rangeline analyze -- -dash.rln | grep -o '[^ ]*-dash.rln' | sort -u
for i in 1 2 3 4; do cp pace.rln "./-dash$i.rln"; done
rm ./-dash.rln
rangeline analyze -- '-dash?.rln' 2>/dev/null | grep -o "[^ ]*-dash.*rln'" | sort -u
