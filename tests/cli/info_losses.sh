# `info` prints a line per kind of loss, with a remedy; none if nothing was lost.
golden losses
golden gap
golden nested
rangeline info losses.rln | sed -n '/^dropped/,$p'
rangeline info --json losses.rln | grep -o '"gaps.*"dropped":[0-9]*'
rangeline info gap.rln | sed -n '/^dropped/,$p'
rangeline info nested.rln | sed -n '/^dropped/,$p'
# More domains than a process may have are no lack of space.
rangeline profile -o many "$BIN/many_domains" 2>&1 | grep -i full
rangeline info many.rln | sed -n '/^dropped/,$p'
rangeline check -f csv many.rln | grep -o 'domains were dropped.*'
rangeline print many.rln | awk '$3 == "mark"' | tail -n 2 | grep -o 'mark.*'
