# The collector is the one that RANGELINE_COLLECTOR names, or lies below the command's
# own prefix; an error says where the command looked.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # of words for exec()
mkdir -p prefix/bin
ln "$BIN/rangeline" prefix/bin/rangeline 2>/dev/null || cp "$BIN/rangeline" prefix/bin/
moved() {
    prefix/bin/rangeline "$@" 2>&1 |
        sed -E -e "s|$PWD|HERE|g" -e 's,prefix/lib(64|/[^/]*-linux-gnu)?/,prefix/LIB/,'
}

moved profile -o none true
moved --cmake-dir
moved --include-dir
(cd "$(rangeline --include-dir)" && ls nvtx3/nvToolsExt.h rangeline/reader.h)
RANGELINE_COLLECTOR=$PWD/nowhere.so moved profile -o none true
RANGELINE_COLLECTOR=$BUILD/lib/librangeline-collect.so moved profile -o named "$BIN/say" mark a | tidy
mkdir prefix/lib
cp "$BUILD/lib/librangeline-collect.so" prefix/lib/
moved profile -o beside "$BIN/say" mark b | tidy
moved --nvtxw-library
moved profile -o none -c cudaProfilerApi true
ls ./*.rln
