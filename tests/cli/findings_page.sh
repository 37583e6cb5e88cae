# docs/guide/findings.md has each rule, its question, and no other rule.
page=$here/../../docs/guide/findings.md
diff <(rangeline analyze --help-rules | grep '^[a-z-]*: ' | sort) \
    <(sed -n '/^### `/{s/^### `\(.*\)`$/\1: /;N;s/\n\*\(.*\)\*$/\1/p}' "$page" | sort) &&
    echo "the rules and their questions"
grep -o -e '--set [a-z-]*\.[a-z_]*' "$page" | while read -r _ name; do
    rangeline analyze --help-rules -r "${name%%.*}" | grep -c "^  $name="
done
