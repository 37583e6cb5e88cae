# Commands for a run refuse what is not one, and say why; so does a name for the trace.
golden nested
printf '\011' | dd of=nested.rln bs=1 seek=8 conv=notrunc 2>/dev/null # the format's version
rangeline stop nested.rln
rangeline status nested.rln
rangeline start .
rangeline stop nosuch.rln
rangeline profile -o '%qHOME' true
rangeline profile -o '%q{HOME' true
rangeline profile -o '%q{}' true
