# What can be refused is refused before the program starts.
rangeline profile -o nosuch/t touch started
echo "$?"
mkdir readonly
chmod a-w readonly
if [ "$(id -u)" -ne 0 ]; then
    rangeline profile -o readonly/t touch started 2>&1
else
    echo 'rangeline: cannot create trace: path="HERE/readonly/t.rln": Permission denied'
fi | sed "s|\"[^\"]*/readonly|\"HERE/readonly|" | head -n 1
rangeline profile -o t -e NOVALUE touch started
echo "$?"
ls
