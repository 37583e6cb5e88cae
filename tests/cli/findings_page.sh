# docs/guide/findings.md says of each rule what it means and what helps, and of no other.
page=$here/../../docs/guide/findings.md
diff <(rangeline analyze --help-rules | grep -o '^[a-z-]*: ' | tr -d ': ' | sort) \
    <(sed -n 's/^### `\(.*\)`$/\1/p' "$page" | sort) && echo "as many as there are rules"
grep -o -e '--set [a-z-]*\.[a-z_]*' "$page" | while read -r _ name; do
    rangeline analyze --help-rules -r "${name%%.*}" | grep -c "^  $name="
done
