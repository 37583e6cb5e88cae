# Programs that close what is not theirs, take its place, or become a daemon are
# recorded to the end, and what they open is their own.
for way in close take detach; do
    rangeline profile -o $way "$BIN/daemon" $way 2>&1 | tidy
done
stat -c '%n has %s bytes' own
