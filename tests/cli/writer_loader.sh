# The loader of NVTXW's headers: what it returns if there is no backend, or something that
# is none, or one of another version; where it looks, and what a name rules out.
[ -x "$BIN/writer_loader" ] || { echo "built without the collector" >&2; exit 77; }
unset NVTXW3_LIBRARY LD_LIBRARY_PATH
ours=$(rangeline --nvtxw-library) other=$BUILD/lib/libother_backend.so
none=$BUILD/lib/libnvtx3interop.so
mkdir beside path here
cp "$BIN/writer_loader" beside/loader
try() { # WHAT COMMAND...
    echo "- $1"
    shift
    (cd here && "$@")
}

echo "The program names"
try ours ../beside/loader "$ours"
try "another version" ../beside/loader "$other"
try "no backend" ../beside/loader "$none"
try "a file that is not there" ../beside/loader ../missing.so
echo "The environment names"
NVTXW3_LIBRARY=$ours try "ours, the program no backend" ../beside/loader "$none"
NVTXW3_LIBRARY=$none try "no backend, the program ours" ../beside/loader "$ours"
NVTXW3_LIBRARY='' try "nothing, the program ours" ../beside/loader "$ours"
echo "The loader finds"
try nothing ../beside/loader
try "nothing for an empty name" ../beside/loader ""
cp "$ours" here/libnvtxw3.so
NVTXW3_LIBRARY=../missing.so try "one that the environment rules out" ../beside/loader
try "one in the working directory" ../beside/loader
cp "$ours" path/libnvtxw3.so
LD_LIBRARY_PATH=../path try "one in the system's path" ../beside/loader
cp "$none" beside/libnvtxw3.so
LD_LIBRARY_PATH=../path try "no backend beside the program" ../beside/loader
cp "$other" beside/libnvtxw3.so
LD_LIBRARY_PATH=../path try "one beside the program" ../beside/loader
