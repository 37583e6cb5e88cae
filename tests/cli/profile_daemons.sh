# Programs that close or replace inherited descriptors, or become a daemon, are recorded
# to the end, and the descriptors that they open stay intact.
for way in close take detach; do
    rangeline profile -o $way "$BIN/daemon" $way 2>&1 | tidy
done
stat -c '%n has %s bytes' own
