# A program that removes its trace, or puts another file in its place, is not recorded
# there: both are reported, and the other file stays as it is.
tell() { tidy | sed -E -e 's/process [0-9]+/process PID/' -e 's/-[0-9]+\.rln/-PID.rln/g'; }
rangeline profile -o removed sh -c 'rm removed.rln; exec say mark a' 2>&1 | tell
rangeline profile -o other sh -c 'echo mine >mine; mv mine other.rln; exec say mark b' 2>&1 | tell
cat other.rln
rangeline print other-*.rln | tell
ls | tell
