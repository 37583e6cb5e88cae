# --pytorch alone means ranges, and leaves the next word to the program; what the hook needs
# is looked for before anything starts.
export RANGELINE_PYTHON=/nowhere
rangeline profile --pytorch touch started
echo "$?"
rangeline profile --pytorch modules touch started
echo "$?"
rangeline profile --pytorch=kernels touch started
echo "$?"
rangeline profile --pytorch none -o t "$BIN/clients" "$BUILD" 2>/dev/null
ls
# The program gets the mode, and the folder of the hook in front of what it has.
mkdir -p here/hook
touch here/hook/sitecustomize.py
for option in --pytorch --pytorch=ops-shapes; do
    RANGELINE_PYTHON=here PYTHONPATH=mine rangeline profile "$option" \
        sh -c 'echo "$RANGELINE_PYTORCH $PYTHONPATH"' 2>/dev/null
done
