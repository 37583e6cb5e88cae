# A program linked with NVIDIA's libnvtx3interop runs with ours instead: the loader
# finds it by that name and reports no missing symbol version.
command -v cc >/dev/null || { echo "skipped: there is no compiler"; exit 77; } >&2
theirs=${NVTX_HEADERS_DIR:-$BUILD/nvtx-headers}/cu13/nvidia/cu13/lib/libnvtx3interop.so.1
if [ ! -e "$theirs" ]; then # make a library with its name and symbol version
    theirs=$PWD/libnvtx3interop.so.1
    echo 'int nvtxRangePushA(const char *m) { return !m; }' >stub.c
    echo 'int nvtxRangePop(void) { return 0; }' >>stub.c
    echo 'libnvtx3interop.so.1 { global: nvtx*; local: *; };' >stub.map
    cc -shared -fPIC -Wl,--version-script=stub.map -Wl,-soname,libnvtx3interop.so.1 \
        stub.c -o "$theirs"
fi
cat >linked.c <<'END'
int nvtxRangePushA(const char *message);
int nvtxRangePop(void);

int main(void)
{
    (void)nvtxRangePushA("linked");
    (void)nvtxRangePop();
    return 0;
}
END
cc linked.c "$theirs" -o linked
rm -f libnvtx3interop.so.1
export LD_BIND_NOW=1 LD_LIBRARY_PATH=$BUILD/lib
./linked
echo "$?"
ldd linked | grep -c "libnvtx3interop.so.1 => $BUILD/lib/"
rangeline profile -o run ./linked 2>&1 | tidy
rangeline print run.rln | tidy
