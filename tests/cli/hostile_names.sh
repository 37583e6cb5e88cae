# File names and texts of a trace cannot control a terminal: commands print neither control
# characters (escape sequences, in 7 bits or as U+0080 to U+009F) nor those that change the
# direction, on standard output or in errors. Formats for programs, CSV and TSV, have names
# unchanged.
bad=$(printf 'x\033]0;y\007\177\302\233z\342\200\256\377<b>&lt;|`$=1')
is_clean() { # WHAT <TEXT
    tee last | grep -aqP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xff' &&
        echo "$1 prints it raw: $(cat -v last)"
}
mkdir "$bad"
(cd "$bad" && golden nested && mv nested.rln "$bad.rln")
trace=$bad/$bad.rln
profile() { rangeline profile -f -o "$bad/$1" "$BIN/say" in 7 name "$bad" push "$bad" \
    push "$bad@$bad" mark "$bad@$bad" pop "@$bad" pop; }
profile run >said 2>&1 && is_clean profile <said
cp "$bad/run.rln" again.rln
rangeline profile -o two "$BIN/say" push $'two\nlines' pop 2>/dev/null
head -c 5000 "$bad/run.rln" >"$bad/cut.rln"
echo no >"$bad/no.rln"
for words in info check stats print 'print --ranges' 'print --json' 'stats -r tree' \
    'info --json' 'stats -f json' 'stats -f markdown' 'stats -f hdoc' 'check --json' status \
    stop start 'top -n 1 --batch' 'top -n 1 --json' snapshot 'stats -q -r gaps' \
    'stats --force-overwrite=false -o .' 'export -t jsonl -o -' 'stats --name nothing' \
    'export -t chrome -f -o -' 'merge -o out.rln' 'view --html page.html' 'stats -r none' \
    'stats -r nvtx_sum -f column' 'print --filter-nvtx none' 'export -t sqlite' \
    'export -t folded -o -' 'export -t nvtxt -o -'; do
    for file in "$trace" "$bad/run.rln" "$bad/cut.rln" "$bad/no.rln" "$bad/missing.rln"; do
        # shellcheck disable=SC2086 # words
        rangeline $words "$file" >out 2>said
        cat out said | is_clean "$words"
    done
done
for report in outliers pace histogram step_trace straggler rank_calls; do # in titles
    for name in "::$bad" ":$bad:$bad" "::none$bad" ''; do
        rangeline stats -q -r "$report$name" "$bad/run.rln" 2>&1 | is_clean "stats -r $report"
    done
done
rangeline stats -q -r $'pace::two\nlines' two.rln 2>&1 | grep -F '** Pace'
for format in column markdown json; do
    rangeline diff --all -f $format --name '*' "$bad/run.rln" again.rln 2>&1 | is_clean "diff $format"
done
for words in 'stats --name' 'stats -r' 'check --domain' 'diff --fail-above' export profile \
    'profile -o' 'stats --filter-time' 'info --' 'merge -o' ''; do
    # shellcheck disable=SC2086
    rangeline $words "$bad" "$bad/run.rln" 2>&1 | is_clean "$words"
done

# In Markdown every character that could begin markup, an entity or a mention is escaped.
rangeline diff --all -f markdown "$bad/run.rln" again.rln 2>/dev/null |
    sed 's/\\\\//g; s/\\[|`*_<&$@#~[]//g; s/\\]//g' | sed 1,2d | grep -E '[<&`$@]'
# CSV is for programs: what a spreadsheet takes for a formula stays as it is.
rangeline stats -r nvtx_sum -f csv "$bad/run.rln" 2>/dev/null | grep -acF "$bad"
