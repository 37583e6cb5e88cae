# If the reader of a pipe exits early, the command ends quietly; a full disk is an
# error.
golden nested
rangeline print nested.rln | head -n 1
for i in $(seq 400); do cat nested.rln; done >many.rln
rangeline print many.rln | head -n 1
echo "${PIPESTATUS[0]}"
rangeline print nested.rln >/dev/full
echo $?
rangeline stats nested.rln >/dev/full
echo $?
rangeline --help >/dev/full
echo $?
rangeline env >/dev/full
echo $?
rangeline profile --help >/dev/full
echo $?
