# --pytorch without a value means `ranges`, and the next word belongs to the program.
# The hook's requirements are checked before anything starts.
export RANGELINE_PYTHON=/nowhere
rangeline profile --pytorch touch started
echo "$?"
rangeline profile --pytorch modules touch started
echo "$?"
rangeline profile --pytorch=kernels touch started
echo "$?"
rangeline profile --pytorch none -o t "$BIN/clients" "$BUILD" 2>/dev/null
ls
# The program gets the mode, and the hook's folder in front of its own path.
mkdir -p here/hook
touch here/hook/sitecustomize.py
for option in --pytorch --pytorch=ops-shapes; do
    RANGELINE_PYTHON=here PYTHONPATH=mine rangeline profile "$option" \
        sh -c 'echo "$RANGELINE_PYTORCH $PYTHONPATH"' 2>/dev/null
done
# A program without PyTorch is not silently recorded without its calls, whether it leaves
# a trace or not.
for program in true "$BIN/clients $BUILD"; do
    # shellcheck disable=SC2086 # words
    RANGELINE_PYTHON=here rangeline profile --pytorch=ops -f -o t $program 2>&1 | tidy |
        grep -A1 -e '--pytorch'
done
RANGELINE_PYTHON=here rangeline profile --pytorch=ops missing-program
echo "$?"
