# Calls of ROCTX are recorded on request, whether AMD's library is here or not, and however
# the program finds it.
show() { # PROGRAM...
    echo "== $*" | sed "s|$BUILD|BUILD|"
    rangeline profile -f --roctx -o t "$BIN/$@" 2>said
    sed "s|$BUILD|BUILD|" said | tidy
    [ ! -e t.rln ] || rangeline print --ranges t.rln | tidy | tr -s " "
    rm -f t.rln
}

real=$BUILD/fakes/rocm
show roctx_linked
show roctx_loads libroctx64.so.4
show roctx_loads libroctx64.so
show roctx_loads librocprofiler-sdk-roctx.so.0
show roctx_loads "$real/lib/libroctx64.so.4" # its own path: not recorded
echo "== AMD's is here"
export ROCM_PATH=$real
show roctx_linked
echo "== ours is in its place"
mkdir -p rocm/lib
cp "$BUILD"/lib/roctx/*.so.* rocm/lib
export ROCM_PATH=$PWD/rocm
show roctx_linked
unset ROCM_PATH
echo "== not recorded"
LD_LIBRARY_PATH=$real/lib "$BIN/roctx_linked" 2>&1
echo "== env"
rangeline env --roctx | sed -n "s|$BUILD|BUILD|g; /ROCPROF\|LD_/p"
