# Man pages come from the same table as the help, and pass mandoc's checks.
if ! command -v mandoc >/dev/null; then
    echo 'mandoc is not installed' >&2
    exit 77
fi
for command in '' $(rangeline completions fish | sed -n 's/.* -f -a \([a-z]*\) .*/\1/p'); do
    # shellcheck disable=SC2086
    rangeline --man $command >page.1 || echo "no page: $command"
    mandoc -Tlint page.1
    mandoc -Tutf8 page.1 | col -b | grep -q 'NAME' || echo "no NAME: $command"
done
rangeline --man profile | mandoc -Tutf8 | col -b | grep -c -- '--output'
# The pages list reports and rules.
rangeline --man stats | mandoc -Tutf8 | col -b | sed -n '/^REPORTS/,/^EXAMPLES/p' | grep -cxE '[[:space:]]+(nvtx_sum|rank_sum|cuda_gpu_kern_sum)'
rangeline --man analyze | mandoc -Tutf8 | col -b | sed -n '/^RULES/,/^EXAMPLES/p' | grep -cxE '[[:space:]]+(outliers|straggler)'
