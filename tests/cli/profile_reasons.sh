# `profile` names a process that is not recorded in the trace, with reason and remedy.
[ "$(id -u)" = 0 ] || { echo "needs root, to become another user" >&2; exit 77; }
PATH=$BIN:$PATH
chmod a+x .. && mkdir private shared && chmod 700 private && chmod 1777 shared
reason() { # FOLDER PROGRAM...: what `profile` says, and which traces exist
    rm -f ./*/*.rln
    rangeline profile -o "$1/t" "${@:2}" 2>&1 |
        sed -E -e 's/process [0-9]+/process PID/g' -e 's/t-[0-9]+\.rln/t-PID.rln/g' \
            -e 's/: [0-9.]+ [KM]iB,/: SIZE,/' -e "s|$PWD/||g"
    for trace in ./*/*.rln; do
        [ ! -e "$trace" ] || echo "$trace: $(rangeline print "$trace" | grep -c ' mark ')" |
            sed -E 's/t-[0-9]+/t-PID/'
    done
}
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
echo '--- another user, who cannot write there'
reason private $nobody say many 1000
echo '--- one who can'
reason shared $nobody say many 1000
echo '--- some processes'
reason private sh -c "say mark a; $nobody say mark b; $nobody say mark c"
echo '--- the folder is gone'
reason private sh -c 'mv private hidden; say mark a; mv hidden private'
if unshare -mp --fork true 2>/dev/null; then
    echo '--- no /proc'
    hide='mount -t tmpfs none /proc'
    grep -q __asan_init "$BIN/say" && hide=: # AddressSanitizer needs it
    reason private unshare -m sh -c "$hide; exec say many 1000"
    echo '--- a small disk is full'
    unshare -m sh -c 'mount -t tmpfs -o size=8m none private && head -c 7500k /dev/zero \
        >private/filler && rangeline profile -o private/t say mark a' 2>&1
    echo "$?"
fi
echo '--- programs that cannot load the collector'
printf 'int main(void) { return 0; }\n' >main.c
cc -static -o static main.c && reason private ./static
printf '#!%s/static -x\n' "$PWD" >script && chmod +x script && reason private ./script
cp /bin/true setuid && chown 65534 setuid && chmod u+s setuid && reason private ./setuid
loader=$(readelf -l /bin/true | sed -n 's/.*interpreter: \(.*\)]/\1/p')
cp "$loader" ld-musl.so.1
cc -o musl -Wl,--dynamic-linker="$PWD/ld-musl.so.1" main.c && reason private ./musl
