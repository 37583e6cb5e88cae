# The Python package is found through the interpreter that runs the program, wherever the
# command is installed; without it the error names the pip that installs it.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # of words for exec()
unset RANGELINE_PYTHON PYTHONPATH
mkdir -p prefix/bin package/rangeline/hook package/rangeline/standin/nvtx bin
ln "$BIN/rangeline" prefix/bin/rangeline 2>/dev/null || cp "$BIN/rangeline" prefix/bin/
cp -r "$BUILD/lib" prefix/
touch package/rangeline/{__init__.py,_arrow_files.py}
touch package/rangeline/hook/sitecustomize.py package/rangeline/standin/nvtx/__init__.py
cat >bin/python3.99 <<'END'
#!/bin/sh
[ "$1" = -c ] && { echo noise; echo "rangeline is in $HAS_IT"; exit; } # what it is asked
echo "ran ${1##*/}: ${PYTHONPATH##*/}"
END
chmod +x bin/python3.99
cp bin/python3.99 bin/python3
mkdir .pyenv && cp bin/python3.99 .pyenv/
printf '#!%s/bin/python3.99\n' "$PWD" >tool && chmod +x tool
export PATH=$PWD/bin:$PATH
for has in "$PWD/package/rangeline" ''; do
    export HAS_IT=$has
    for words in '--pytorch python3.99 x.py' '--python=functions python3.99 x.py' \
        '--python=functions ./tool' '--nvtx=rangeline python3.99 x.py' \
        '--python=functions .pyenv/python3.99 x.py'; do
        # shellcheck disable=SC2086 # words
        prefix/bin/rangeline profile -o run $words 2>&1 | grep -v -e "no trace written" -e "its functions" -e "its Pythons ignore" -e "or annotate it" | sed "s|$PWD|HERE|g"
    done
    golden nested
    prefix/bin/rangeline export -t arrowdir -o nested.arrow nested.rln 2>&1 | grep -v "^rangeline: wrote"
done
