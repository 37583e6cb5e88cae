# Each test that SECURITY.md and docs/about/HOST.md name exists; * ends a prefix.
root=$here/../..
{
    ctest --test-dir "$BUILD" -N | sed -n 's/^ *Test *#[0-9]*: //p'
    grep -rhoE '^def test_\w+|cmocka_unit_test\(\w+' "$root/tests" "$root/python/tests" |
        sed -E 's/^def |^cmocka_unit_test\(//'
    (cd "$root/fuzz" && ls)
} | sed 's/\.c$//' >tests
for page in SECURITY.md docs/about/HOST.md; do
    grep -oE '`(cli|test|host|crash|collect|capture|export|viewer|fuzz)_[a-z0-9_]+\*?`' "$root/$page" |
        tr -d '`' | sort -u >named
    [ -s named ] || echo "$page names no test"
    while read -r name; do
        case $name in
            *\*) grep -q "^${name%\*}" tests ;;
            *) grep -qx "$name" tests ;;
        esac || echo "$page: no such test: $name"
    done <named
done
