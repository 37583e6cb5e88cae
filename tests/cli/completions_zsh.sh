# Completion in zsh has every command with what it does, and the options and choices of
# each.
rangeline completions zsh >_rangeline
head -n 1 _rangeline
rangeline help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p' >commands
wc -l <commands
while read -r command; do
    grep -q "^        '$command:" _rangeline || echo "no $command"
    grep -q "^    $command)" _rangeline || echo "no options of $command"
done <commands
sed -n '/^    completions)/,/;;/p; /^    snapshot)/,/;;/p' _rangeline
if command -v zsh >/dev/null; then zsh -n _rangeline; fi
