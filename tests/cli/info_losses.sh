# What could not be recorded: a line a kind, with what to do; nothing where all is there.
golden losses
golden gap
golden nested
rangeline info losses.rln | sed -n '/^dropped/,$p'
rangeline info --json losses.rln | grep -o '"gaps.*"dropped":[0-9]*'
rangeline info gap.rln | sed -n '/^dropped/,$p'
rangeline info nested.rln | sed -n '/^dropped/,$p'
