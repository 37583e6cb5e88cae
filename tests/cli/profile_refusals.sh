# Errors that can be detected are reported before the program starts.
rangeline profile -o nosuch/t touch started
echo "$?"
rangeline profile -o '' touch started
echo "$?"
rangeline profile -o t -e NOVALUE touch started
echo "$?"
: >file
rangeline profile -o file/t touch started
echo "$?"
# Root ignores permissions, so run as another user then.
mkdir readonly
chmod a-w readonly
as_nobody=
[ "$(id -u)" -ne 0 ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
chmod a+x .. # mktemp made it accessible only to us
# shellcheck disable=SC2086
$as_nobody rangeline profile -o readonly/t touch started
echo "$?"
ls
(ulimit -f 10; rangeline profile -o t touch started)
echo "$?"
mkdir t.rln
rangeline profile -o t touch started
echo "$?"
rangeline profile -o t -f touch started
echo "$?"
ls
