# `--align` makes the clocks of two machines agree, in every command.
golden machines
golden nested
rangeline print machines.rln | grep 'mark\|^Time'
rangeline print --align range=step machines.rln | grep mark
rangeline print --align 'range=step@*' machines.rln | grep mark
echo "any domain: $?"
rangeline info --align range=step machines.rln | grep recorded
rangeline info --json --align range=step machines.rln | grep -o '"shift[a-z_]*":[-0-9]*'
rangeline merge --align range=step -o merged machines.rln
rangeline print merged.rln | grep mark
rangeline stats -q -r mark_sum --align range=step -f csv machines.rln
rangeline stats --align range=nothing machines.rln
echo "no such range: $?"
rangeline stats --align sync machines.rln
echo "no points: $?"
rangeline stats --align somehow machines.rln
echo "no such way: $?"
rangeline stats -q -r mark_sum --align sync nested.rln
