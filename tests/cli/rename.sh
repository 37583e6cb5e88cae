# --fold-numbers merges names that differ only in numbers, and --rename those that a rule
# makes equal, in all outputs.
golden numbered
golden pace
golden payloads
rangeline stats -q -r nvtx_sum,tree,mark_sum -f csv --fold-numbers numbered.rln
echo "--- of 27 rows two; without the option a note tells of it"
rangeline stats -f csv numbered.rln | wc -l
rangeline stats -f csv --fold-numbers numbered.rln | wc -l
echo "--- rules, one after the other, and numbers last"
rangeline stats -q -r nvtx_sum -f csv --rename 's/^step ([0-9]+).*/\1 & \&/' --rename 's,[02468] .*,even,' \
    --rename 's/[0-9] .*/ODD/' --rename 's/odd/odd/i' --rename 's/even|odd/-/' --rename 's/-.*//' numbered.rln |
    cut -d, -f3,10 | sort | uniq -c | sed 's/^ *//' | head -3
rangeline stats -q -r nvtx_sum -f csv --rename 's/.*(layer|step).*/any \1 7/' --fold-numbers numbered.rln | cut -d, -f3,10
echo "--- --name has what they become, --filter-nvtx what they were"
rangeline stats -q -r nvtx_sum -f csv --fold-numbers --name 'layer.#*' numbered.rln | cut -d, -f3,10
rangeline stats -q -r nvtx_sum -f csv --fold-numbers --filter-nvtx 'step 3 of 24, lr=4e-03' numbered.rln | cut -d, -f3,10
echo "--- in other commands"
rangeline stats -q -r 'pace:step # of #' -f csv --rename 's/,.*//' --fold-numbers numbered.rln | wc -l
rangeline print --ranges --fold-numbers numbered.rln | tail -1
rangeline export -t folded -o - --rename 's/[0-9]+/N/g' numbered.rln
rangeline diff --fold-numbers numbered.rln numbered.rln
rangeline diff numbered.rln pace.rln >/dev/null
rangeline print --fold-numbers payloads.rln | diff <(rangeline print payloads.rln) - && echo "payloads stay"
echo "--- what is no rule"
for rule in s/a a s s// s//b/ s/a/b/x 's/(/b/' 's/a/\1/' 's/a\/b/c' ''; do
    rangeline stats --rename "$rule" numbered.rln
    echo "$?"
done
