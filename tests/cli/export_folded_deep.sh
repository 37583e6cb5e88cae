# Stacks of flame graphs end at 512 levels: in full, 200,000 open ranges would take
# forty gigabytes. Deeper levels become one frame, and no time or call is lost.
golden deep
sum() { awk '{ sum += $NF } END { print NR " lines, " sum }'; }
rangeline export -q -t folded -o deep.folded deep.rln
sum <deep.folded
rangeline export -q -t folded --weight calls -o - deep.rln | sum
awk '{ print gsub(";", ";") }' deep.folded | sort -n | tail -n 1
grep -c '(deeper)' deep.folded
grep '(deeper)' deep.folded | sed 's/.*;\(.*;.*\)/\1/'
