# `info` prints a line per kind of loss, with a remedy; none if nothing was lost.
golden losses
golden gap
golden nested
rangeline info losses.rln | sed -n '/^dropped/,$p'
rangeline info --json losses.rln | grep -o '"gaps.*"dropped":[0-9]*'
rangeline info gap.rln | sed -n '/^dropped/,$p'
rangeline info nested.rln | sed -n '/^dropped/,$p'
