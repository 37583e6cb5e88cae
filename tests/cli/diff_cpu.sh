# `diff` compares the time on a processor, too, where both sides have context switches.
golden switches
golden nested
rangeline diff --all switches.rln switches.rln
rangeline diff --all --on cpu -f csv switches.rln switches.rln
rangeline diff --fail-above 5%@cpu switches.rln switches.rln
echo "the same: $?"
rangeline diff --all switches.rln nested.rln | head -n 3
rangeline diff --on cpu switches.rln nested.rln
echo "without: $?"
rangeline diff --fail-above 5%@cpu --on p95 switches.rln switches.rln
echo "two measures: $?"
rangeline diff --fail-above 5%@gpu switches.rln switches.rln
echo "no measure: $?"

rangeline reduce -o sums switches.rln 2>/dev/null
rangeline reduce -o without nested.rln 2>/dev/null
rangeline diff --all --on cpu -f csv sums.rlsum sums.rlsum
rangeline diff --on cpu sums.rlsum without.rlsum
echo "sums without: $?"
